import Deflate
import Hashing

/// Collects texts for one block, each like the one before it: versions of a text, the newest first, or texts of one folder.
struct ObjectBlockBuilder {
  /// What the texts are.
  enum Sort {
    case versions
    case neighbours

    /// Blocks are cut where edits and inserted bytes become longer than this.
    var streamByteCount: Int {
      switch self {
      case .versions: 64 << 10
      case .neighbours: 128 << 10
      }
    }

    /// The most that one text may insert: more is better stored by itself.
    func insertLimit(of byteCount: Int) -> Int {
      switch self {
      case .versions: min(256 << 10, byteCount / 2)
      case .neighbours: byteCount
      }
    }
  }

  /// More that the far end inserts is a text of its own.
  private static let stepByteCountLimit = 256 << 10
  private static let pieceLimit = 1 << 19

  private struct Step {
    let id: ObjectID
    let byteCount: Int
    let edits: [DeltaEdit]
    let inserted: [UInt8]

    /// About as many bytes as it takes before anything is deflated.
    var cost: Int { inserted.count + 5 * edits.count + 3 }
  }

  let base: [UInt8]
  private let sort: Sort
  private let memberCount: Int
  private(set) var last: [UInt8]
  private var steps: [Step] = []
  private var cost = 0
  private var list: PieceList
  private var pieceCount = 0
  private var insertedByteCount = 0

  /// - Parameter memberCount: the most members of the block.
  init(base: [UInt8], _ sort: Sort, memberCount: Int) {
    self.base = base
    self.sort = sort
    self.memberCount = memberCount
    last = base
    list = PieceList(base: base.count)
  }

  var isEmpty: Bool { steps.isEmpty }

  /// Whether the block is long enough, and the next text belongs into another one.
  var isFull: Bool { steps.count >= memberCount || cost >= sort.streamByteCount }

  /// Adds a text; `false` where it has so little in common with the one before that it is better stored by itself.
  mutating func add(_ id: ObjectID, _ text: [UInt8]) -> Bool {
    let step = Self.step(id, text, from: last)
    guard step.inserted.count <= sort.insertLimit(of: text.count),
      let list = PieceList(
        step.edits, of: list, inserted: base.count + 1 + insertedByteCount,
        tailStart: step.edits.last?.next ?? last.count - text.count),
      pieceCount + list.pieces.count <= Self.pieceLimit
    else { return false }
    steps.append(step)
    cost += step.cost
    self.list = list
    pieceCount += list.pieces.count
    insertedByteCount += step.inserted.count
    last = text
    return true
  }

  private static func step(_ id: ObjectID, _ text: [UInt8], from base: [UInt8]) -> Step {
    let edits = text.withRawBytes { text in base.withRawBytes { DeltaMatcher.edits(making: text, from: $0) } }
    let inserted = text.withRawBytes { DeltaCodec.insertedBytes(of: edits, in: $0) }
    return Step(id: id, byteCount: text.count, edits: edits, inserted: inserted)
  }

  /// The members in their order, and the body of the entry at `offset`; `nil` where the far end is not to be had cheaply.
  ///
  /// - Parameters:
  ///   - distance: to where the base is.
  ///   - hasFarEnd: whether another block follows, whose base is the last text.
  func encoded(
    distance: UInt64, depth: UInt8, hasFarEnd: Bool, deflater: Deflater
  ) -> (ids: [ObjectID], body: [UInt8])? {
    var members = steps
    if hasFarEnd, let last = members.popLast() {
      let jump = Self.step(last.id, self.last, from: base)
      guard jump.cost <= max(Self.stepByteCountLimit, 2 * cost), jump.inserted.count <= max(self.last.count / 2, 1),
        jump.edits.count < PieceList.countLimit / 4
      else { return nil }
      members.insert(jump, at: 0)
    }
    guard !members.isEmpty else { return nil }
    var edits = ByteWriter(capacity: cost)
    var inserted: [UInt8] = []
    for (number, member) in members.enumerated() {
      let source = BlockScript.source(of: number, hasFarEnd: hasFarEnd)
      BlockScript.encode(
        member.edits, sourceByteCount: source.map { members[$0].byteCount } ?? base.count, byteCount: member.byteCount,
        to: &edits)
      inserted += member.inserted
    }
    guard max(edits.bytes.count, inserted.count) <= ObjectBlock.streamByteCountLimit else { return nil }
    let storedEdits = edits.bytes.withRawBytes { deflater.deflate($0) }
    let storedInserted = deflated(inserted, dictionary: dictionary(members[0].edits, hasFarEnd: hasFarEnd), deflater)
    var writer = ByteWriter(capacity: 64 + 33 * members.count + storedEdits.count + storedInserted.count)
    writer.varint(UInt64(members.count))
    writer.varint(distance)
    writer.varint(UInt64(depth))
    writer.u8(hasFarEnd ? 1 : 0)
    writer.varint(UInt64(base.count))
    for (raw, stored) in [(edits.bytes, storedEdits), (inserted, storedInserted)] {
      writer.varint(UInt64(raw.count))
      writer.varint(UInt64(stored.count))
    }
    let ids = members.map(\.id)
    for id in ids { writer.id(id) }
    writer.raw(ids.indices.sorted { ids[$0] < ids[$1] }.map { UInt8($0) })
    writer.raw(storedEdits)
    writer.raw(storedInserted)
    return (ids, writer.bytes)
  }

  private func dictionary(_ first: [DeltaEdit], hasFarEnd: Bool) -> [UInt8] {
    if hasFarEnd { return BlockDictionary.bytes(of: first, base: base) }
    var edits: [DeltaEdit] = []
    list.forEachEdit(baseByteCount: base.count) { edits.append($0) }
    return BlockDictionary.bytes(of: edits, base: base)
  }

  private func deflated(_ bytes: [UInt8], dictionary: [UInt8], _ deflater: Deflater) -> [UInt8] {
    if bytes.isEmpty { return [] }
    return bytes.withRawBytes { bytes in dictionary.withRawBytes { deflater.deflate(bytes, dictionary: $0) } }
  }

  /// The block without its last text, which is to be stored by itself.
  func droppingLast() -> ObjectBlockBuilder? {
    guard steps.count > 1 else { return nil }
    var shorter = self
    shorter.steps.removeLast()
    var list = PieceList(base: base.count)
    var inserted = 0
    var previous = base.count
    for step in shorter.steps {
      guard
        let next = PieceList(
          step.edits, of: list, inserted: base.count + 1 + inserted,
          tailStart: step.edits.last?.next ?? previous - step.byteCount)
      else { return nil }
      list = next
      inserted += step.inserted.count
      previous = step.byteCount
    }
    shorter.list = list
    return shorter
  }
}
