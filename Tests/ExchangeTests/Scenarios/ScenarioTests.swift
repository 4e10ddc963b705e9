import SystemIO
import Testing

@Suite("Scenarios of several devices") struct ScenarioTests {
  /// The scenarios that apply; where DVER_SCENARIOS is set, those whose id begins with it.
  private static let applicable = Scenario.all.filter { scenario in
    let wanted = Environment.value("DVER_SCENARIOS").map { String(decoding: $0, as: UTF8.self) } ?? ""
    return ScenarioTable.excluded[scenario.id] == nil && scenario.id.hasPrefix(wanted)
  }

  @Test("All scenarios are there, and those that do not apply are named with the rule that excludes them")
  func everyScenarioIsAccountedFor() {
    let ids = Set(Scenario.all.map(\.id))
    #expect(Scenario.all.count == 139)
    #expect(ids.count == Scenario.all.count)
    for id in ScenarioTable.excluded.keys { #expect(ids.contains(id)) }
    for id in ScenarioTable.mergesFields.keys { #expect(ids.contains(id)) }
    print("\(ids.count - ScenarioTable.excluded.count) of \(ids.count) scenarios apply; not run: \(ScenarioTable.excluded.count)")
    for (id, rule) in ScenarioTable.excluded.sorted(by: { $0.key < $1.key }) { print("  \(id): \(rule)") }
    for (id, rule) in ScenarioTable.mergesFields.sorted(by: { $0.key < $1.key }) {
      print("  run with the merge of fields: \(id): \(rule)")
    }
  }

  @Test("The outcome is the expected one", arguments: applicable, ScenarioVariation.all)
  func outcome(_ scenario: Scenario, _ variation: ScenarioVariation) throws {
    let problems = try ScenarioRun(scenario, variation).run()
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  @Test(
    "The outcome doesn't depend on the order of the exchanges",
    arguments: applicable.filter(\.hasFreeOrder), ScenarioVariation.orders)
  func order(_ scenario: Scenario, _ variation: ScenarioVariation) throws {
    let problems = try ScenarioRun(scenario, variation).run()
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }
}

extension Scenario {
  /// Whether it has exchanges whose order must not matter.
  var hasFreeOrder: Bool {
    steps.contains { if case .syncInAnyOrder = $0.kind { true } else { false } }
  }
}
