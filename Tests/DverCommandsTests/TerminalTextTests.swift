import TestSupport
import Testing

@testable import DverCommands

@Suite("Text for a terminal") struct TerminalTextTests {
  @Test(
    "shows paths so that they can't be misread",
    arguments: [
      ("notes/a.md", "notes/a.md"), ("my notes/ä 日本.md", "my notes/ä 日本.md"), ("", "\"\""),
      (" a", "\" a\""), ("a ", "\"a \""), ("a\"b", #""a\"b""#), (#"a\b"#, #""a\\b""#), ("a\nb", #""a\nb""#),
      ("a\tb", #""a\tb""#), ("a\u{1B}[31m", #""a\x1b[31m""#), ("a\u{7F}", #""a\x7f""#),
      ("a\u{9B}31m", #""a\xc2\x9b31m""#), ("a\u{202E}b", #""a\xe2\x80\xaeb""#), ("a\u{2066}b", #""a\xe2\x81\xa6b""#),
      ("a\u{2028}b", #""a\xe2\x80\xa8b""#), ("a\u{FEFF}b", #""a\xef\xbb\xbfb""#), ("👩‍👧", "👩‍👧"), ("e\u{301}", "e\u{301}"),
    ])
  func paths(path: String, text: String) {
    #expect(TerminalText.path(Array(path.utf8)).utf8.elementsEqual(text.utf8))
  }

  @Test(
    "shows bytes that are no UTF-8 as digits",
    arguments: [
      ([0xff], #""\xff""#), ([0x61, 0xc3], #""a\xc3""#), ([0xc0, 0x80, 0x62], #""\xc0\x80b""#),
      ([0xed, 0xa0, 0x80], #""\xed\xa0\x80""#), ([0xf0, 0x9f, 0x98, 0x61], #""\xf0\x9f\x98a""#),
    ] as [([UInt8], String)])
  func invalidBytes(bytes: [UInt8], text: String) {
    #expect(TerminalText.path(bytes) == text)
  }

  @Test("keeps a message in one line and its backslashes single")
  func messages() {
    #expect(TerminalText.line("a\r\nb\\n \"c\"") == #"a\x0d\nb\n "c""#)
    #expect(TerminalText.firstLine(Array("\n\nfirst\nsecond".utf8)) == "first…")
    #expect(TerminalText.firstLine(Array("only\n".utf8)) == "only")
    #expect(TerminalText.firstLine([]) == "")
  }

  @Test("never lets an unsafe character through", arguments: 0..<300 as Range<UInt64>)
  func randomBytes(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let pieces: [[UInt8]] = [
      [0x1b], [0xc2, 0x9b], [0xe2, 0x80, 0xae], [0x0a], [0xff], [0x5c], [0x22], [0x61], [0xe2],
    ]
    let bytes = (0..<Int.random(in: 0...12, using: &generator)).flatMap { _ in
      pieces.randomElement(using: &generator) ?? []
    }
    for text in [TerminalText.path(bytes), TerminalText.quoted(bytes), TerminalText.line(bytes)] {
      #expect(text.unicodeScalars.allSatisfy { UnicodeSafety.isSafe($0) })
    }
  }

  @Test("gives different quoted texts for different bytes")
  func injectivity() {
    let inputs: [[UInt8]] = [[0x0a], Array(#"\n"#.utf8), [0xff], Array(#"\xff"#.utf8), [0x22], Array(#"\""#.utf8)]
    #expect(Set(inputs.map { TerminalText.quoted($0) }).count == inputs.count)
    #expect(Set(inputs.map { TerminalText.path($0) }).count == inputs.count)
  }
}
