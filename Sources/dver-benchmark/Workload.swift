/// The measurements, in the order they are made.
enum Workload: String, CaseIterable {
  case save
  case saveAmongMany = "save-among-many"
  case start
  case history
  case merge

  enum Outcome {
    case table(ResultTable)
    case skipped(String)
  }

  var title: String {
    switch self {
    case .save: "A durable save of a changed 20 KB document, alone in its store"
    case .saveAmongMany: "A durable save of a changed 20 KB document, in a store of 10,000 documents"
    case .start: "The start of the program"
    case .merge: "A merge of three files"
    case .history: "A long history, saved one revision after the other"
    }
  }

  func run(in context: BenchmarkContext) throws(BenchmarkError) -> Outcome {
    switch self {
    case .save: .table(try SaveWorkload(otherDocuments: 0).run(in: context))
    case .saveAmongMany: .table(try SaveWorkload(otherDocuments: 9999).run(in: context))
    case .start: .table(try StartWorkload().run(in: context))
    case .merge: .table(try MergeWorkload().run(in: context))
    case .history: try HistoryWorkload().run(in: context)
    }
  }
}
