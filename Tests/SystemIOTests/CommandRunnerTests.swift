import SystemIO
import TestSupport
import Testing

@Suite("The command runner") struct CommandRunnerTests {
  @Test("finds the program that was built with the tests")
  func program() throws {
    #expect(try FileStatus.of(CommandRunner().program, followingLinks: true).kind == .file)
  }

  @Test("runs it with text and bytes, environment, folder and input")
  func run() throws {
    let folder = try TemporaryDirectory()
    var runner = try CommandRunner(program: FilePath("/bin/sh"), folder: folder.path)
    runner.environment["WORD"] = "héllo"
    let result = try runner.run("-c", "pwd; printf \"$WORD \"; cat; printf e >&2; exit 3", input: "in")
    #expect(result.outputText == "\(folder.path)\nhéllo in")
    #expect(result.errorText == "e")
    #expect(result.status == 3)
    #expect(try runner.run([Array("-c".utf8), Array("env".utf8)]).outputText.contains("TZ=UTC\n"))
    #expect(!(try runner.run("-c", "env").outputText.contains("SWIFT")))
  }

  @Test("kills what runs too long")
  func timeout() throws {
    var runner = try CommandRunner(program: FilePath("/bin/sh"))
    runner.timeoutMilliseconds = 50
    #expect(try runner.run("-c", "exec tail -f /dev/null").isTimedOut)
  }
}

@Suite("A temporary folder") struct TemporaryDirectoryTests {
  @Test("is its own and goes with the object")
  func lifetime() throws {
    let path: FilePath
    do {
      let first = try TemporaryDirectory()
      let second = try TemporaryDirectory()
      #expect(first.path != second.path)
      try first.write([1], to: "f")
      #expect(try first.names() == [[0x66]])
      path = first.path
    }
    #expect(throws: SystemError.self) { _ = try FileStatus.of(path) }
  }
}
