import SystemIO
import TestSupport
import Testing

@Suite("A limit on the size of files") struct FileSizeLimitTests {
  @Test("ends a save with one line that says so; what was saved stays, and the next save works")
  func save() throws {
    let fixture = try ProgramFixture.initialized()
    let dver = fixture.runner.program.description
    var generator = SeededGenerator(seed: 1)
    let content = (0..<4 << 20).map { _ in UInt8.random(in: 0...255, using: &generator) }
    try FileDescriptor.open(fixture.directory.appending("big"), .writeOnly, options: [.create]).write(content)
    let result = try fixture.shell(
      """
      echo one > small; \(dver) save -q small > /dev/null
      (ulimit -f 2048; \(dver) save big)
      """)
    // Not 128 and the number of a signal.
    #expect(result.status == 4, "\(result.status): \(result.errorText)")
    let lines = result.errorText.split(separator: "\n")
    #expect(
      lines.count == 1 && lines.allSatisfy { $0.contains("a limit on the size of files was reached") }, "\(lines)")
    let after = try fixture.shell(
      "\(dver) verify -q && \(dver) cat small && \(dver) save -q big > /dev/null && \(dver) cat big | cmp - big")
    #expect(after.status == 0 && after.outputText == "one\n", "\(after.errorText)")
  }

  @Test("is one line too where what is written goes to a file")
  func output() throws {
    let fixture = try ProgramFixture.initialized()
    let dver = fixture.runner.program.description
    let result = try fixture.shell(
      """
      head -c 3000000 /dev/zero > a; \(dver) save -q a > /dev/null
      (ulimit -f 2048; \(dver) cat a > out)
      """)
    #expect(
      result.status == 4 && result.errorText.split(separator: "\n").count == 1, "\(result.status) \(result.errorText)")
  }
}
