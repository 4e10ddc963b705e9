import Hashing
import SystemIO
import TestSupport
import Testing
import Versioning

/// A history of the graph's fixture with its records as they are stored: identities are hashes here, so ties and the order
/// of pairs fall otherwise than in the fixture, and only what holds for any identities can be expected.
///
/// Source: Tests/Fixtures/graph-histories.jsonl.
struct StoredHistory: Sendable, CustomTestStringConvertible {
  struct Step: Sendable {
    let device: String
    /// The records that the device made or received, by their place.
    let records: [Int]
    /// `all`, `fields` or `none`.
    let merging: String
  }

  let name: String
  let isNamed: Bool
  let devices: [String]
  /// In the order of creation: each behind what it names.
  private(set) var records: [(id: RecordID, record: Record)] = []
  /// The bytes of the contents.
  private(set) var contents: [ObjectID: [UInt8]] = [:]
  let steps: [Step]

  var testDescription: String { name }

  /// The histories of one clause each and some of the random ones; all where DVER_HISTORIES_IN_FULL is set.
  static let selected: [StoredHistory] = {
    do {
      let bytes = try FileSystem.read(Scenario.fixtures.appending("graph-histories.jsonl"), limit: 1 << 26)
      let all = try bytes.split(separator: UInt8(ascii: "\n")).map { try StoredHistory(JSONValue(parsing: $0)) }
      let isFull = Environment.value("DVER_HISTORIES_IN_FULL") != nil
      return all.enumerated().filter { isFull || $1.isNamed || $0.isMultiple(of: 8) }.map(\.element)
    } catch {
      preconditionFailure("the histories can't be read: \(error)")
    }
  }()

  private init(_ json: JSONValue) throws {
    name = try json.text("name")
    isNamed = try json.text("exercises") != "random"
    devices = try (json["devices"]?.elements ?? []).map { try $0.text("name") }
    steps = try (json["steps"]?.elements ?? []).map { step in
      Step(
        device: try step.text("device"), records: step.places("adds") + step.places("receives"),
        merging: step["merging"]?.string ?? "none")
    }
    for json in json["records"]?.elements ?? [] {
      let record = try record(json)
      // What goes through the store is what its encoding says.
      guard try Record(decoding: record.encoded()) == record else { throw ScenarioFailure("\(name): other fields") }
      records.append((record.id, record))
    }
  }

  /// The places of the records that a record names.
  func named(by place: Int) -> [Int] {
    let names: [RecordID]
    switch records[place].record {
    case .version(let version): names = version.parents
    case .removal(let removal): names = [removal.kept] + removal.listed
    case .retraction(let retraction): names = retraction.names
    case .device, .setting: names = []
    }
    return names.compactMap { name in records.firstIndex { $0.id == name } }
  }

  // MARK: Reading

  private mutating func record(_ json: JSONValue) throws -> Record {
    let start = LogicalTime(milliseconds: 0, counter: 0)
    let ids = records.map(\.id)
    switch try json.text("type") {
    case "version": return .version(try version(json))
    case "removal":
      guard let kept = json["kept"]?.integer else { throw ScenarioFailure("\(name): nothing is kept") }
      return .removal(
        RemovalRecord(
          kept: ids[Int(kept)], removesAncestors: json["ancestors"]?.boolean ?? false,
          listed: json.places("listed").map { ids[$0] }.sorted(), device: try json.device(), logicalTime: start,
          wallTime: 0))
    case "retraction":
      return .retraction(
        RetractionRecord(
          names: json.places("names").map { ids[$0] }.sorted(), device: try json.device(), logicalTime: start,
          wallTime: 0))
    case let type: throw ScenarioFailure("\(name): a record of type \(type)")
    }
  }

  private static let kinds: [String: VersionKind] = ["file": .file, "symlink": .symbolicLink, "deleted": .deleted]
  private static let origins: [String: VersionOrigin] = [
    "save": .save, "resolve": .resolve, "merge": .merge, "delete": .delete, "rename": .rename, "undo": .undo,
    "remove": .resolve, "remove-other": .resolve, "restore": .restore, "import": .import,
  ]

  private mutating func version(_ json: JSONValue) throws -> VersionRecord {
    guard let document = DocumentID(hexadecimal: Array(try json.text("document").utf8)),
      let path = DocumentPath(Array(try json.text("path").utf8)), let kind = Self.kinds[try json.text("kind")],
      let origin = Self.origins[try json.text("origin")], let mode = UInt16(try json.text("mode"), radix: 8),
      let wallTime = json["wallTime"]?.integer, let modification = json["modificationTime"]?.integer,
      let rules = json["mergeRules"]?.integer, let time = json["logicalTime"]?.elements?.compactMap(\.integer),
      time.count == 2,
      let modificationTime = FileTime(
        seconds: modification / 1000, nanoseconds: UInt32(modification % 1000) * 1_000_000)
    else { throw ScenarioFailure("\(name): a version that can't be read") }
    let isAutomatic = json["device"]?.isNull ?? true
    let bytes = try Self.bytes(of: json["content"], kind)
    let content = bytes.map { SHA256.hash($0) }
    if let content, let bytes { contents[content] = bytes }
    return VersionRecord(
      document: document, parents: parents(json.places("parents"), isAutomatic: isAutomatic), path: path, kind: kind,
      content: content, size: UInt64(bytes?.count ?? 0), mode: mode, modificationTime: modificationTime,
      logicalTime: LogicalTime(milliseconds: time[0], counter: UInt32(time[1])), wallTime: wallTime,
      device: isAutomatic ? nil : try json.device(), origin: origin, mergeRules: UInt32(rules))
  }

  /// Parents in the order that these identities ask for (R9, R10).
  private func parents(_ places: [Int], isAutomatic: Bool) -> [RecordID] {
    if isAutomatic {
      return places.compactMap { place in
        if case .version(let record) = records[place].record { return Version(id: records[place].id, record: record) }
        return nil
      }.greatestFirst().map(\.id)
    }
    let ids = places.map { records[$0].id }
    return ids.prefix(1) + ids.dropFirst().sorted()
  }

  private static func bytes(of content: JSONValue?, _ kind: VersionKind) throws -> [UInt8]? {
    guard let content, !content.isNull else { return nil }
    let tokens = try content.texts()
    guard tokens.count == 3 else { throw ScenarioFailure("a content of \(tokens.count) tokens") }
    if kind == .symbolicLink { return Array(tokens.joined(separator: "/").utf8) }
    let lines =
      ["begin", tokens[0], "one", "two", "three", tokens[1], "four", "five", "six", tokens[2], "end"]
    return Array(lines.map { $0 + "\n" }.joined().utf8)
  }
}

extension JSONValue {
  fileprivate func places(_ name: String) -> [Int] {
    (self[name]?.elements ?? []).compactMap { $0.integer.map { Int($0) } }
  }

  fileprivate func device() throws -> DeviceID {
    DeviceID(high: 1, low: UInt64(try text("device").utf8.first ?? 0))
  }
}
