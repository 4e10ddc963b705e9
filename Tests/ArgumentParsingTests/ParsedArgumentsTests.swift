import ArgumentParsing
import TestSupport
import Testing

struct ParsingCase: CustomTestStringConvertible, Sendable {
  let words: [String]
  var message: String?
  var operands: [String] = []
  var flags: [String] = []
  var testDescription: String { words.joined(separator: " ") }
}

struct RefusalCase: CustomTestStringConvertible, Sendable {
  let words: [String]
  let error: UsageError
  var testDescription: String { words.joined(separator: " ") }
}

@Suite("Parsed arguments") struct ParsedArgumentsTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test(
    "follow the usage",
    arguments: [
      ParsingCase(words: ["save"]),
      ParsingCase(words: ["save", "a", "b"], operands: ["a", "b"]),
      ParsingCase(words: ["save", "-m", "why", "a"], message: "why", operands: ["a"]),
      ParsingCase(words: ["save", "a", "-m", "why"], message: "why", operands: ["a"]),
      ParsingCase(words: ["save", "-mwhy", "a"], message: "why", operands: ["a"]),
      ParsingCase(words: ["save", "--message", "why"], message: "why"),
      ParsingCase(words: ["save", "--message=why=not"], message: "why=not"),
      ParsingCase(words: ["save", "--message="], message: ""),
      ParsingCase(words: ["save", "-m", ""], message: ""),
      ParsingCase(words: ["save", "-m", "--json"], message: "--json"),
      ParsingCase(words: ["save", "-m", "--", "a"], message: "--", operands: ["a"]),
      ParsingCase(words: ["save", "-qzm", "why"], message: "why", flags: ["--quiet", "--null"]),
      ParsingCase(words: ["save", "-zqmwhy"], message: "why", flags: ["--quiet", "--null"]),
      ParsingCase(words: ["save", "--mess", "why"], message: "why"),
      ParsingCase(words: ["save", "--mess=why"], message: "why"),
      ParsingCase(words: ["save", "--j", "--allow"], flags: ["--json", "--allow-mass-delete"]),
      ParsingCase(words: ["--json", "save", "a"], operands: ["a"], flags: ["--json"]),
      ParsingCase(words: ["-q", "--", "save", "-m"], operands: ["-m"], flags: ["--quiet"]),
      ParsingCase(words: ["save", "--", "-m", "--json", "--"], operands: ["-m", "--json", "--"]),
      ParsingCase(words: ["save", "-"], operands: ["-"]),
      ParsingCase(words: ["save", ""], operands: [""]),
      ParsingCase(words: ["save", "--json", "--json"], flags: ["--json"]),
    ])
  func followUsage(_ row: ParsingCase) throws {
    let parsed = try SampleUsage.parse(row.words).arguments
    #expect(parsed.value("--message") == row.message.map(bytes))
    #expect(parsed.operands == row.operands.map(bytes))
    for flag in ["--json", "--quiet", "--null", "--allow-mass-delete"] {
      #expect(parsed.contains(flag) == row.flags.contains(flag))
    }
  }

  @Test(
    "refuse what the usage doesn't know",
    arguments: [
      RefusalCase(words: ["save", "--mesage"], error: .unknownOption(Array("--mesage".utf8), suggestion: "--message")),
      RefusalCase(words: ["save", "-quiet"], error: .unknownOption(Array("-u".utf8), suggestion: nil)),
      RefusalCase(words: ["save", "-color"], error: .unknownOption(Array("-color".utf8), suggestion: "--color")),
      RefusalCase(words: ["save", "--xyzzy"], error: .unknownOption(Array("--xyzzy".utf8), suggestion: nil)),
      RefusalCase(words: ["save", "-x"], error: .unknownOption(Array("-x".utf8), suggestion: nil)),
      RefusalCase(words: ["save", "-zx"], error: .unknownOption(Array("-x".utf8), suggestion: nil)),
      RefusalCase(words: ["save", "-m"], error: .missingValue(option: "--message", valueName: "TEXT")),
      RefusalCase(words: ["save", "--null=1"], error: .unexpectedValue(option: "--null")),
      RefusalCase(words: ["save", "-m", "a", "--message=b"], error: .repeatedOption("--message")),
      RefusalCase(words: ["-C", "a", "save", "-C", "b"], error: .repeatedOption("-C")),
      RefusalCase(words: ["mv", "a"], error: .missingOperand("NEW")),
      RefusalCase(words: ["rm"], error: .missingOperand("PATH")),
      RefusalCase(words: ["mv", "a", "b", "c"], error: .unexpectedOperand(Array("c".utf8))),
      RefusalCase(words: ["show", "a", "b"], error: .unexpectedOperand(Array("b".utf8))),
      RefusalCase(words: ["sav"], error: .unknownCommand(Array("sav".utf8), suggestion: "save")),
      RefusalCase(words: ["frobnicate"], error: .unknownCommand(Array("frobnicate".utf8), suggestion: nil)),
      RefusalCase(words: [], error: .missingCommand),
      RefusalCase(
        words: ["remote", "ad"],
        error: .unknownAction(group: "remote", action: Array("ad".utf8), actions: ["add", "list"])),
      RefusalCase(words: ["--message", "a", "save"], error: .unknownOption(Array("--message".utf8), suggestion: nil)),
    ])
  func refuse(_ row: RefusalCase) {
    #expect(throws: row.error) { try SampleUsage.parse(row.words) }
  }

  @Test("take no abbreviation that two options begin with")
  func ambiguity() throws {
    let usage = CommandUsage(
      "x", abstract: "", options: [OptionUsage("--newest", help: ""), OptionUsage("--new", help: "")])
    #expect(try ParsedArguments([bytes("--new")], usage: usage).contains("--new"))
    #expect(throws: UsageError.ambiguousOption(bytes("--ne"), candidates: ["--newest", "--new"])) {
      try ParsedArguments([bytes("--ne")], usage: usage)
    }
  }

  @Test("let a command's option hide a global one of the same name")
  func hiding() throws {
    let usage = CommandUsage("x", abstract: "", options: [OptionUsage("--json", value: "FILE", help: "")])
    let invocation = try Invocation(
      SampleUsage.bytes(["x", "--js", "f"]), commands: ["x"], globalOptions: SampleUsage.globals)
    #expect(try ParsedArguments(invocation, usage: usage).value("--json") == bytes("f"))
  }

  @Test("keep every value of an option that repeats, in order")
  func repetition() throws {
    let parsed = try SampleUsage.parse(["save", "--based-on", "a", "p", "--based-on=b"]).arguments
    #expect(parsed.values("--based-on") == [bytes("a"), bytes("b")])
    #expect(parsed.operands == [bytes("p")])
  }

  @Test("keep bytes that are no UTF-8")
  func rawBytes() throws {
    let name: [UInt8] = [0xff, 0x2d, 0x80]
    let parsed = try ParsedArguments([bytes("-m") + [0xfe], name, bytes("--stdin=") + name], usage: SampleUsage.save)
    #expect(parsed.value("-m") == [0xfe])
    #expect(parsed.operands == [name])
    #expect(parsed.value("--stdin") == name)
  }

  @Test("do not miss operands where help is asked for")
  func help() throws {
    #expect(try SampleUsage.parse(["mv", "--help"]).arguments.contains("--help"))
    #expect(try SampleUsage.parse(["--help", "mv"]).arguments.contains("--help"))
  }

  @Test("accept numbers in their range only", arguments: ["0", "8", "-1", "+1", "", "1x", "99999999999999999999999"])
  func numbers(text: String) throws {
    let parsed = try SampleUsage.parse(
      ["save", "-n\(text)"].filter { $0 != "-n" } + (text.isEmpty ? ["--", "a"] : [])
    )
    .arguments
    if text.isEmpty {
      #expect(try parsed.number("-n", in: 1...7) == nil)
    } else {
      #expect(
        throws: UsageError.invalidValue(option: "-n", value: bytes(text), expected: "a number from 1 to 7")
      ) { try parsed.number("-n", in: 1...7) }
    }
  }

  @Test("accept a number at each end of its range")
  func numbersInRange() throws {
    for number in [1, 7] {
      #expect(try SampleUsage.parse(["save", "-n", "\(number)"]).arguments.number("-n", in: 1...7) == number)
    }
  }

  @Test("accept the words of a choice only")
  func choices() throws {
    let parsed = try SampleUsage.parse(["save", "--color", "always"]).arguments
    #expect(try parsed.choice("--color", of: ["auto", "always"]) == "always")
    #expect(throws: UsageError.invalidValue(option: "--color", value: bytes("always"), expected: "one of auto")) {
      try parsed.choice("--color", of: ["auto"])
    }
  }

  @Test("know which options exclude each other")
  func exclusion() throws {
    let parsed = try SampleUsage.parse(["save", "-z", "--json"]).arguments
    #expect(throws: UsageError.conflictingOptions("--null", "--json")) {
      try parsed.checkExclusive("--null", "--quiet", "--json")
    }
    try parsed.checkExclusive("--null", "--quiet")
  }

  @Test("never trap on random arguments", arguments: 0..<300 as Range<UInt64>)
  func randomArguments(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let alphabet: [UInt8] = Array("-=mzqnC-savejo".utf8) + [0xff, 0x00]
    let words = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
      (0..<Int.random(in: 0...6, using: &generator)).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
    }
    if let parsed = try? ParsedArguments(words, usage: SampleUsage.save) {
      #expect(parsed.operands.count <= words.count)
    }
  }
}
