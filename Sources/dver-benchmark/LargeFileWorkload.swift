/// A file of 100 MB that deflate can't make shorter, into which 100 bytes are inserted.
struct LargeFileWorkload {
  private static let document = "film.bin"
  private static let byteCount = 100_000_000

  func run(in context: BenchmarkContext) throws(BenchmarkError) -> ResultTable {
    let folder = try context.folder.folder("large")
    defer { folder.remove() }
    let dver = try context.dver.repository(in: folder)
    let git = try context.git.map { git throws(BenchmarkError) in (git, try git.repository(in: folder)) }
    var noise = SampleText(byteCount: 0, seed: 4)
    var bytes = noise.noise(byteCount: Self.byteCount)
    var table = ResultTable()
    let first = try save(bytes, dver, git, context)
    table.add("first save", dver: [first.dver], git: first.git.map { [$0] } ?? [])

    var dverRuns: [ProcessRun] = []
    var gitRuns: [ProcessRun] = []
    let before = try sizes(dver, git)
    let rounds = min(context.rounds, 5)
    for round in 1...rounds {
      bytes.insert(contentsOf: noise.noise(byteCount: 100), at: Self.byteCount / (rounds + 1) * round)
      let run = try save(bytes, dver, git, context)
      dverRuns.append(run.dver)
      if let git = run.git { gitRuns.append(git) }
    }
    let after = try sizes(dver, git)
    table.add("save with 100 bytes inserted", dver: dverRuns, git: gitRuns)
    table.add(
      "growth of the store at each", dver: (after.dver - before.dver) / Int64(rounds),
      git: after.git.flatMap { after in before.git.map { (after - $0) / Int64(rounds) } }, .bytes)
    let back = try context.dver.run(in: dver, ["cat", Self.document], capturesOutput: true)
    guard back.output == bytes else { throw .mismatch("the newest version of \(Self.document)") }
    table.add("cat", dver: [back], git: [])
    return table
  }

  private func save(
    _ bytes: [UInt8], _ dver: ScratchFolder, _ git: (Git, ScratchFolder)?, _ context: BenchmarkContext
  ) throws(BenchmarkError) -> (dver: ProcessRun, git: ProcessRun?) {
    try dver.write(bytes, to: Self.document)
    let run = try context.dver.save(Self.document, in: dver)
    guard let (program, repository) = git else { return (run, nil) }
    try repository.write(bytes, to: Self.document)
    return (run, try program.save(Self.document, in: repository))
  }

  private func sizes(
    _ dver: ScratchFolder, _ git: (Git, ScratchFolder)?
  ) throws(BenchmarkError) -> (dver: Int64, git: Int64?) {
    let size = try dver.byteCount(below: ".dver", in: ["packs", "active"])
    guard let (_, repository) = git else { return (size, nil) }
    return (size, try repository.byteCount(below: ".git", in: ["objects"]))
  }
}
