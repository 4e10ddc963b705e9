import Diffing
import Merging
import TestSupport
import Testing

@Suite("Conflict markers") struct ConflictMarkersTests {
  private static let labels = ConflictLabels(ours: bytes("mine"), base: bytes("old"), theirs: bytes("yours"))

  struct Row: CustomTestStringConvertible {
    let testDescription: String
    let base: String
    let ours: String
    let theirs: String
    var style = ConflictStyle.merge
    let expected: String
  }

  static let rows = [
    Row(
      testDescription: "both sides", base: "0\n1\n2\n", ours: "0\na\n2\n", theirs: "0\nb\n2\n",
      expected: "0\n<<<<<<< mine\na\n=======\nb\n>>>>>>> yours\n2\n"),
    Row(
      testDescription: "the base too", base: "0\n1\n2\n", ours: "0\nc\na\n2\n", theirs: "0\nc\nb\n2\n",
      style: .diff3,
      expected: "0\n<<<<<<< mine\nc\na\n||||||| old\n1\n=======\nc\nb\n>>>>>>> yours\n2\n"),
    Row(
      testDescription: "the base, narrowed", base: "0\n1\n2\n", ours: "0\nc\na\nd\n2\n",
      theirs: "0\nc\nb\nd\n2\n", style: .zdiff3,
      expected: "0\nc\n<<<<<<< mine\na\n||||||| old\n1\n=======\nb\n>>>>>>> yours\nd\n2\n"),
    Row(
      testDescription: "narrowed", base: "0\n", ours: "0\nc\na\n", theirs: "0\nc\nb\n",
      expected: "0\nc\n<<<<<<< mine\na\n=======\nb\n>>>>>>> yours\n"),
    Row(
      testDescription: "clean edits around", base: "1\n2\n3\n4\n5\n6\n7\n", ours: "A\n2\n3\na\n5\n6\n7\n",
      theirs: "1\n2\n3\nb\n5\n6\nB\n",
      expected: "A\n2\n3\n<<<<<<< mine\na\n=======\nb\n>>>>>>> yours\n5\n6\nB\n"),
    Row(
      testDescription: "CR LF", base: "0\r\n1\r\n", ours: "0\r\na\r\n", theirs: "0\r\nb\r\n",
      expected: "0\r\n<<<<<<< mine\r\na\r\n=======\r\nb\r\n>>>>>>> yours\r\n"),
    Row(
      testDescription: "CR LF on one side only", base: "0\n1\n", ours: "0\r\na\r\n", theirs: "0\nb\n",
      expected: "<<<<<<< mine\n0\r\na\r\n=======\n0\nb\n>>>>>>> yours\n"),
    Row(
      testDescription: "no last line feed", base: "0\n1", ours: "0\na", theirs: "0\nb",
      expected: "0\n<<<<<<< mine\na\n=======\nb\n>>>>>>> yours\n"),
    Row(
      testDescription: "no last line feed after CR LF", base: "0\r\n1", ours: "0\r\na", theirs: "0\r\nb",
      expected: "0\r\n<<<<<<< mine\r\na\r\n=======\r\nb\r\n>>>>>>> yours\r\n"),
    Row(
      testDescription: "an emptied side", base: "1\n", ours: "", theirs: "b\n",
      expected: "<<<<<<< mine\n=======\nb\n>>>>>>> yours\n"),
    Row(
      testDescription: "a heading underlined like a marker", base: "T\n=======\n1\n", ours: "T\n=======\na\n",
      theirs: "T\n=======\nb\n",
      expected: "T\n=======\n<<<<<<<< mine\na\n========\nb\n>>>>>>>> yours\n"),
    Row(
      testDescription: "a longer underline is no marker", base: "T\n=========\n1\n", ours: "T\n=========\na\n",
      theirs: "T\n=========\nb\n",
      expected: "T\n=========\n<<<<<<< mine\na\n=======\nb\n>>>>>>> yours\n"),
    Row(
      testDescription: "marker lines in the conflict", base: "1\n", ours: "<<<<<<< x\n>>>>>>>>\n",
      theirs: "||||||||| z\n",
      expected:
        "<<<<<<<<<< mine\n<<<<<<< x\n>>>>>>>>\n==========\n||||||||| z\n>>>>>>>>>> yours\n"),
  ]

  @Test("stand where they should", arguments: rows)
  func places(_ row: Row) throws {
    let marked = try #require(
      ConflictMarkers.render(
        base: bytes(row.base), ours: bytes(row.ours), theirs: bytes(row.theirs), labels: Self.labels,
        style: row.style))
    #expect(text(marked.bytes) == row.expected)
    #expect(marked.conflictCount == 1)
  }

  @Test("are as long as asked, within bounds", arguments: [(3, 3), (0, 1), (-5, 1), (Int.max, 1_000)])
  func size(asked: Int, expected: Int) throws {
    let marked = try #require(
      ConflictMarkers.render(
        base: bytes("1\n"), ours: bytes("a\n"), theirs: bytes("b\n"), labels: ConflictLabels(),
        markerSize: asked))
    #expect(marked.markerSize == expected)
    func mark(_ character: Character) -> String { String(repeating: character, count: expected) }
    #expect(text(marked.bytes) == "\(mark("<"))\na\n\(mark("="))\nb\n\(mark(">"))\n")
  }

  @Test("do not appear in a clean merge, and content that is not text has none")
  func without() {
    let clean = ConflictMarkers.render(
      base: bytes("1\n2\n3\n"), ours: bytes("a\n2\n3\n"), theirs: bytes("1\n2\nb\n"), labels: Self.labels)
    #expect(clean.map { text($0.bytes) } == "a\n2\nb\n")
    #expect(clean?.conflictCount == 0)
    #expect(clean?.markerSize == ConflictMarkers.defaultSize)
    #expect(ConflictMarkers.render(base: [0], ours: [0, 1], theirs: [0, 2], labels: Self.labels) == nil)
    #expect(
      ConflictMarkers.render(base: [0], ours: [0], theirs: [0, 2], labels: Self.labels)?.bytes == [0, 2])
  }

  @Test("are not found in equal documents, whatever lines these have")
  func equalDocuments() throws {
    let content = bytes("<<<<<<< a\nx\n>>>>>>>> b\n")
    for base in [nil, content, bytes("y\n")] {
      let marked = try #require(
        ConflictMarkers.renderDocument(base: base, ours: content, theirs: content, labels: Self.labels))
      #expect(marked.bytes == content && marked.conflictCount == 0)
      #expect(!ConflictMarkers.areLeft(in: content, size: marked.markerSize))
    }
  }

  @Test("stay one line whatever the label")
  func labels() {
    let labels = ConflictLabels(ours: bytes("a\nb"), base: bytes("\r\n"), theirs: [0x63, 0, 0x64])
    #expect(labels == ConflictLabels(ours: bytes("a"), base: [], theirs: bytes("c")))
  }

  @Test("let both sides be taken out whole", arguments: 0..<300 as Range<UInt64>)
  func takeOut(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let sample = MergeSample(repeats: true, using: &generator)
    let merge = TextMerge(base: sample.base, ours: sample.ours, theirs: sample.theirs)
    for style in [ConflictStyle.merge, .diff3, .zdiff3] {
      let marked = try #require(
        ConflictMarkers.render(
          base: sample.base, ours: sample.ours, theirs: sample.theirs, labels: Self.labels, style: style))
      let conflicts = merge.regions(in: style).filter { $0.origin == .conflict }
      let read = MarkedConflict.all(in: marked)
      #expect(read.count == marked.conflictCount)
      #expect(read.map(\.ours) == conflicts.map { MarkedConflict.completed(merge.ours.bytes(ofLines: $0.ours)) })
      #expect(
        read.map(\.theirs) == conflicts.map { MarkedConflict.completed(merge.theirs.bytes(ofLines: $0.theirs)) })
      if style != .merge {
        #expect(read.map(\.base) == conflicts.map { MarkedConflict.completed(merge.base.bytes(ofLines: $0.base)) })
      }
    }
  }

  @Test("are not needed where a side is favoured; both keep their line ends")
  func favor() {
    let merge = TextMerge(
      base: bytes("x\r\nb\r\n1\r\n2"), ours: bytes("X\r\nb\r\n1\r\no"), theirs: bytes("x\r\nb\r\n1\r\nt"))
    #expect(text(merge.bytes(favoring: .ours)) == "X\r\nb\r\n1\r\no")
    #expect(text(merge.bytes(favoring: .theirs)) == "X\r\nb\r\n1\r\nt")
    #expect(text(merge.bytes(favoring: .union)) == "X\r\nb\r\n1\r\no\r\nt")
  }
}
