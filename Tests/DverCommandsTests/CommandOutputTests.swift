import SystemIO
import Testing

@testable import DverCommands

@Suite("Command output") struct CommandOutputTests {
  private let fake = FakeSurroundings()

  private func output(isJSON: Bool = false, isQuiet: Bool = false) -> CommandOutput {
    CommandOutput(
      isJSON: isJSON, isQuiet: isQuiet, color: Color(.never, noColor: nil, isTerminal: false),
      surroundings: fake.surroundings)
  }

  @Test("collects lines and writes them in one call")
  func buffering() {
    let output = output()
    for number in 0..<100 { output.write(line: "\(number)") }
    #expect(fake.writeCount == 0)
    output.flush()
    output.flush()
    #expect(fake.writeCount == 1)
    #expect(fake.outputText.hasPrefix("0\n1\n"))
    #expect(fake.outputText.hasSuffix("\n99\n"))
  }

  @Test("holds back no more than its buffer")
  func largeContent() {
    let output = output()
    for _ in 0..<4 { output.write(bytes: [UInt8](repeating: 0x61, count: 65_536)) }
    #expect(fake.writeCount == 4)
  }

  @Test("writes results before the remark that follows them")
  func order() {
    let output = output()
    output.write(line: "result")
    output.status("remark")
    #expect(fake.outputText == "result\n")
    #expect(fake.errorText == "remark\n")
  }

  @Test("keeps remarks back when quiet or JSON, warnings never")
  func quietness() {
    let warning = CommandFailure(.partial, "can't read", path: Array("a".utf8), advice: "check it")
    let quiet = output(isQuiet: true)
    quiet.status("remark")
    quiet.warn(warning)
    #expect(fake.errorText == "dver: warning: can't read \"a\": check it\n")
    let json = FakeSurroundings()
    let other = CommandOutput(
      isJSON: true, isQuiet: false, color: quiet.color, surroundings: json.surroundings)
    other.status("remark")
    other.warn(warning)
    #expect(
      json.errorText
        == "{\"warning\":{\"code\":\"partial\",\"message\":\"can't read \\\"a\\\": check it\",\"path\":\"a\"}}\n")
  }

  @Test("gives paths raw with a zero byte, or quoted in a line")
  func paths() {
    let output = output()
    output.write(path: [0x61, 0x0a, 0xff], isNullTerminated: true)
    output.write(path: [0x61, 0x0a, 0xff], isNullTerminated: false)
    output.flush()
    #expect(fake.output == [0x61, 0x0a, 0xff, 0] + Array("\"a\\n\\xff\"\n".utf8))
  }

  @Test("writes nothing more after a failure, and remembers it")
  func failure() {
    let output = output()
    fake.outputErrorCode = 28
    output.write(line: "lost")
    output.flush()
    #expect(output.isClosed)
    #expect(output.failure?.isNoSpace == true)
    fake.outputErrorCode = nil
    output.write(line: "more")
    output.flush()
    #expect(fake.output.isEmpty)
  }
}
