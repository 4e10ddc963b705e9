/// A folder of many small documents: taken in whole, looked at unchanged, checked, and cloned.
struct TreeWorkload {
  private static let fileCount = 20_000
  private static let filesInFolder = 100

  func run(in context: BenchmarkContext) throws(BenchmarkError) -> ResultTable {
    let folder = try context.folder.folder("tree")
    defer { folder.remove() }
    let source = try folder.folder("source")
    let byteCount = try fill(source)
    var table = ResultTable()
    table.notes.append("\(Self.fileCount) documents, \(byteCount) bytes in all, in folders of \(Self.filesInFolder).")

    // An import is measured a few times only: each makes a repository of its own.
    var dver: [ProcessRun] = []
    var git: [ProcessRun] = []
    for round in 0..<min(context.rounds, 5) {
      let place = try folder.folder("round-\(round)")
      let repositories = try Repositories(in: place, context)
      try repositories.copy(source)
      dver.append(try context.dver.run(in: repositories.dver, ["save", "-q", "-m", "all"]))
      if let (program, repository) = repositories.git {
        git.append(
          try program.run(in: repository, ["add", "-A"]) + program.run(in: repository, ["commit", "-q", "-m", "all"]))
      }
      if round == 0 {
        try look(repositories, context, &table)
        try writeOut(repositories, in: place, context, &table)
      }
      place.remove()
    }
    table.add("first import", dver: dver, git: git)
    return table
  }

  private struct Repositories {
    let dver: ScratchFolder
    let git: (program: Git, ScratchFolder)?

    init(in folder: ScratchFolder, _ context: BenchmarkContext) throws(BenchmarkError) {
      dver = try context.dver.repository(in: folder)
      git = try context.git.map { git throws(BenchmarkError) in
        let repository = try git.repository(in: folder)
        // As its own advice for large trees has it.
        try git.run(in: repository, ["config", "core.untrackedCache", "true"])
        try git.run(in: repository, ["config", "core.preloadIndex", "true"])
        try git.run(in: repository, ["config", "index.version", "4"])
        return (git, repository)
      }
    }

    func copy(_ source: ScratchFolder) throws(BenchmarkError) {
      for target in [dver, git?.1] {
        guard let target else { continue }
        _ = try ProcessRun.of(["cp", "-r", "--", source.argument + "/.", target.argument])
      }
    }
  }

  private func look(
    _ repositories: Repositories, _ context: BenchmarkContext, _ table: inout ResultTable
  ) throws(BenchmarkError) {
    var dver: [ProcessRun] = []
    var git: [ProcessRun] = []
    for _ in 0..<(context.rounds + 1) {
      dver.append(try context.dver.run(in: repositories.dver, ["status", "-q"]))
      if let (program, repository) = repositories.git { git.append(try program.run(in: repository, ["status", "-s"])) }
    }
    // The first one notes what the next ones go by.
    table.add("status, nothing changed", dver: Array(dver.dropFirst()), git: Array(git.dropFirst()))
    table.add(
      "size of the store", dver: try repositories.dver.byteCount(below: ".dver"), git: try gitSize(repositories), .bytes
    )
    let check = [try context.dver.run(in: repositories.dver, ["verify", "-q"])]
    let gitCheck = try repositories.git.map { git throws(BenchmarkError) in
      [try git.program.run(in: git.1, ["fsck", "--full"])]
    }
    table.add("verify (git: fsck)", dver: check, git: gitCheck ?? [])
  }

  private func gitSize(_ repositories: Repositories) throws(BenchmarkError) -> Int64? {
    guard let (_, repository) = repositories.git else { return nil }
    return try repository.byteCount(below: ".git")
  }

  /// Writes every document into a new folder, from the repository.
  private func writeOut(
    _ repositories: Repositories, in folder: ScratchFolder, _ context: BenchmarkContext, _ table: inout ResultTable
  ) throws(BenchmarkError) {
    let copy = try folder.folder("copy")
    let source = repositories.dver.argument
    let dver = try context.dver.run(in: copy, ["clone", "-q", source, copy.argument + "/dver"])
    var git: [ProcessRun] = []
    if let (program, repository) = repositories.git {
      git.append(
        try program.run(in: copy, ["clone", "-q", "--no-hardlinks", repository.argument, copy.argument + "/git"]))
    }
    table.add("clone", dver: [dver], git: git)
    let back = try copy.read("dver/folder-7/document-750.md")
    guard back == Self.content(750).bytes else { throw .mismatch("a document of the clone") }
  }

  private func fill(_ source: ScratchFolder) throws(BenchmarkError) -> Int {
    var byteCount = 0
    for number in 0..<Self.fileCount {
      let name = "folder-\(number / Self.filesInFolder)"
      if number.isMultiple(of: Self.filesInFolder) { _ = try source.folder(name) }
      let bytes = Self.content(number).bytes
      byteCount += bytes.count
      try source.write(bytes, to: "\(name)/document-\(number).md")
    }
    return byteCount
  }

  /// From 2 to 14 KB.
  private static func content(_ number: Int) -> SampleText {
    SampleText(byteCount: 2000 + number * 7919 % 12_000, seed: UInt64(number) + 1)
  }
}
