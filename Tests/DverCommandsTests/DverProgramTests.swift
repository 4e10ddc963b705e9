import ArgumentParsing
import Testing

@testable import DverCommands

@Suite("The program") struct DverProgramTests {
  private let fake = FakeSurroundings()

  @Test("prints its version")
  func version() {
    #expect(fake.run("--version") == 0)
    #expect(fake.run("--json", "--vers") == 0)
    #expect(fake.run("completion", "--version") == 0)
    #expect(fake.outputText == "dver 0.1.0\n{\"program\":\"dver\",\"version\":\"0.1.0\"}\ndver 0.1.0\n")
    #expect(fake.errorText.isEmpty)
  }

  @Test("shows help in every way of asking", arguments: [["help"], ["--help"], ["--he"], ["-q", "--help"]])
  func overview(words: [String]) {
    #expect(fake.run(words.map { Array($0.utf8) }) == 0)
    #expect(fake.outputText.hasPrefix("Usage: dver [OPTION]... COMMAND"))
    for usage in CommandTable.usages { #expect(fake.outputText.contains("  \(usage.name) ")) }
  }

  @Test(
    "shows a command's page in every way of asking",
    arguments: [["help", "completion"], ["completion", "--help"], ["--help", "completion", "x", "y"]])
  func commandPage(words: [String]) {
    #expect(fake.run(words.map { Array($0.utf8) }) == 0)
    #expect(fake.outputText.hasPrefix("Usage: dver completion SHELL\n"))
  }

  @Test("gives help as JSON Lines")
  func jsonHelp() {
    #expect(fake.run("help", "help", "--json") == 0)
    #expect(
      fake.outputText
        == "{\"command\":\"help\",\"usage\":\"dver help [COMMAND...]\",\"abstract\":\"Show the commands, or how one is used\"}\n"
    )
  }

  @Test(
    "refuses a wrong command line in one line that names what is wrong and the usage",
    arguments: [
      ([], "dver: no command is given: usage: dver COMMAND [ARGUMENT]..., see dver help"),
      (
        ["hepl"],
        "dver: unknown command \"hepl\", did you mean help?: usage: dver COMMAND [ARGUMENT]..., see dver help"
      ),
      (["completion"], "dver: completion: operand SHELL is missing: usage: dver completion SHELL"),
      (
        ["completion", "ksh"],
        "dver: completion: operand SHELL: \"ksh\" is not one of bash, zsh, fish: usage: dver completion SHELL"
      ),
      (
        ["help", "--jsom"],
        "dver: help: unknown option \"--jsom\", did you mean --json?: usage: dver help [COMMAND...]"
      ),
      (
        ["help", "--color", "x"],
        "dver: help: option --color: \"x\" is not one of auto, always, never: usage: dver help [COMMAND...]"
      ),
      (["help", "nothing"], "dver: help: unknown command \"nothing\": usage: dver help [COMMAND...]"),
    ] as [([String], String)])
  func usageErrors(words: [String], line: String) {
    #expect(fake.run(words.map { Array($0.utf8) }) == 2)
    #expect(fake.errorText == line + "\n")
    #expect(fake.outputText.isEmpty)
  }

  @Test("gives errors as JSON where that is asked for, however wrong the rest is")
  func jsonErrors() {
    #expect(fake.run("--nonsense", "--js", "help") == 2)
    #expect(fake.errorText.hasPrefix("{\"error\":{\"code\":\"usage\",\"message\":\"unknown option \\\"--nonsense\\\""))
    #expect(fake.errorText.hasSuffix("}}\n"))
    #expect(fake.run("hepl", "--", "--json") == 2)
    #expect(fake.errorText.contains("\ndver: unknown command"))
  }

  @Test("lets nothing of the command line reach the terminal raw")
  func hostileArguments() {
    #expect(fake.run([[0x1b, 0x5b, 0x33, 0x31, 0x6d, 0xff, 0x0a, 0xc2, 0x9b]]) == 2)
    #expect(fake.errorText.contains(#"unknown command "\x1b[31m\xff\n\xc2\x9b": "#))
    #expect(fake.errorText.filter { $0 == "\n" }.count == 1)
  }

  @Test("reports output that can't be written, and a reader that left not")
  func failingOutput() {
    fake.outputErrorCode = 28
    #expect(fake.run("help") == 4)
    #expect(fake.errorText == "dver: writing to standard output: No space left on device: free some space\n")
    fake.outputErrorCode = 32
    #expect(fake.run("help") == 0)
    fake.outputErrorCode = 5
    #expect(fake.run("help") == 4)
  }

  @Test("prints a script for each shell", arguments: ["bash", "zsh", "fish"])
  func completion(shell: String) {
    #expect(fake.run("completion", shell) == 0)
    #expect(fake.outputText.contains("dver"))
    #expect(fake.outputText.contains("completion"))
  }

  @Test("has commands with different names and help that fits")
  func table() {
    let names = CommandTable.usages.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names == CommandTable.names)
    for usage in CommandTable.usages {
      #expect(usage.abstract.utf8.count <= 58)
      #expect(usage.operands.dropLast().allSatisfy { !$0.repeats })
    }
  }
}
