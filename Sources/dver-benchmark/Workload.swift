/// The measurements, in the order they are made.
enum Workload: String, CaseIterable {
  case save
  case saveAmongMany = "save-among-many"
  case thousandth
  case start
  case history
  case longHistory = "long-history"
  case merge
  case tree
  case large
  case memory
  case scale
  case peersTree = "peers-tree"
  case peersMixed = "peers-mixed"
  case peersPhotos = "peers-photos"

  enum Outcome {
    case table(ResultTable)
    /// A table of another form, as Markdown.
    case text(String)
    case skipped(String)
  }

  var title: String {
    switch self {
    case .save: "A durable save of a changed 20 KB document, alone in its store"
    case .saveAmongMany: "A durable save of a changed 20 KB document, in a store of 10,000 documents"
    case .thousandth: "A durable save of a document that has a thousand versions"
    case .start: "The start of the program"
    case .merge: "A merge of three files"
    case .history: "992 revisions of a text of up to 80 KB, saved one after the other"
    case .longHistory: "1,200 revisions of a text of up to 208 KB, saved one after the other"
    case .tree: "A folder of 20,000 small documents"
    case .large: "A file of 100 MB"
    case .memory: "Memory"
    case .scale: "Everyday commands as the store grows"
    case .peersTree: "A folder of 20,000 small documents, other programs"
    case .peersMixed: "A folder of 400 MB, texts and what can't be compressed, other programs"
    case .peersPhotos: "A folder of 200 MB that can't be compressed, other programs"
    }
  }

  func run(in context: BenchmarkContext) throws(BenchmarkError) -> Outcome {
    switch self {
    case .save: .table(try SaveWorkload(otherDocuments: 0).run(in: context))
    case .saveAmongMany: .table(try SaveWorkload(otherDocuments: 9999).run(in: context))
    case .thousandth: .table(try ThousandthWorkload().run(in: context))
    case .start: .table(try StartWorkload().run(in: context))
    case .merge: .table(try MergeWorkload().run(in: context))
    case .history: try HistoryWorkload(archiveName: "awesome-readme.tar.xz").run(in: context)
    case .longHistory: try HistoryWorkload(archiveName: "awesome-selfhosted.tar.xz").run(in: context)
    case .tree: .table(try TreeWorkload().run(in: context))
    case .large: .table(try LargeFileWorkload().run(in: context))
    case .memory: try MemoryWorkload().run(in: context)
    case .scale: .text(try ScaleWorkload().run(in: context))
    case .peersTree: .text(try PeerWorkload(documents: .smallTexts).run(in: context))
    case .peersMixed: .text(try PeerWorkload(documents: .mixed).run(in: context))
    case .peersPhotos: .text(try PeerWorkload(documents: .photos).run(in: context))
    }
  }
}
