import Testing

@Suite("Histories of the version graph in real stores") struct StoredHistoryTests {
  @Test(
    "Devices that have exchanged everything show the same, make nothing more, and have lost nothing",
    arguments: StoredHistory.selected)
  func converges(_ history: StoredHistory) throws {
    let problems = try StoredHistoryReplay(history).problems()
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }
}
