import Merging
import Testing

@Suite("The choice of a merge") struct MergeDriverTests {
  @Test("has the number that automatic merges record")
  func rulesNumber() {
    #expect(MergeDriver.rulesNumber == 2)
    #expect(MergeOptions().rulesNumber == 2)
    #expect(MergeOptions(granularity: .word).rulesNumber == 3)
  }

  struct Row: CustomTestStringConvertible {
    let testDescription: String
    var path = "a.txt"
    let base: [UInt8]
    let ours: [UInt8]
    let theirs: [UInt8]
    var granularity = MergeOptions.Granularity.line
    let expected: MergeOutcome

    init(
      _ testDescription: String, path: String = "a.txt", _ base: String, _ ours: String, _ theirs: String,
      granularity: MergeOptions.Granularity = .line, expected: String
    ) {
      self.testDescription = testDescription
      self.path = path
      self.base = bytes(base)
      self.ours = bytes(ours)
      self.theirs = bytes(theirs)
      self.granularity = granularity
      self.expected = .clean(bytes(expected))
    }

    init(
      _ testDescription: String, path: String = "a.txt", bytes base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8],
      granularity: MergeOptions.Granularity = .line, expected: MergeOutcome
    ) {
      self.testDescription = testDescription
      self.path = path
      self.base = base
      self.ours = ours
      self.theirs = theirs
      self.granularity = granularity
      self.expected = expected
    }
  }

  private static func utf16(_ text: String, little: Bool = true) -> [UInt8] {
    ("\u{FEFF}" + text).utf16.flatMap { unit in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
      return little ? [low, high] : [high, low]
    }
  }

  private static let onePlace = MergeOutcome.conflict(
    count: 1, regions: [MergeRegion(origin: .conflict, base: 0..<1, ours: 0..<1, theirs: 0..<1)])

  static let rows = [
    Row("lines", "1\n2\n3\n", "a\n2\n3\n", "1\n2\nb\n", expected: "a\n2\nb\n"),
    Row("one line", bytes: bytes("1\n"), bytes("a\n"), bytes("b\n"), expected: onePlace),
    Row("zero bytes", bytes: [0], [0, 1], [0, 2], expected: .refused(.notText)),
    Row("zero bytes, one side", bytes: [0], [0, 1], [0], expected: .clean([0, 1])),
    Row(
      "UTF-16", bytes: utf16("one\r\ntwo\r\nthree\r\n"), utf16("ONE\r\ntwo\r\nthree\r\n"),
      utf16("one\r\ntwo\r\nTHREE\r\n"), expected: .clean(utf16("ONE\r\ntwo\r\nTHREE\r\n"))),
    Row(
      "UTF-16, big-endian, letters with the byte of a line feed", bytes: utf16("\u{A0A}\n2\n\u{10A00}", little: false),
      utf16("\u{A0A}a\n2\n\u{10A00}", little: false), utf16("\u{A0A}\n2\n\u{10A0A}", little: false),
      expected: .clean(utf16("\u{A0A}a\n2\n\u{10A0A}", little: false))),
    Row(
      "UTF-16 against UTF-8", bytes: utf16("1\n"), utf16("2\n"), bytes("3\n"),
      expected: .refused(.encodingsDiffer)),
    Row(
      "UTF-16 in both orders", bytes: utf16("1\n"), utf16("2\n"), utf16("3\n", little: false),
      expected: .refused(.encodingsDiffer)),
    Row(
      "UTF-16 cut", bytes: utf16("1\n"), utf16("2\n") + [1], utf16("3\n"), expected: .refused(.encodingsDiffer)),
    Row("UTF-16, same line", bytes: utf16("1\n"), utf16("2\n"), utf16("3\n"), expected: onePlace),
    Row(
      "line ends converted here, an edit there", "1\n2\n", "1\r\n2\r\n", "1\nb\n", expected: "1\r\nb\r\n"),
    Row(
      "line ends converted here, both edited", "1\r\n2\r\n3\r\n", "a\n2\n3\n", "1\r\n2\r\nb\r\n",
      expected: "a\n2\nb\n"),
    Row(
      "XML that overlaps", path: "a.xml", bytes: bytes("<p>\n1\n2\n3\n4\n5\n</p>\n"),
      bytes("<p>\n<b>\n1\n2\n3\n4\n</b>\n5\n</p>\n"), bytes("<p>\n1\n2\n<i>\n3\n4\n5\n</i>\n</p>\n"),
      expected: .refused(.malformedResult(.xml))),
    Row(
      "the same in what is no XML", path: "a.html", "<p>\n1\n2\n3\n4\n5\n", "<p>\n<b>\n1\n2\n3\n4\n</b>\n5\n",
      "<p>\n1\n2\n<i>\n3\n4\n5\n</i>\n",
      expected: "<p>\n<b>\n1\n2\n<i>\n3\n4\n</b>\n5\n</i>\n"),
    Row(
      "JSON with one name twice", path: "a", bytes: bytes("{\n\"a\": 1,\n\"b\": 2,\n\"c\": 3\n}\n"),
      bytes("{\n\"id\": 1,\n\"a\": 1,\n\"b\": 2,\n\"c\": 3\n}\n"),
      bytes("{\n\"a\": 1,\n\"b\": 2,\n\"id\": 2,\n\"c\": 3\n}\n"), expected: .refused(.malformedResult(.json))),
    Row(
      "JSON on one line", "{\"a\": 1, \"b\": [1]}", "{\"a\": 2, \"b\": [1]}", "{\"a\": 1, \"b\": [1.0]}",
      expected: "{\"a\": 2, \"b\": [1.0]}"),
    Row(
      "JSON in a YAML file on one side only", path: "a.yaml", "a: 1\nm: 1\nn: 1\n", "{a: 1}\nm: 1\nn: 1\n",
      "a: 1\nm: 1\nn: 2\n", expected: "{a: 1}\nm: 1\nn: 2\n"),
    Row(
      "YAML with one key twice", path: "a.yml", bytes: bytes("a: 1\nb: 2\nc: 3\n"),
      bytes("id: 1\na: 1\nb: 2\nc: 3\n"), bytes("a: 1\nb: 2\nid: 2\nc: 3\n"),
      expected: .refused(.malformedResult(.yaml))),
    Row(
      "the same in what is no YAML", path: "a.txt", "a: 1\nb: 2\nc: 3\n", "id: 1\na: 1\nb: 2\nc: 3\n",
      "a: 1\nb: 2\nid: 2\nc: 3\n", expected: "id: 1\na: 1\nb: 2\nid: 2\nc: 3\n"),
    Row(
      "two sentences of one line, by lines", bytes: bytes("One is here. Two of them are there. Three."),
      bytes("One was here. Two of them are there. Three."), bytes("One is here. Two of them are there. Four."),
      expected: onePlace),
    Row(
      "two sentences of one line, by words", "One is here. Two of them are there. Three.",
      "One was here. Two of them are there. Three.", "One is here. Two of them are there. Four.", granularity: .word,
      expected: "One was here. Two of them are there. Four."),
    Row(
      "two words of one sentence", bytes: bytes("one two three four five six seven"),
      bytes("ONE two three four five six seven"), bytes("one two three four five six SEVEN"), granularity: .word,
      expected: onePlace),
    Row(
      "sentences side by side", bytes: bytes("It was so. It is."), bytes("It was so, once. It is."),
      bytes("It was so. It is not."), granularity: .word, expected: onePlace),
  ]

  @Test("follows the rules, from either side", arguments: rows)
  func followsRules(_ row: Row) {
    let options = MergeOptions(granularity: row.granularity)
    for (ours, theirs) in [(row.ours, row.theirs), (row.theirs, row.ours)] {
      let outcome = MergeDriver.mergeContents(
        path: bytes(row.path), base: row.base, ours: ours, theirs: theirs, options: options)
      #expect(outcome == row.expected, "\(outcome.content.map { text($0) } ?? "")")
    }
  }
}
