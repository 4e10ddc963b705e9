import Merging
import Testing

@Suite("Three-way merge of texts") struct TextMergeTests {
  struct Row: CustomTestStringConvertible {
    let testDescription: String
    let base: String
    let ours: String
    let theirs: String
    /// `nil` for a conflict.
    let expected: String?
    var conflictCount = 1
  }

  static let rows = [
    Row(
      testDescription: "one unchanged line between", base: "1\n2\n3\n4\n5\n", ours: "1\nA\n3\n4\n5\n",
      theirs: "1\n2\n3\nB\n5\n", expected: "1\nA\n3\nB\n5\n"),
    Row(
      testDescription: "neighbours", base: "1\n2\n3\n4\n", ours: "1\nA\n3\n4\n", theirs: "1\n2\nB\n4\n",
      expected: nil),
    Row(
      testDescription: "an insertion before an edited line", base: "1\n2\n3\n", ours: "1\nnew\n2\n3\n",
      theirs: "1\nB\n3\n", expected: nil),
    Row(
      testDescription: "two insertions at one place", base: "1\n2\n", ours: "1\na\n2\n",
      theirs: "1\nb\n2\n", expected: nil),
    Row(
      testDescription: "the same insertion", base: "1\n2\n", ours: "1\na\n2\n", theirs: "1\na\n2\n",
      expected: "1\na\n2\n"),
    Row(
      testDescription: "the same change and one more", base: "1\n2\n3\n4\n", ours: "1\nX\n3\n4\n",
      theirs: "1\nX\n3\nY\n", expected: "1\nX\n3\nY\n"),
    Row(
      testDescription: "deleted here, edited there", base: "1\n2\n3\n", ours: "1\n3\n", theirs: "1\nB\n3\n",
      expected: nil),
    Row(
      testDescription: "a last line without line feed", base: "1\n2\n3", ours: "A\n2\n3",
      theirs: "1\n2\nB", expected: "A\n2\nB"),
    Row(
      testDescription: "appended behind a missing line feed", base: "1\n2\n3", ours: "A\n2\n3",
      theirs: "1\n2\n3\n4", expected: "A\n2\n3\n4"),
    Row(
      testDescription: "equal edits but for the last line feed", base: "1\n2\n", ours: "1\nB\n",
      theirs: "1\nB", expected: nil),
    Row(
      testDescription: "CR LF", base: "1\r\n2\r\n3\r\n", ours: "A\r\n2\r\n3\r\n", theirs: "1\r\n2\r\nC\r\n",
      expected: "A\r\n2\r\nC\r\n"),
    Row(
      testDescription: "a byte-order mark", base: "\u{FEFF}1\n2\n3\n", ours: "\u{FEFF}1\n2\nC\n",
      theirs: "1\n2\n3\n", expected: "1\n2\nC\n"),
    Row(
      testDescription: "canonically equal edits", base: "1\n", ours: "e\u{301}\n", theirs: "\u{E9}\n",
      expected: nil),
    Row(testDescription: "no base", base: "", ours: "a\n", theirs: "b\n", expected: nil),
    Row(
      testDescription: "two conflicts far apart", base: "1\n2\n3\n4\n5\n6\n7\n",
      ours: "A\n2\n3\n4\n5\n6\nA\n", theirs: "B\n2\n3\n4\n5\n6\nB\n", expected: nil, conflictCount: 2),
    Row(
      testDescription: "two conflicts with three lines between count as one", base: "1\n2\n3\n4\n5\n",
      ours: "A\n2\n3\n4\nA\n", theirs: "B\n2\n3\n4\nB\n", expected: nil),
  ]

  @Test("follows the rules, from either side", arguments: rows)
  func followsRules(_ row: Row) {
    for (ours, theirs) in [(row.ours, row.theirs), (row.theirs, row.ours)] {
      let outcome = TextMerge.merge(base: bytes(row.base), ours: bytes(ours), theirs: bytes(theirs))
      #expect(outcome.merged.map { text($0) } == row.expected)
      #expect(outcome.conflictCount == (row.expected == nil ? row.conflictCount : 0))
    }
  }

  @Test("takes the lines that both sides share out of a conflict")
  func narrows() {
    let outcome = TextMerge.merge(
      base: bytes("0\n"), ours: bytes("0\nsame\nours\nend\n"), theirs: bytes("0\nsame\ntheirs\nend\n"))
    #expect(
      outcome
        == .conflict(
          count: 1, regions: [MergeRegion(origin: .conflict, base: 1..<1, ours: 2..<3, theirs: 2..<3)]))
  }

  @Test("merges content with a zero byte only where a side is unchanged")
  func binary() {
    let (base, ours, theirs) =
      ([0, 10, 1, 10, 2, 10], [9, 10, 1, 10, 2, 10], [0, 10, 1, 10, 8, 10]) as ([UInt8], [UInt8], [UInt8])
    #expect(TextMerge.merge(base: base, ours: ours, theirs: theirs) == .conflict(count: 1, regions: []))
    #expect(TextMerge.merge(base: base, ours: base, theirs: theirs) == .clean(theirs))
    #expect(TextMerge.merge(base: base, ours: ours, theirs: base) == .clean(ours))
    #expect(TextMerge.merge(base: base, ours: ours, theirs: ours) == .clean(ours))
    // The zero byte may stand far inside, or in one of the three only.
    let long = [UInt8](repeating: 0x61, count: 20_000) + [10, 0, 10]
    #expect(
      TextMerge.merge(base: bytes("1\n2\n3\n"), ours: bytes("A\n2\n3\n"), theirs: bytes("1\n2\n") + long)
        == .conflict(count: 1, regions: []))
  }

  @Test("copes with a hundred thousand lines and ten thousand changes")
  func manyLines() {
    func document(_ ours: Bool, _ theirs: Bool) -> [UInt8] {
      Array(
        (0..<100_000).map { line in
          switch line % 20 {
          case 4 where ours: bytes("ours \(line)\n")
          case 14 where theirs: bytes("theirs \(line)\n")
          default: bytes("line \(line)\n")
          }
        }.joined())
    }
    let outcome = TextMerge.merge(
      base: document(false, false), ours: document(true, false), theirs: document(false, true))
    #expect(outcome == .clean(document(true, true)))
  }

  @Test("finds one conflict where both sides rewrote everything")
  func rewritten() {
    func document(_ name: String) -> [UInt8] { Array((0..<10_000).map { bytes("\(name) \($0)\n") }.joined()) }
    let outcome = TextMerge.merge(base: document("base"), ours: document("ours"), theirs: document("theirs"))
    #expect(outcome.conflictCount == 1)
  }
}
