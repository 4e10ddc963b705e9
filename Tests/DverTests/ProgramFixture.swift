import SystemIO
import TestSupport
import Testing

/// A fresh folder, and the built program run in it.
final class ProgramFixture {
  let directory: TemporaryDirectory
  var runner: CommandRunner

  init() throws {
    directory = try TemporaryDirectory()
    runner = try CommandRunner(folder: FileSystem.resolve(directory.path))
    runner.environment["DVER_DEVICE_NAME"] = "laptop"
  }

  static func initialized() throws -> ProgramFixture {
    let fixture = try ProgramFixture()
    let result = try fixture.runner.run("init")
    try #require(result.status == 0, "\(result.errorText)")
    return fixture
  }

  func run(_ words: String..., input: String = "") throws -> ProcessResult {
    try runner.run(words.map { Array($0.utf8) }, input: Array(input.utf8))
  }

  /// Runs a line of a shell, in which `dver` is the built program.
  func shell(_ line: String) throws -> ProcessResult {
    let environment = ["PATH=\(runner.program.parent.description):/usr/local/bin:/usr/bin:/bin"]
    return try ChildProcess.run(
      program: FilePath("/bin/sh"), arguments: ["-c", line].map { Array($0.utf8) },
      environment: environment.map { Array($0.utf8) }, folder: runner.folder, timeoutMilliseconds: 60_000)
  }
}
