import TestSupport

/// One step of a scenario.
///
/// Source: Tests/Fixtures/scenarios/README.md, "Steps".
struct ScenarioStep: Sendable {
  /// What a device does to a document.
  enum Act: Sendable {
    case save(basedOn: [String], content: String)
    case resolve(supersedes: [String], content: String)
    /// Without content it must report a conflict.
    case merge(supersedes: [String], content: String?)
    case pick(keep: String, supersedes: [String])
    case delete(supersedes: [String])
    case restore(from: String, basedOn: [String])
    case rename(to: String)
    case removeOther(keep: String?)
  }

  enum Kind: Sendable {
    case act(Act, device: String, file: String, version: String?, isRefused: Bool)
    case sync(a: String, b: String)
    case push(from: String, to: String, cutAfter: Int?)
    case syncInAnyOrder(pairs: [[String]], rounds: Int)
    case clock(device: String, ScenarioClock.Setting)
    case clone(from: String, to: String)
    case backup(device: String, name: String)
    case rollback(device: String, name: String)
    case wipe(device: String)
    case expect(ScenarioExpectation)
  }

  let kind: Kind
  let description: String

  init(_ json: JSONValue) throws {
    let operation = try json.text("op")
    kind = try Kind(operation, json)
    description = (json.members ?? []).map { "\($0.name) \($0.value.brief)" }.joined(separator: ", ")
  }
}

extension ScenarioStep.Kind {
  fileprivate init(_ operation: String, _ json: JSONValue) throws {
    switch operation {
    case "sync": self = .sync(a: try json.text("a"), b: try json.text("b"))
    case "push":
      self = .push(
        from: try json.text("from"), to: try json.text("to"), cutAfter: json["cut_after"]?.integer.map { Int($0) })
    case "sync_any_order":
      let pairs = try (json["pairs"]?.elements ?? []).map { try $0.texts() }
      guard let rounds = json["rounds"]?.integer, pairs.allSatisfy({ $0.count == 2 }) else {
        throw ScenarioFailure("no pairs or rounds")
      }
      self = .syncInAnyOrder(pairs: pairs, rounds: Int(rounds))
    case "clock":
      let setting: ScenarioClock.Setting
      if let seconds = json["offset_seconds"]?.integer {
        setting = .offset(milliseconds: seconds * 1000)
      } else if let seconds = json["frozen_at_seconds"]?.integer {
        setting = .frozen(milliseconds: seconds * 1000)
      } else {
        throw ScenarioFailure("a clock without a time")
      }
      self = .clock(device: try json.text("device"), setting)
    case "clone": self = .clone(from: try json.text("from"), to: try json.text("to"))
    case "backup": self = .backup(device: try json.text("device"), name: try json.text("as"))
    case "rollback": self = .rollback(device: try json.text("device"), name: try json.text("to"))
    case "wipe": self = .wipe(device: try json.text("device"))
    case "expect": self = .expect(try ScenarioExpectation(json))
    default:
      self = .act(
        try ScenarioStep.Act(operation, json), device: try json.text("device"), file: try json.text("file"),
        version: json["version"]?.string, isRefused: json["refused"]?.boolean ?? false)
    }
  }
}

extension ScenarioStep.Act {
  fileprivate init(_ operation: String, _ json: JSONValue) throws {
    let supersedes = try json.texts("supersedes")
    let basedOn = try json.texts("based_on")
    switch operation {
    case "save": self = .save(basedOn: basedOn, content: try json.text("content"))
    case "resolve": self = .resolve(supersedes: supersedes, content: try json.text("content"))
    case "merge":
      let isClean = json["clean"]?.boolean ?? true
      self = .merge(supersedes: supersedes, content: isClean ? try json.text("content") : nil)
    case "pick": self = .pick(keep: try json.text("keep"), supersedes: supersedes)
    case "delete": self = .delete(supersedes: supersedes)
    case "restore": self = .restore(from: try json.text("from"), basedOn: basedOn)
    case "rename": self = .rename(to: try json.text("name"))
    case "remove_other": self = .removeOther(keep: json["keep"]?.string)
    default: throw ScenarioFailure("an unknown step: \(operation)")
    }
  }
}

extension JSONValue {
  fileprivate var brief: String {
    if let string { return string }
    if let elements { return "[\(elements.map(\.brief).joined(separator: " "))]" }
    if let integer { return "\(integer)" }
    if let boolean { return "\(boolean)" }
    return "…"
  }
}
