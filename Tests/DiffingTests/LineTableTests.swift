import Diffing
import TestSupport
import Testing

@Suite("A line table") struct LineTableTests {
  struct Row: CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let lines: [String]
  }

  @Test(
    "cuts behind line feeds and nowhere else",
    arguments: [
      Row(testDescription: "empty", text: "", lines: []),
      Row(testDescription: "one line", text: "a\n", lines: ["a\n"]),
      Row(testDescription: "no last line feed", text: "a\nb", lines: ["a\n", "b"]),
      Row(testDescription: "empty lines", text: "\n\n", lines: ["\n", "\n"]),
      Row(testDescription: "CR LF", text: "a\r\nb\r\n", lines: ["a\r\n", "b\r\n"]),
      Row(testDescription: "a lone CR", text: "a\rb\n", lines: ["a\rb\n"]),
      Row(
        testDescription: "Unicode's separators", text: "a\u{2028}b\u{85}c\u{0B}d\n",
        lines: ["a\u{2028}b\u{85}c\u{0B}d\n"]),
      Row(testDescription: "eight bytes", text: "1234567\n12345678\n", lines: ["1234567\n", "12345678\n"]),
    ])
  func cuts(_ row: Row) {
    let table = LineTable(bytes(row.text))
    #expect((0..<table.count).map { Array(table[$0]) } == row.lines.map { bytes($0) })
    #expect(Array(table.bytes(ofLines: 0..<table.count)) == bytes(row.text))
  }

  @Test("gives equal lines equal numbers across texts, and different lines different ones")
  func numbers() {
    let tables = LineTable.tables(of: [bytes("a\nb\n"), bytes("b\na\nb"), bytes("c\na\n")])
    #expect(tables[0].ids == [0, 1])
    #expect(tables[1].ids == [1, 0, 2])
    #expect(tables[2].ids == [3, 0])
  }

  @Test("numbers lines as a dictionary would", arguments: 0..<200 as Range<UInt64>)
  func agreesWithDictionary(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    // Bytes that confuse a search for line feeds eight at a time.
    let alphabet: [UInt8] = [0x0A, 0x0B, 0x0A ^ 0x80, 0x00, 0x09, 0x61, 0xFF]
    let texts = (0..<3).map { _ in
      (0..<Int.random(in: 0...200, using: &generator)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
      }
    }
    var numbers: [[UInt8]: Int32] = [:]
    for (text, table) in zip(texts, LineTable.tables(of: texts)) {
      var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map { $0 + [0x0A] }
      if lines[lines.count - 1] == [0x0A] { lines.removeLast() } else { lines[lines.count - 1].removeLast() }
      #expect((0..<table.count).map { Array(table[$0]) } == lines.map { Array($0) })
      for (line, id) in zip(lines, table.ids) {
        let known = numbers[Array(line), default: Int32(numbers.count)]
        numbers[Array(line)] = known
        #expect(known == id)
      }
    }
  }

  @Test("keeps its numbers when there are more lines than it expected")
  func grows() {
    let text = Array((0..<5_000).map { bytes("\($0)\n") }.joined())
    let tables = LineTable.tables(of: [text, text])
    #expect(tables[0].ids == Array(0..<5_000))
    #expect(tables[1].ids == tables[0].ids)
  }

  @Test("knows whether the last line has a line feed")
  func lastLineFeed() {
    #expect(LineTable([]).endsWithLineFeed)
    #expect(LineTable(bytes("a\n")).endsWithLineFeed)
    #expect(!LineTable(bytes("a\nb")).endsWithLineFeed)
  }
}
