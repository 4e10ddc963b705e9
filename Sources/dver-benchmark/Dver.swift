import SystemIO

/// The program that is measured.
struct Dver {
  let program: String

  /// What `--version` says.
  func version() throws(BenchmarkError) -> String {
    let output = try ProcessRun.of([program, "--version"], capturesOutput: true).output
    return String(decoding: output.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// The program's path from the root, for commands that run in another folder.
  func absoluteProgram() throws(BenchmarkError) -> String {
    guard program.contains("/") else { return program }
    do throws(SystemError) {
      return String(decoding: try FileSystem.resolve(FilePath(program)).bytes, as: UTF8.self)
    } catch {
      throw .system(error)
    }
  }

  /// Runs a command in a repository's folder.
  @discardableResult
  func run(
    in folder: ScratchFolder, _ words: [String], capturesOutput: Bool = false
  ) throws(BenchmarkError) -> ProcessRun {
    try ProcessRun.of([program, "-C", folder.argument] + words, capturesOutput: capturesOutput)
  }

  /// Makes a repository below a folder.
  func repository(in folder: ScratchFolder) throws(BenchmarkError) -> ScratchFolder {
    let repository = try folder.folder("dver")
    try run(in: repository, ["init", "-q", "--device", "benchmark"])
    return repository
  }

  /// One durable save of a document.
  func save(_ document: String, in repository: ScratchFolder) throws(BenchmarkError) -> ProcessRun {
    try run(in: repository, ["save", "-q", "-m", "x", document])
  }

  /// The ids of a document's versions, newest first.
  func versions(of document: String, in repository: ScratchFolder) throws(BenchmarkError) -> [String] {
    let key = Array("\"version\":\"".utf8)
    let output = try run(in: repository, ["--json", "log", document], capturesOutput: true).output
    return output.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let place = line.firstRange(of: key) else { return nil }
      return String(decoding: line[place.upperBound...].prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    }
  }
}
