import ArgumentParsing
import Testing

@testable import DverCommands

@Suite("Version expressions") struct VersionExpressionTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test(
    "split a path from its version",
    arguments: [
      ("a.md", "a.md", nil), ("a.md@current", "a.md", .current), ("a.md@base", "a.md", .base),
      ("a.md@~0", "a.md", .back(0)), ("a.md@~12", "a.md", .back(12)),
      ("a.md@abcd", "a.md", .identifier(prefix: Array("abcd".utf8))),
      ("a.md@ABCDe1", "a.md", .identifier(prefix: Array("abcde1".utf8))),
      ("a@b.md@0123", "a@b.md", .identifier(prefix: Array("0123".utf8))),
      ("a@@~1", "a@", .back(1)), ("a.md@{yesterday}", "a.md", .time(.day(ago: 1))),
      ("a.md@{3 hours ago}", "a.md", .time(.ago(milliseconds: 10_800_000))),
      ("a.md@" + String(repeating: "f", count: 64), "a.md", .identifier(prefix: [UInt8](repeating: 0x66, count: 64))),
    ] as [(String, String, VersionSelector?)])
  func split(text: String, path: String, selector: VersionSelector?) throws {
    let expression = try VersionExpression(parsing: bytes(text))
    #expect(expression.path == bytes(path))
    #expect(expression.selector == selector)
  }

  @Test(
    "refuse what names no version, with the way out",
    arguments: [
      "me@example.com", "a@", "a@abc", "a@~", "a@~x", "a@~-1", "a@~1234567890", "a@{}", "a@{tomorrow}", "a@{yesterday",
      "a@yesterday", "a@" + String(repeating: "f", count: 65), "a@currents", "a@{2026-02-30}",
    ])
  func refusals(text: String) {
    #expect {
      try VersionExpression(parsing: bytes(text))
    } throws: { error in
      guard let error = error as? UsageError else { return false }
      return error.message { TerminalText.quoted($0) }.contains("--at VERSION PATH")
    }
  }

  @Test("need a path", arguments: ["", "@abcd", "@current"])
  func emptyPath(text: String) {
    #expect(throws: UsageError.self) { try VersionExpression(parsing: bytes(text)) }
  }

  @Test("take operands whole with --at")
  func atOption() throws {
    let usage = CommandUsage(
      "x", operands: [.any("PATH")], abstract: "", options: [VersionExpression.atOption])
    let parsed = try ParsedArguments(["--at", "~2", "me@example.com", "b@abcd"].map(bytes), usage: usage)
    let expressions = try VersionExpression.operands(of: parsed)
    #expect(expressions.map(\.path) == [bytes("me@example.com"), bytes("b@abcd")])
    #expect(expressions.allSatisfy { $0.selector == .back(2) })
    let wrong = try ParsedArguments(["--at", "x", "a"].map(bytes), usage: usage)
    #expect(
      throws: UsageError.invalidValue(option: "--at", value: bytes("x"), expected: VersionSelector.expectation)
    ) { try VersionExpression.operands(of: wrong) }
    let plain = try ParsedArguments(["a@~1", "b"].map(bytes), usage: usage)
    #expect(try VersionExpression.operands(of: plain).map(\.selector) == [.back(1), nil])
  }

  @Test("keep a path that is no UTF-8")
  func rawPath() throws {
    #expect(try VersionExpression(parsing: [0xff, 0x40] + bytes("base")).path == [0xff])
    #expect(throws: UsageError.self) { try VersionExpression(parsing: bytes("a@") + [0xff, 0xfe, 0xfd, 0xfc]) }
  }
}
