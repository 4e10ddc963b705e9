import Diffing
import TestSupport
import Testing

@Suite("The difference of two texts") struct LineDiffTests {
  @Test("applied to the old text gives the new one", arguments: 0..<500 as Range<UInt64>)
  func applies(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let pair = SamplePair(using: &generator)
    let diff = LineDiff(old: pair.old, new: pair.new)
    #expect(applying(diff.hunks, of: diff) == pair.new)
    #expect(diff.hunks.isEmpty == (pair.old == pair.new))
  }

  @Test("has hunks in order, with a common line between any two", arguments: 0..<200 as Range<UInt64>)
  func isOrdered(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let pair = SamplePair(using: &generator)
    let hunks = LineDiff.hunks(old: pair.old, new: pair.new)
    for hunk in hunks { #expect(!hunk.old.isEmpty || !hunk.new.isEmpty) }
    for (hunk, next) in zip(hunks, hunks.dropFirst()) {
      #expect(hunk.old.upperBound < next.old.lowerBound)
      #expect(
        next.old.lowerBound - hunk.old.upperBound == next.new.lowerBound - hunk.new.upperBound)
    }
  }

  @Test("tells bytes apart that are equal as text")
  func composition() {
    #expect(
      LineDiff.hunks(old: bytes("e\u{301}\n"), new: bytes("\u{E9}\n")) == [Hunk(old: 0..<1, new: 0..<1)])
    #expect(LineDiff.hunks(old: bytes("a"), new: bytes("a\n")) == [Hunk(old: 0..<1, new: 0..<1)])
  }

  @Test("is counted in lines")
  func statistics() {
    let statistics = DiffStatistics(old: bytes("a\nb\nc\nd\n"), new: bytes("a\nx\ny\nc\n"))
    #expect(statistics == DiffStatistics(insertions: 2, deletions: 2))
    #expect(DiffStatistics(old: [], new: bytes("a")) == DiffStatistics(insertions: 1, deletions: 0))
    #expect(DiffStatistics(old: bytes("a"), new: bytes("a")) == DiffStatistics(insertions: 0, deletions: 0))
  }
}

@Suite("Binary content") struct BinaryDetectionTests {
  @Test("is content with a zero byte, wherever that is", arguments: 0..<40)
  func zeroAnywhere(position: Int) {
    var content = [UInt8](repeating: 0x80, count: 40)
    #expect(!BinaryDetection.isBinary(content))
    content[position] = 1
    #expect(!BinaryDetection.isBinary(content))
    content[position] = 0
    #expect(BinaryDetection.isBinary(content))
  }

  @Test("is not the empty content, nor the first bytes alone decide")
  func bounds() {
    #expect(!BinaryDetection.isBinary([]))
    #expect(BinaryDetection.isBinary([UInt8](repeating: 0x61, count: 100_000) + [0]))
  }
}
