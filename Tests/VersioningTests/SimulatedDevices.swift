import Hashing
import TestSupport
import Versioning

/// Devices on which random people save, rename, delete, resolve, remove and undo, and that exchange what they have.
///
/// Records have their real ids. Contents are three tokens that merge one by one.
struct SimulatedDevices {
  /// One device: what it holds, and a version that a person edits on, however old it is by now.
  struct Device {
    let id: DeviceID
    var graph = VersionGraph()
    var records: [(id: RecordID, record: Record)] = []
    var base: RecordID?
    var clockError: Int64

    var state: State {
      State(documents: graph.documents(), claims: graph.claims(), removed: graph.removed())
    }

    /// Adds records, each behind what it names; known ones change nothing.
    mutating func take(_ others: [(id: RecordID, record: Record)]) throws {
      for (id, record) in others where !graph.contains(id) {
        try graph.insert(record, id: id)
        records.append((id, record))
      }
    }
  }

  /// All that a device shows.
  struct State: Equatable {
    let documents: [DocumentState]
    let claims: [PathState]
    let removed: Set<RecordID>
  }

  /// What people may do.
  enum Repertoire { case everything, savesAndMerges }

  private(set) var devices: [Device]
  private(set) var generator: SeededGenerator
  private let contents = ContentRegistry()
  private var clock: Int64 = 1_764_460_800_000
  private var tokenCount = 0
  private let repertoire: Repertoire
  /// Every version that a device makes for a person, with what the device showed before.
  private(set) var saves: [(before: VersionGraph, version: Version)] = []

  init(seed: UInt64, repertoire: Repertoire = .everything) {
    var generator = SeededGenerator(seed: seed)
    devices = (0..<Int.random(in: 2...4, using: &generator)).map { number in
      Device(
        id: DeviceID(high: 0, low: UInt64(number + 1)),
        clockError: [0, 0, 60_000, -60_000].randomElement(using: &generator) ?? 0)
    }
    self.generator = generator
    self.repertoire = repertoire
  }

  mutating func run(steps: Int) throws {
    try save(on: 0, parents: [])
    for place in devices.indices.dropFirst() { try exchange(from: 0, to: place) }
    for _ in 0..<steps {
      clock += [0, 0, 1, 1000].randomElement(using: &generator) ?? 0
      let place = Int.random(in: devices.indices, using: &generator)
      switch Int.random(in: 0..<(repertoire == .everything ? 12 : 8), using: &generator) {
      case 0...3: try edit(on: place)
      case 4: try resolve(on: place, thenRemove: false)
      case 5...7: try exchange(from: Int.random(in: devices.indices, using: &generator), to: place)
      case 8: try resolve(on: place, thenRemove: true)
      case 9: try removeOther(on: place)
      default: try undo(on: place)
      }
    }
  }

  /// Everybody receives everything and merges, until nothing is new: the number of rounds that made a record.
  mutating func settle() throws -> Int {
    for round in 0... {
      let before = devices.map(\.records.count)
      for from in devices.indices { for to in devices.indices { try exchange(from: from, to: to, merging: true) } }
      if devices.map(\.records.count) == before || round > 40 { return round }
    }
    return 0
  }

  // MARK: What people do

  private mutating func edit(on place: Int) throws {
    let documents = devices[place].graph.documents()
    guard Int.random(in: 0..<8, using: &generator) > 0, let document = documents.randomElement(using: &generator)
    else { return try save(on: place, parents: []) }
    let known = devices[place].base.flatMap { devices[place].graph.version($0) }
    let base = Bool.random(using: &generator) ? known ?? document.current : document.current
    let equal = document.heads.filter { $0.record.appearance == base.record.appearance }
    let parents = document.current.id == base.id ? [base] + equal.filter { $0.id != base.id } : [base]
    try save(on: place, parents: parents)
    if Bool.random(using: &generator) { devices[place].base = document.current.id }
  }

  /// Makes a version on others: an edit, a rename, a change of mode or a deletion.
  private mutating func save(on place: Int, parents: [Version]) throws {
    let blank = ContentTokens(["0", "0", "0"])
    let earlier = parents.first?.record
    var content = parents.first.flatMap { contents[$0] } ?? blank
    var path = earlier?.path ?? DocumentPath([UInt8.random(in: 97...98, using: &generator)])!
    var mode = earlier?.mode ?? 0o644
    var isDeletion = false
    switch Int.random(in: 0..<10, using: &generator) {
    case 0 where earlier != nil: path = DocumentPath([UInt8.random(in: 97...99, using: &generator)])!
    case 1 where earlier != nil: mode ^= 0o111
    case 2 where earlier != nil: isDeletion = true
    default:
      tokenCount += 1
      content.tokens[Int.random(in: 0..<3, using: &generator)] = "t\(tokenCount)"
    }
    try make(on: place, parents: parents, content: isDeletion ? nil : content, path: path, mode: mode, origin: .save)
  }

  private mutating func make(
    on place: Int, parents: [Version], content: ContentTokens?, path: DocumentPath, mode: UInt16,
    origin: VersionOrigin
  ) throws {
    let device = devices[place], now = clock + device.clockError
    let others = Set(parents.dropFirst().map(\.id)).subtracting(parents.prefix(1).map(\.id)).sorted()
    let record = VersionRecord(
      document: parents.map(\.record.document).min() ?? DocumentID.random(using: &generator),
      parents: parents.prefix(1).map(\.id) + others, path: path, kind: content == nil ? .deleted : .file,
      content: content?.id, size: content?.size ?? 0, mode: mode,
      modificationTime: FileTime(seconds: now / 1000, nanoseconds: UInt32.random(in: 0..<9, using: &generator))!,
      logicalTime: .following(wallTime: now, earlier: parents.map(\.record.logicalTime)), wallTime: now,
      device: device.id, origin: origin)
    if let content { contents.insert(content) }
    try Record.version(record).validate()
    saves.append((device.graph, Version(id: Record.version(record).id, record: record)))
    try add(.version(record), on: place)
  }

  private mutating func add(_ record: Record, on place: Int) throws {
    try devices[place].take([(record.id, record)])
  }

  private mutating func resolve(on place: Int, thenRemove: Bool) throws {
    let graph = devices[place].graph
    let groups = graph.documents().map(\.heads) + graph.claims().map(\.claimants)
    guard let group = groups.filter({ $0.shown().count > 1 }).randomElement(using: &generator),
      let chosen = group.randomElement(using: &generator)
    else { return }
    let parents = [chosen] + group.filter { $0.id != chosen.id }
    let content = contents[chosen]
    try make(
      on: place, parents: parents, content: content, path: chosen.record.path, mode: chosen.record.mode,
      origin: .resolve)
    if thenRemove, let made = saves.last?.version { try remove(behind: made, on: place) }
  }

  private mutating func removeOther(on place: Int) throws {
    let documents = devices[place].graph.documents().filter { $0.heads.count == 1 && !$0.isDeleted }
    guard let kept = documents.randomElement(using: &generator)?.current, !kept.record.parents.isEmpty else { return }
    try remove(behind: kept, on: place)
  }

  private mutating func remove(behind kept: Version, on place: Int) throws {
    let removal = RemovalRecord(
      kept: kept.id, removesAncestors: true, listed: [], device: devices[place].id,
      logicalTime: kept.record.logicalTime.next, wallTime: clock)
    try add(.removal(removal), on: place)
  }

  /// Takes back a head that is a resolution or an automatic merge, or a removal.
  private mutating func undo(on place: Int) throws {
    let graph = devices[place].graph
    let heads = graph.heads(), headIDs = Set(heads.map(\.id))
    let merges = heads.filter { $0.record.isAutomatic || $0.record.origin == .resolve }.map(\.id)
    let removals = graph.removals.filter { headIDs.contains($0.record.kept) }.map(\.id)
    guard let name = (merges + removals).randomElement(using: &generator) else { return }
    let retraction = RetractionRecord(
      names: [name], device: devices[place].id, logicalTime: LogicalTime(milliseconds: clock, counter: 0),
      wallTime: clock)
    try add(.retraction(retraction), on: place)
  }

  // MARK: Exchange

  private mutating func exchange(from: Int, to: Int, merging: Bool? = nil) throws {
    guard from != to else { return }
    try devices[to].take(devices[from].records)
    let merges = merging ?? (Int.random(in: 0..<4, using: &generator) > 0)
    guard merges else { return }
    let all = merging ?? (Int.random(in: 0..<4, using: &generator) > 0)
    try devices[to].take(devices[to].graph.automaticMerges(rules(all)).map { ($0.id, .version($0.record)) })
  }

  private func rules(_ combinesContents: Bool) -> MergeRules {
    MergeRules(number: 1, combinesContents: combinesContents) { [contents] base, ours, theirs in
      guard let old = contents[base], let our = contents[ours], let their = contents[theirs] else { return nil }
      guard let merged = ContentTokens.merge(base: old, ours: our, theirs: their, rules: 1) else { return nil }
      contents.insert(merged)
      return (merged.id, merged.size)
    }
  }
}

/// What the content ids of a simulation stand for, merged contents too.
private final class ContentRegistry {
  private var contents: [ObjectID: ContentTokens] = [:]

  subscript(version: Version) -> ContentTokens? { version.record.content.flatMap { contents[$0] } }

  func insert(_ content: ContentTokens) { contents[content.id] = content }
}
