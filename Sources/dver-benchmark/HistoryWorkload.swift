import Hashing

/// A real text history saved one revision after the other: what it takes, what it weighs, and whether it comes back.
struct HistoryWorkload {
  private static let document = "readme.md"

  /// The name of the archive that holds the revisions.
  let archiveName: String

  func run(in context: BenchmarkContext) throws(BenchmarkError) -> Workload.Outcome {
    let archive = "\(context.histories)/\(archiveName)"
    guard ScratchFolder.exists(archive) else { return .skipped("\(archive) is not there") }
    let folder = try context.folder.folder("history")
    defer { folder.remove() }
    let source = try folder.folder("revisions")
    do throws(BenchmarkError) {
      _ = try ProcessRun.of(["tar", "-xJf", archive, "-C", source.argument])
    } catch .missing {
      return .skipped("tar is not there")
    }
    let revisions = try distinct(source)
    guard revisions.count >= 3 else { return .skipped("\(archive) holds no history") }

    var table = ResultTable()
    let dver = try context.dver.repository(in: folder)
    let git = try context.git.map { git throws(BenchmarkError) in (git, try git.repository(in: folder)) }
    try save(revisions, from: source, dver, git, context, &table)
    try weigh(dver, git, &table)
    try readAll(revisions, dver, git, context, &table)
    try look(dver, git, context, &table)
    try importAtOnce(revisions, from: source, in: folder, context, &table)
    return .table(table)
  }

  private struct Revision {
    let name: String
    let content: ObjectID
  }

  /// The revisions that differ from the one before, oldest first.
  private func distinct(_ source: ScratchFolder) throws(BenchmarkError) -> [Revision] {
    var revisions: [Revision] = []
    for name in try source.names(withSuffix: ".txt") {
      let content = SHA256.hash(try source.read(name))
      if revisions.last?.content != content { revisions.append(Revision(name: name, content: content)) }
    }
    return revisions
  }

  private func save(
    _ revisions: [Revision], from source: ScratchFolder, _ dver: ScratchFolder, _ git: (Git, ScratchFolder)?,
    _ context: BenchmarkContext, _ table: inout ResultTable
  ) throws(BenchmarkError) {
    var dverRuns: [ProcessRun] = []
    var gitRuns: [ProcessRun] = []
    var byteCount = 0
    for revision in revisions {
      let bytes = try source.read(revision.name)
      byteCount += bytes.count
      try dver.write(bytes, to: Self.document)
      dverRuns.append(try context.dver.save(Self.document, in: dver))
      if let (git, repository) = git {
        try repository.write(bytes, to: Self.document)
        gitRuns.append(try git.save(Self.document, in: repository))
      }
    }
    table.notes.append("\(revisions.count) revisions, \(byteCount) bytes in all, from \(archiveName).")
    table.add("save of a revision", dver: dverRuns, git: gitRuns)
  }

  /// The same revisions by one process, with what makes git's store small afterwards.
  private func importAtOnce(
    _ revisions: [Revision], from source: ScratchFolder, in folder: ScratchFolder, _ context: BenchmarkContext,
    _ table: inout ResultTable
  ) throws(BenchmarkError) {
    let place = try folder.folder("at-once")
    defer { place.remove() }
    let dver = try context.dver.repository(in: place)
    let run = try context.dver.run(in: dver, ["import-history", "-q", source.argument, Self.document])
    var gitRuns: [ProcessRun] = []
    if let git = context.git {
      let repository = try git.repository(in: place)
      var stream: [UInt8] = []
      for revision in revisions {
        let bytes = try source.read(revision.name)
        let head =
          "commit refs/heads/main\ncommitter b <b@localhost> 1 +0000\ndata 1\nx\nM 644 inline \(Self.document)\n"
        stream += Array("\(head)data \(bytes.count)\n".utf8) + bytes + [10]
      }
      try place.write(stream, to: "stream")
      let command = "git -C \(repository.argument) fast-import --quiet < \(place.argument)/stream"
      let imported = try ProcessRun.of(["sh", "-c", command])
      gitRuns.append(imported + (try git.run(in: repository, ["gc", "-q"])))
    }
    table.add("all revisions by one process (git: fast-import and gc)", dver: [run], git: gitRuns)
    let count = try context.dver.versions(of: Self.document, in: dver).count
    guard count == revisions.count else { throw .mismatch("\(count) versions of \(revisions.count) revisions") }
  }

  private func weigh(
    _ dver: ScratchFolder, _ git: (Git, ScratchFolder)?, _ table: inout ResultTable
  ) throws(BenchmarkError) {
    let packs = try dver.byteCount(below: ".dver", in: ["packs", "active"])
    let everything = try dver.byteCount(below: ".dver")
    guard let (git, repository) = git else {
      table.add("packs, as saved", dver: packs, git: nil, .bytes)
      table.add("everything below .dver", dver: everything, git: nil, .bytes)
      return
    }
    let loose = try repository.byteCount(below: ".git", in: ["objects"])
    let looseEverything = try repository.byteCount(below: ".git")
    try git.run(in: repository, ["gc", "-q"])
    table.add("packs (git: objects), as saved", dver: packs, git: loose, .bytes)
    table.add(
      "packs as saved, git's objects after `git gc`", dver: packs,
      git: try repository.byteCount(below: ".git", in: ["objects"]), .bytes
    )
    table.add("everything below .dver (.git), as saved", dver: everything, git: looseEverything, .bytes)
    table.add(
      "everything as saved, git's after `git gc`", dver: everything, git: try repository.byteCount(below: ".git"),
      .bytes)
  }

  private func look(
    _ dver: ScratchFolder, _ git: (Git, ScratchFolder)?, _ context: BenchmarkContext, _ table: inout ResultTable
  ) throws(BenchmarkError) {
    var dverRuns: [ProcessRun] = []
    var gitRuns: [ProcessRun] = []
    for _ in 0..<context.rounds {
      dverRuns.append(try context.dver.run(in: dver, ["log", Self.document]))
      if let (git, repository) = git {
        gitRuns.append(try git.run(in: repository, ["log", "--format=%h %ad %s", "--", Self.document]))
      }
    }
    table.add("log", dver: dverRuns, git: gitRuns)
    let check = try context.dver.run(in: dver, ["verify", "-q"])
    let gitCheck = try git.map { git, repository throws(BenchmarkError) in
      try git.run(in: repository, ["fsck", "--full"])
    }
    table.add("verify (git: fsck)", dver: [check], git: gitCheck.map { [$0] } ?? [])
  }

  /// Reads three versions repeatedly, a new process each, then every version once, and compares all with the source.
  private func readAll(
    _ revisions: [Revision], _ dver: ScratchFolder, _ git: (Git, ScratchFolder)?, _ context: BenchmarkContext,
    _ table: inout ResultTable
  ) throws(BenchmarkError) {
    let versions = Array(try context.dver.versions(of: Self.document, in: dver).reversed())
    guard versions.count == revisions.count else {
      throw .mismatch("\(versions.count) versions of \(revisions.count) revisions")
    }
    let commits = try git.map { git, repository throws(BenchmarkError) in try git.commits(in: repository) } ?? []
    let last = revisions.count - 1
    for (label, place) in [("oldest", 0), ("middle", last / 2), ("newest", last)] {
      var dverRuns: [ProcessRun] = []
      var gitRuns: [ProcessRun] = []
      for _ in 0..<context.rounds {
        dverRuns.append(try context.dver.run(in: dver, ["cat", "\(Self.document)@\(versions[place])"]))
        if let (git, repository) = git, commits.indices.contains(last - place) {
          let name = "\(commits[last - place]):\(Self.document)"
          gitRuns.append(try git.run(in: repository, ["cat-file", "blob", name]))
        }
      }
      table.add("cat of the \(label)", dver: dverRuns, git: gitRuns)
    }
    for (version, revision) in zip(versions, revisions) {
      let name = "\(Self.document)@\(version)"
      let back = try context.dver.run(in: dver, ["cat", name], capturesOutput: true).output
      guard SHA256.hash(back) == revision.content else { throw .mismatch("\(name), revision \(revision.name)") }
    }
    table.notes.append("All \(versions.count) versions were read back and have the SHA-256 of their revision.")
    if git != nil { table.notes.append("git is read after `git gc`, with `git cat-file blob`.") }
  }
}
