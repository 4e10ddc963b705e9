/// Durable saves of a document that has few versions, and of the same once it has a thousand, dver and git in turn.
struct ThousandthWorkload {
  private static let document = "document.md"
  private static let byteCounts = [178_000, 1_300_000]
  private static let versionCount = 1000
  /// Which saves are measured; every 32nd and 64th takes more, so there are as many of those in both.
  private static let early = 5..<37
  private static let late = 968..<1000

  func run(in context: BenchmarkContext) throws(BenchmarkError) -> ResultTable {
    var table = ResultTable()
    for byteCount in Self.byteCounts { try measure(byteCount, context, &table) }
    table.notes.append("The 5th to 36th save of one changed line, and the 968th to 999th; git as for one save.")
    return table
  }

  private func measure(
    _ byteCount: Int, _ context: BenchmarkContext, _ table: inout ResultTable
  ) throws(BenchmarkError) {
    let folder = try context.folder.folder("thousandth-\(byteCount)")
    defer { folder.remove() }
    let dver = try context.dver.repository(in: folder)
    let git = try context.git.map { git throws(BenchmarkError) in (git, try git.repository(in: folder)) }
    var text = SampleText(byteCount: byteCount, seed: 1)
    var runs: [(dver: ProcessRun, git: ProcessRun?)] = []
    for _ in 0..<Self.versionCount {
      text.edit()
      try dver.write(text.bytes, to: Self.document)
      let run = try context.dver.save(Self.document, in: dver)
      guard let (git, repository) = git else {
        runs.append((run, nil))
        continue
      }
      try repository.write(text.bytes, to: Self.document)
      runs.append((run, try git.save(Self.document, in: repository)))
    }
    let back = try context.dver.run(in: dver, ["cat", Self.document], capturesOutput: true).output
    guard back == text.bytes else { throw .mismatch("the newest version of \(Self.document)") }
    for (name, span) in [("10th", Self.early), ("1,000th", Self.late)] {
      let measured = runs[span]
      table.add(
        "\(byteCount / 1000) KB, about the \(name)", dver: measured.map(\.dver), git: measured.compactMap(\.git))
    }
  }
}
