/// The program that dver is measured against.
///
/// Set up so that both do the same: everything is synchronized (`core.fsync=all`), nothing runs in the background.
struct Git {
  let version: String

  /// The git in PATH, or `nil`.
  static func find() -> Git? {
    guard let output = try? ProcessRun.of(["git", "--version"], capturesOutput: true).output else { return nil }
    return Git(version: String(decoding: output.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }

  @discardableResult
  func run(
    in folder: ScratchFolder, _ words: [String], capturesOutput: Bool = false
  ) throws(BenchmarkError) -> ProcessRun {
    try ProcessRun.of(["git", "-C", folder.argument] + words, capturesOutput: capturesOutput)
  }

  /// Makes a repository below a folder.
  func repository(in folder: ScratchFolder) throws(BenchmarkError) -> ScratchFolder {
    let repository = try folder.folder("git")
    try run(in: repository, ["init", "-q"])
    let settings = [
      ("user.name", "benchmark"), ("user.email", "benchmark@localhost"), ("core.fsync", "all"),
      ("gc.auto", "0"), ("maintenance.auto", "false"),
    ]
    for (key, value) in settings { try run(in: repository, ["config", key, value]) }
    return repository
  }

  /// One durable save of a document: two commands, as a person would give them.
  func save(_ document: String, in repository: ScratchFolder) throws(BenchmarkError) -> ProcessRun {
    try run(in: repository, ["add", document]) + run(in: repository, ["commit", "-q", "-m", "x"])
  }

  /// The ids of all commits, newest first.
  func commits(in repository: ScratchFolder) throws(BenchmarkError) -> [String] {
    let output = try run(in: repository, ["rev-list", "HEAD"], capturesOutput: true).output
    return output.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }
}
