import Testing

@Suite("Scenarios of several devices") struct ScenarioTests {
  private static let applicable = Scenario.all.filter { ScenarioTable.excluded[$0.id] == nil }

  @Test("All scenarios are there, and those that do not apply are named with the rule that excludes them")
  func everyScenarioIsAccountedFor() {
    let ids = Set(Scenario.all.map(\.id))
    #expect(Scenario.all.count == 139)
    #expect(ids.count == Scenario.all.count)
    for id in ScenarioTable.excluded.keys { #expect(ids.contains(id)) }
    for id in ScenarioTable.mergesFields.keys { #expect(ids.contains(id)) }
    print("\(Self.applicable.count) of \(ids.count) scenarios apply; not run: \(ScenarioTable.excluded.count)")
    for (id, rule) in ScenarioTable.excluded.sorted(by: { $0.key < $1.key }) { print("  \(id): \(rule)") }
    for (id, rule) in ScenarioTable.mergesFields.sorted(by: { $0.key < $1.key }) {
      print("  run with the merge of fields: \(id): \(rule)")
    }
  }

  @Test("The outcome is the expected one", arguments: applicable, ScenarioVariation.all)
  func outcome(_ scenario: Scenario, _ variation: ScenarioVariation) throws {
    #expect(try ScenarioRun(scenario, variation).run() == [])
  }

  @Test(
    "The outcome doesn't depend on the order of the exchanges",
    arguments: applicable.filter(\.hasFreeOrder), ScenarioVariation.orders)
  func order(_ scenario: Scenario, _ variation: ScenarioVariation) throws {
    #expect(try ScenarioRun(scenario, variation).run() == [])
  }
}

extension Scenario {
  /// Whether it has exchanges whose order must not matter.
  var hasFreeOrder: Bool {
    steps.contains { if case .syncInAnyOrder = $0.kind { true } else { false } }
  }
}
