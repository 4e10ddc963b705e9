import ArgumentParsing
import Testing

@Suite("Usage errors") struct UsageErrorTests {
  @Test(
    "name the option or operand",
    arguments: [
      (UsageError.unknownOption([1], suggestion: "--message"), "unknown option <1>, did you mean --message?"),
      (.unknownOption([1], suggestion: nil), "unknown option <1>"),
      (.ambiguousOption([1, 2], candidates: ["--a", "--b"]), "ambiguous option <12>: it may stand for --a, --b"),
      (.missingValue(option: "-n", valueName: "N"), "option -n needs a value, N"),
      (.unexpectedValue(option: "--json"), "option --json takes no value"),
      (.repeatedOption("-C"), "option -C is given twice"),
      (.conflictingOptions("--a", "--b"), "options --a and --b exclude each other"),
      (.missingOption(["--a", "--b"]), "one of the options --a, --b is needed"),
      (.invalidValue(option: "-n", value: [3], expected: "a number"), "option -n: <3> is not a number"),
      (.missingOperand("PATH"), "operand PATH is missing"),
      (.unexpectedOperand([4]), "unexpected operand <4>"),
      (.invalidOperand("PATH", value: [5], expected: "a path"), "operand PATH: <5> is not a path"),
      (.invalidVariable("NOW", value: [5], expected: "a time"), "variable NOW: <5> is not a time"),
      (.missingCommand, "no command is given"),
      (.unknownCommand([6], suggestion: "save"), "unknown command <6>, did you mean save?"),
      (.missingAction(group: "remote", actions: ["add"]), "remote needs one of add"),
      (.unknownAction(group: "remote", action: [7], actions: ["add"]), "remote has no <7>, only add"),
      (.other("text"), "text"),
    ] as [(UsageError, String)])
  func names(error: UsageError, message: String) {
    #expect(error.message { bytes in "<\(bytes.map { "\($0)" }.joined())>" } == message)
  }
}
