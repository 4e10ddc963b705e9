import SystemIO
import TestSupport
import Testing

@Suite("Scenarios of several devices") struct ScenarioTests {
  @Test("All scenarios are there, and those that do not apply are named with the rule that excludes them")
  func everyScenarioIsAccountedFor() {
    let ids = Set(Scenario.all.map(\.id))
    #expect(Scenario.all.count == 139)
    #expect(ids.count == Scenario.all.count)
    for id in ScenarioTable.excluded.keys { #expect(ids.contains(id)) }
    for id in ScenarioTable.mergesFields.keys { #expect(ids.contains(id)) }
    let excludedCount = ScenarioTable.excluded.count
    print("\(ids.count - excludedCount) of \(ids.count) scenarios apply; not run: \(excludedCount)")
    for (id, rule) in ScenarioTable.excluded.sorted(by: { $0.key < $1.key }) { print("  \(id): \(rule)") }
    for (id, rule) in ScenarioTable.mergesFields.sorted(by: { $0.key < $1.key }) {
      print("  run with the merge of fields: \(id): \(rule)")
    }
  }

  @Test("The outcome is the expected one", arguments: ScenarioCase.all)
  func outcome(_ row: ScenarioCase) throws {
    let problems = try ScenarioRun(row.scenario, row.variation).run()
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  @Test("The outcome doesn't depend on the order of the exchanges", arguments: ScenarioCase.orders)
  func order(_ row: ScenarioCase) throws {
    let problems = try ScenarioRun(row.scenario, row.variation).run()
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }
}

/// A scenario and one of the ways to run it.
struct ScenarioCase: Sendable, CustomTestStringConvertible {
  let scenario: Scenario
  let variation: ScenarioVariation

  var testDescription: String { "\(scenario.testDescription): \(variation.testDescription)" }

  /// Every scenario in the first way and in one of the others, which take turns; in all where DVER_SCENARIOS_IN_FULL is set.
  static let all =
    applicable.map { ScenarioCase(scenario: $0, variation: ScenarioVariation.all[0]) }
    + cases(of: applicable, others: Array(ScenarioVariation.all.dropFirst()), count: 1)

  /// The scenarios that promise one outcome for any order of exchanges, each in two other orders, or in all.
  static let orders = cases(of: applicable.filter(\.hasFreeOrder), others: ScenarioVariation.orders, count: 2)

  private static func cases(
    of scenarios: [Scenario], others: [ScenarioVariation], count: Int
  ) -> [ScenarioCase] {
    let number = Environment.value("DVER_SCENARIOS_IN_FULL") == nil ? count : others.count
    return scenarios.enumerated().flatMap { place, scenario in
      (0..<number).map { ScenarioCase(scenario: scenario, variation: others[(place + $0) % others.count]) }
    }
  }

  /// The scenarios that apply; where DVER_SCENARIOS is set, those whose id begins with it.
  private static let applicable = Scenario.all.filter { scenario in
    let wanted = Environment.value("DVER_SCENARIOS").map { String(decoding: $0, as: UTF8.self) } ?? ""
    return ScenarioTable.excluded[scenario.id] == nil && scenario.id.hasPrefix(wanted)
  }
}

extension Scenario {
  /// Whether it has exchanges whose order must not matter.
  fileprivate var hasFreeOrder: Bool {
    steps.contains { if case .syncInAnyOrder = $0.kind { true } else { false } }
  }
}
