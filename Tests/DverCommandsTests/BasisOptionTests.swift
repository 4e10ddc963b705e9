import ArgumentParsing
import Testing

@testable import DverCommands

@Suite("--based-on") struct BasisOptionTests {
  private func option(_ values: String...) throws -> BasisOption {
    let usage = CommandUsage("x", abstract: "", options: [BasisOption.usage])
    return try BasisOption(
      ParsedArguments(values.flatMap { [Array("--based-on".utf8), Array($0.utf8)] }, usage: usage))
  }

  @Test("names versions, none, or nothing")
  func values() throws {
    #expect(try option() == .standard)
    #expect(try option("none") == .versions([]))
    #expect(try option("current", "~2") == .versions([.current, .back(2)]))
  }

  @Test(
    "refuses none beside others, and what is no version",
    arguments: [["none", "current"], ["x"], [""], ["none", "none"]])
  func refusals(values: [String]) {
    let usage = CommandUsage("x", abstract: "", options: [BasisOption.usage])
    let words = values.flatMap { [Array("--based-on".utf8), Array($0.utf8)] }
    #expect(throws: UsageError.self) { try BasisOption(ParsedArguments(words, usage: usage)) }
  }

  @Test("goes with one document")
  func oneDocument() throws {
    #expect(throws: UsageError.self) { try option("current").check([]) }
    #expect(throws: UsageError.self) { try option("current").check([[1], [2]]) }
    #expect(throws: Never.self) { try option("current").check([[1]]) }
    #expect(throws: Never.self) { try option().check([]) }
  }
}
