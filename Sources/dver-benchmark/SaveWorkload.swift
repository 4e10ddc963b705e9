/// One durable save of a changed document, dver and git in turn.
struct SaveWorkload {
  private static let document = "document.md"
  /// Saves before the measured ones, so that both programs and the disk are past their first time.
  private static let warmUpRounds = 2

  /// How many documents there are besides the one that changes, each of about 1 KB.
  let otherDocuments: Int

  func run(in context: BenchmarkContext) throws(BenchmarkError) -> ResultTable {
    let folder = try context.folder.folder("save-\(otherDocuments)")
    defer { folder.remove() }
    var text = SampleText(byteCount: 20_000, seed: 1)
    let dver = try context.dver.repository(in: folder)
    let git = try context.git.map { git throws(BenchmarkError) in (git, try git.repository(in: folder)) }
    try fill(dver, text)
    try context.dver.run(in: dver, ["save", "-q", "-m", "all"])
    if let (git, repository) = git {
      try fill(repository, text)
      try git.run(in: repository, ["add", "-A"])
      try git.run(in: repository, ["commit", "-q", "-m", "all"])
    }

    var dverRuns: [ProcessRun] = []
    var gitRuns: [ProcessRun] = []
    for round in 0..<(context.rounds + Self.warmUpRounds) {
      text.edit()
      let isMeasured = round >= Self.warmUpRounds
      // Who comes first changes with each round: the second finds the disk as the first left it.
      for isDver in round.isMultiple(of: 2) ? [true, false] : [false, true] {
        if isDver {
          try dver.write(text.bytes, to: Self.document)
          let run = try context.dver.save(Self.document, in: dver)
          if isMeasured { dverRuns.append(run) }
        } else if let (git, repository) = git {
          try repository.write(text.bytes, to: Self.document)
          let run = try git.save(Self.document, in: repository)
          if isMeasured { gitRuns.append(run) }
        }
      }
    }
    try check(context.dver, dver, rounds: context.rounds, newest: text.bytes)
    var table = ResultTable()
    table.add("save", dver: dverRuns, git: gitRuns)
    if git != nil {
      table.notes.append("git: `git add` and `git commit` together, core.fsync=all, no automatic maintenance.")
    }
    return table
  }

  private func fill(_ repository: ScratchFolder, _ text: SampleText) throws(BenchmarkError) {
    try repository.write(text.bytes, to: Self.document)
    for number in 0..<otherDocuments {
      if number.isMultiple(of: 100) { _ = try repository.folder("folder-\(number / 100)") }
      let other = SampleText(byteCount: 1000, seed: UInt64(number) + 2)
      try repository.write(other.bytes, to: "folder-\(number / 100)/document-\(number).md")
    }
  }

  /// A save that saved nothing would be fast.
  private func check(
    _ program: Dver, _ repository: ScratchFolder, rounds: Int, newest: [UInt8]
  ) throws(BenchmarkError) {
    let count = try program.versions(of: Self.document, in: repository).count
    guard count == rounds + Self.warmUpRounds + 1 else { throw .mismatch("\(count) versions of \(Self.document)") }
    let back = try program.run(in: repository, ["cat", Self.document], capturesOutput: true).output
    guard back == newest else { throw .mismatch("the newest version of \(Self.document)") }
  }
}
