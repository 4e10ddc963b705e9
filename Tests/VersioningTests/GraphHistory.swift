import Glibc
import Hashing
import TestSupport
import Testing
import Versioning

/// One history of the fixture: devices, their records, what happened, and the state expected after every step.
struct GraphHistory: Sendable, CustomTestStringConvertible {
  struct Step: Sendable {
    let device: String
    let act: String
    /// The records the device made.
    let adds: [Int]
    let receives: [Int]
    /// `all`, `fields` or `none`.
    let merging: String
    let merges: [Int]
    let state: ShownState
  }

  let name: String
  let exercises: String
  let mergeRules: [String: UInt32]
  let ids: [RecordID]
  let records: [Record]
  let steps: [Step]
  /// What the contents stand for.
  let contents: [ObjectID: ContentTokens]

  var testDescription: String { name }
}

/// What a device shows, records by their place in the history.
struct ShownState: Equatable, Sendable {
  struct Shown: Equatable, Sendable {
    var current: Int
    var conflicts: [Int] = []
    var isDeleted = false
  }

  var documents: [String: Shown] = [:]
  var paths: [String: Shown] = [:]
  var removed: [Int] = []
}

/// A fixture that can't be read.
struct FixtureFailure: Error {
  let reason: String
}

extension GraphHistory {
  /// All histories; from the file that DVER_GRAPH_HISTORIES names where it is set.
  static let all: [GraphHistory] = {
    do {
      let lines = try readFixture("graph-histories.jsonl", variable: "DVER_GRAPH_HISTORIES")
        .split(separator: UInt8(ascii: "\n"))
      return try lines.map { try GraphHistory(JSONValue(parsing: $0)) }
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  /// The histories that exercise one clause each.
  static let named = all.filter { $0.exercises != "random" }
  static let random = all.filter { $0.exercises == "random" }

  init(_ json: JSONValue) throws {
    name = try json.text("name")
    exercises = try json.text("exercises")
    mergeRules = try json.list("devices").reduce(into: [:]) { rules, device in
      rules[try device.text("name")] = UInt32(try device.number("mergeRules"))
    }
    let records = try json.list("records")
    ids = try records.map { RecordID(try $0.digest("id")) }
    var contents: [ObjectID: ContentTokens] = [:]
    for case .array(let tokens)? in records.map({ $0["content"] }) {
      let content = ContentTokens(tokens.map { $0.string ?? "" })
      contents[content.id] = content
    }
    self.contents = contents
    self.records = try records.map { [ids] in try Record($0, ids: ids) }
    steps = try json.list("steps").map { try Step($0) }
  }

  private static func readFixture(_ name: String, variable: String) throws -> [UInt8] {
    let beside = "\(#filePath.split(separator: "/").dropLast(2).map { "/\($0)" }.joined())/Fixtures/\(name)"
    let path = getenv(variable).map { String(cString: $0) } ?? beside
    guard let file = fopen(path, "rb") else { throw FixtureFailure(reason: "\(path) can't be opened") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return bytes
  }
}

extension GraphHistory.Step {
  fileprivate init(_ json: JSONValue) throws {
    device = try json.text("device")
    act = try json.text("act")
    adds = json.numbers("adds")
    receives = json.numbers("receives")
    merging = json["merging"]?.string ?? "none"
    merges = json.numbers("merges")
    guard let state = json["state"] else { throw FixtureFailure(reason: "a step without a state") }
    self.state = try ShownState(
      documents: Self.shown(state["documents"]), paths: Self.shown(state["paths"]), removed: state.numbers("removed"))
  }

  private static func shown(_ json: JSONValue?) throws -> [String: ShownState.Shown] {
    try (json?.members ?? []).reduce(into: [:]) { all, member in
      all[member.name] = ShownState.Shown(
        current: try member.value.number("current"), conflicts: member.value.numbers("conflicts"),
        isDeleted: member.value["deleted"]?.boolean ?? false)
    }
  }
}

extension Record {
  fileprivate init(_ json: JSONValue, ids: [RecordID]) throws {
    let epoch = LogicalTime(milliseconds: 0, counter: 0)
    switch try json.text("type") {
    case "version": self = .version(try VersionRecord(json, ids: ids))
    case "removal":
      self = .removal(
        RemovalRecord(
          kept: ids[try json.number("kept")], removesAncestors: json["ancestors"]?.boolean ?? false,
          listed: json.numbers("listed").map { ids[$0] }.sorted(), device: try json.device(), logicalTime: epoch,
          wallTime: 0))
    case "retraction":
      self = .retraction(
        RetractionRecord(
          names: json.numbers("names").map { ids[$0] }.sorted(), device: try json.device(), logicalTime: epoch,
          wallTime: 0))
    case let type: throw FixtureFailure(reason: "type \(type)")
    }
  }
}

extension VersionRecord {
  private static let kinds: [String: VersionKind] = ["file": .file, "symlink": .symbolicLink, "deleted": .deleted]
  private static let origins: [String: VersionOrigin] = [
    "save": .save, "resolve": .resolve, "merge": .merge, "delete": .delete, "rename": .rename, "undo": .undo,
    "remove": .resolve, "remove-other": .resolve, "restore": .restore, "import": .import,
  ]

  fileprivate init(_ json: JSONValue, ids: [RecordID]) throws {
    let times = json.numbers("logicalTime")
    let milliseconds = Int64(try json.number("modificationTime"))
    let content = json["content"]?.elements.map { ContentTokens($0.map { $0.string ?? "" }) }
    guard let document = DocumentID(hexadecimal: try json.text("document").utf8),
      let path = DocumentPath(Array(try json.text("path").utf8)), let kind = Self.kinds[try json.text("kind")],
      let origin = Self.origins[try json.text("origin")], let mode = UInt16(try json.text("mode"), radix: 8),
      let modificationTime = FileTime(milliseconds: milliseconds), times.count == 2
    else { throw FixtureFailure(reason: "version \(try json.text("id"))") }
    self.init(
      document: document, parents: json.numbers("parents").map { ids[$0] }, path: path, kind: kind,
      content: content?.id, size: content?.size ?? 0, mode: mode, modificationTime: modificationTime,
      logicalTime: LogicalTime(milliseconds: Int64(times[0]), counter: UInt32(times[1])),
      wallTime: Int64(try json.number("wallTime")), device: json["device"] == .null ? nil : try json.device(),
      origin: origin, mergeRules: UInt32(try json.number("mergeRules")))
  }
}

extension FileTime {
  init?(milliseconds: Int64) {
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    guard rest >= 0 else { return nil }
    self.init(seconds: seconds, nanoseconds: UInt32(rest) * 1_000_000)
  }
}

extension JSONValue {
  fileprivate func text(_ name: String) throws -> String {
    guard let text = self[name]?.string else { throw FixtureFailure(reason: "no text \(name)") }
    return text
  }

  fileprivate func number(_ name: String) throws -> Int {
    guard let number = self[name]?.integer else { throw FixtureFailure(reason: "no number \(name)") }
    return Int(number)
  }

  fileprivate func list(_ name: String) throws -> [JSONValue] {
    guard let list = self[name]?.elements else { throw FixtureFailure(reason: "no list \(name)") }
    return list
  }

  fileprivate func digest(_ name: String) throws -> ObjectID {
    guard let id = ObjectID(hexadecimal: try text(name).utf8) else { throw FixtureFailure(reason: "no id \(name)") }
    return id
  }

  fileprivate func device() throws -> DeviceID { DeviceID(high: 0, low: UInt64(try text("device").utf8.first ?? 0)) }

  fileprivate func numbers(_ name: String) -> [Int] {
    (self[name]?.elements ?? []).compactMap { $0.integer.map { Int($0) } }
  }
}
