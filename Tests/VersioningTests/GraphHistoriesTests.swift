import Testing
import Versioning

@Suite("Histories of several devices") struct GraphHistoriesTests {
  @Test("A named history shows and merges exactly what its clause says", arguments: GraphHistory.named)
  func replaysNamed(_ history: GraphHistory) {
    var replay = GraphReplay(history)
    let problem = replay.firstProblem()
    #expect(problem == nil, "\(history.exercises)")
  }

  @Test("Random histories show and merge exactly what the reference model does", arguments: GraphHistory.random)
  func replaysRandom(_ history: GraphHistory) {
    var replay = GraphReplay(history)
    let problem = replay.firstProblem()
    #expect(problem == nil)
  }

  @Test("Records in another order, in parts and repeated give the same states", arguments: GraphHistory.all)
  func replaysShuffled(_ history: GraphHistory) {
    for seed in 1...2 as ClosedRange<UInt64> {
      var replay = GraphReplay(history, .shuffled(seed: seed))
      let problem = replay.firstProblem()
      #expect(problem == nil, "seed \(seed)")
    }
  }

  @Test("Every record of every history keeps its fields in its encoding", arguments: GraphHistory.all)
  func encodesRecords(_ history: GraphHistory) throws {
    for record in history.records {
      #expect(try Record(decoding: record.encoded()) == record)
    }
  }

  @Test("The file has all the histories, and a named one for each clause")
  func countsHistories() {
    #expect(GraphHistory.named.count >= 63)
    #expect(GraphHistory.random.count >= 340)
    let names = Set(GraphHistory.named.map(\.name))
    for clause in GraphClause.all { #expect(names.contains(clause.history), "\(clause.text)") }
  }
}
