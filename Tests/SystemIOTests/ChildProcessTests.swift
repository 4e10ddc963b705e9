import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("A child process") struct ChildProcessTests {
  private func shell(
    _ script: String, environment: [[UInt8]]? = nil, folder: FilePath? = nil, input: [UInt8] = [],
    timeoutMilliseconds: Int? = 60_000
  ) throws(SystemError) -> ProcessResult {
    try ChildProcess.run(
      program: FilePath("/bin/sh"), arguments: [Array("-c".utf8), Array(script.utf8)], environment: environment,
      folder: folder, input: input, timeoutMilliseconds: timeoutMilliseconds)
  }

  @Test("gives status, output and errors apart")
  func result() throws {
    let result = try shell("printf out; printf err >&2; exit 7")
    #expect(result == ProcessResult(status: 7, signal: nil, output: Array("out".utf8), errors: Array("err".utf8)))
  }

  @Test("takes and gives more than a pipe holds, on all streams at once")
  func largeStreams() throws {
    let input = [UInt8](repeating: 0x61, count: 1_000_000)
    let result = try shell("tee /dev/stderr", input: input)
    #expect(result.status == 0)
    #expect(result.output == input)
    #expect(result.errors == input)
  }

  @Test("may ignore its input")
  func ignoredInput() throws {
    let result = try shell("exec <&-; printf done", input: [UInt8](repeating: 0, count: 1_000_000))
    #expect(result.output == Array("done".utf8))
    let child = try ChildProcess.spawn(program: FilePath("true"), input: .pipe)
    try child.wait()
    #expect(errorCode { () throws(SystemError) in try child.write([1]) } == EPIPE)
    child.closeInput()
    #expect(errorCode { () throws(SystemError) in try child.write([1]) } == EBADF)
  }

  @Test("is ended by a signal like any other end")
  func signals() throws {
    let result = try shell("kill -TERM $$")
    #expect(result.status == 128 + SIGTERM && result.signal == SIGTERM)
    let child = try ChildProcess.spawn(program: FilePath("cat"), input: .pipe, output: .null)
    #expect(Machine.isProcessAlive(child.processID))
    #expect(try child.endIfAny() == nil)
    child.kill()
    let end = try child.wait()
    #expect(end.status == 128 + SIGKILL && end.signal == SIGKILL)
    #expect(try child.wait().signal == SIGKILL)
    #expect(try child.endIfAny()?.signal == SIGKILL)
    #expect(!Machine.isProcessAlive(child.processID))
    child.kill()
  }

  @Test("is killed after its time, and what it wrote is kept")
  func timeout() throws {
    let result = try shell("printf early; exec cat /dev/zero >&2 | cat", timeoutMilliseconds: 0)
    #expect(result.isTimedOut && result.signal == SIGKILL)
    let child = try shell("printf early; exec tail -f /dev/null", timeoutMilliseconds: 300)
    #expect(child.isTimedOut && child.signal == SIGKILL)
    #expect(child.output == Array("early".utf8))
  }

  @Test("gets arguments, environment and folder byte for byte", arguments: Name.hostile)
  func bytes(_ name: Name) throws {
    let arguments = [Array("%s".utf8), name.bytes]
    #expect(try ChildProcess.run(program: FilePath("/usr/bin/printf"), arguments: arguments).output == name.bytes)
    let variable = try shell("printf %s \"$NAME\"", environment: [Array("NAME=".utf8) + name.bytes])
    #expect(variable.output == name.bytes)
    let folder = try TemporaryDirectory()
    try FileSystem.makeFolder(at: folder.appending(name.bytes))
    let place = try shell("pwd; printf x", folder: folder.appending(name.bytes))
    #expect(place.output == folder.appending(name.bytes).bytes + Array("\nx".utf8))
  }

  @Test("has only the environment that it is given, or this process's own")
  func environment() throws {
    #expect(try ChildProcess.run(program: FilePath("/usr/bin/env"), environment: []).output == [])
    let two = [Array("A=1".utf8), Array("B=2".utf8)]
    #expect(
      try ChildProcess.run(program: FilePath("/usr/bin/env"), environment: two).output == Array("A=1\nB=2\n".utf8))
    let inherited = try shell("printf %s \"$PATH\"")
    #expect(inherited.output == Environment.value("PATH"))
  }

  @Test("ends on a closed pipe as programs do")
  func closedPipe() throws {
    let result = try shell("yes | head -n 1; kill -PIPE $$; printf alive")
    #expect(result.output == Array("y\n".utf8))
    #expect(result.signal == SIGPIPE)
  }

  @Test(
    "that cannot be started is an error",
    arguments: [
      ("/nonexistent/program", ENOENT), ("no-such-program-in-the-path", ENOENT), ("/etc/passwd", EACCES), ("/", EACCES),
    ])
  func failures(program: String, code: Int32) {
    let got = errorCode { () throws(SystemError) in _ = try ChildProcess.run(program: FilePath(program)) }
    #expect(got == code)
  }

  @Test("is not started with a zero byte in its arguments or in no folder")
  func refusals() {
    let zero = errorCode { () throws(SystemError) in
      _ = try ChildProcess.run(program: FilePath("true"), arguments: [[0x61, 0, 0x62]])
    }
    #expect(zero == EINVAL)
    let folder = errorCode { () throws(SystemError) in
      _ = try ChildProcess.run(program: FilePath("true"), folder: FilePath("/nonexistent"))
    }
    #expect(folder == ENOENT)
  }

  @Test("talks in turns")
  func conversation() throws {
    let child = try ChildProcess.spawn(program: FilePath("cat"), input: .pipe, output: .pipe)
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 1)
    defer { piece.deallocate() }
    for number in 0..<10 {
      try child.write([UInt8(number), 10])
      #expect(try child.read(into: piece) == 2)
      #expect(piece[0] == UInt8(number))
    }
    child.closeInput()
    #expect(try child.read(into: piece) == 0)
    #expect(try child.wait().status == 0)
  }
}
