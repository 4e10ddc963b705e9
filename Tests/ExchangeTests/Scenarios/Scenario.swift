import SystemIO
import TestSupport
import Testing

/// One scenario of the fixture: devices, what they do, and what must hold afterwards.
///
/// Source: Tests/Fixtures/scenarios/README.md.
struct Scenario: Sendable, CustomTestStringConvertible {
  let id: String
  let group: String
  let title: String
  /// Properties of a product without which the scenario says nothing.
  let needs: [String]
  let devices: [String]
  let steps: [ScenarioStep]
  let expectation: ScenarioExpectation

  var testDescription: String { "\(id) (\(title))" }

  /// All scenarios, by id.
  static let all: [Scenario] = {
    do {
      let folder = fixtures.appending("scenarios")
      return try FileSystem.list(folder).map(\.name).filter { $0.suffix(5).elementsEqual(".json".utf8) }
        .map { try Scenario(JSONValue(parsing: FileSystem.read(folder.appending($0), limit: 1 << 24))) }
        .sorted { $0.id < $1.id }
    } catch {
      preconditionFailure("the scenarios can't be read: \(error)")
    }
  }()

  /// The folder of fixtures of all tests.
  static let fixtures: FilePath = FilePath(#filePath).parent.parent.parent.appending("Fixtures")

  init(_ json: JSONValue) throws {
    id = try json.text("id")
    group = try json.text("class")
    title = try json.text("title")
    needs = try json.texts("needs")
    devices = try json.texts("devices")
    steps = try (json["steps"]?.elements ?? []).map { try ScenarioStep($0) }
    guard let expectation = json["expect"] else { throw ScenarioFailure("\(id) expects nothing") }
    self.expectation = try ScenarioExpectation(expectation)
  }
}

/// A scenario that can't be read or carried out.
struct ScenarioFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension JSONValue {
  func text(_ name: String) throws -> String {
    guard let text = self[name]?.string else { throw ScenarioFailure("no text \(name) in \(self)") }
    return text
  }

  /// The texts of a list; none where it is missing.
  func texts(_ name: String) throws -> [String] {
    guard let list = self[name] else { return [] }
    return try list.texts()
  }

  func texts() throws -> [String] {
    guard let elements else { throw ScenarioFailure("no list: \(self)") }
    return try elements.map { element in
      guard let text = element.string else { throw ScenarioFailure("no text: \(element)") }
      return text
    }
  }
}
