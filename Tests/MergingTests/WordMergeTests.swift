import TestSupport
import Testing

@testable import Merging

@Suite("A merge by words") struct WordMergeTests {
  private static func merge(_ base: String, _ ours: String, _ theirs: String) -> String? {
    let outcome = MergeDriver.mergeContents(
      path: bytes("a.md"), base: bytes(base), ours: bytes(ours), theirs: bytes(theirs),
      options: MergeOptions(granularity: .word))
    return outcome.content.map { text($0) }
  }

  /// Sentences of five to eight words, each word its own.
  private static func sentences(using generator: inout some RandomNumberGenerator) -> [[String]] {
    (0..<Int.random(in: 1...8, using: &generator)).map { sentence in
      (0..<Int.random(in: 5...8, using: &generator)).map { "w\(sentence)x\($0)" }
    }
  }

  private static func joined(_ sentences: [[String]]) -> String {
    sentences.map { $0.joined(separator: " ") + "." }.joined(separator: " ")
  }

  @Test("puts edits of sentences together that have an unchanged one between them", arguments: 0..<300 as Range<UInt64>)
  func sentences(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let base = Self.sentences(using: &generator)
    let (one, other) = (
      Int.random(in: 0..<base.count, using: &generator), Int.random(in: 0..<base.count, using: &generator)
    )
    var (ours, theirs, both) = (base, base, base)
    ours[one][2] = "ours"
    theirs[other][3] = "theirs"
    let expected: String?
    if abs(one - other) > 1 {
      both[one][2] = "ours"
      both[other][3] = "theirs"
      expected = Self.joined(both)
    } else if one == other {
      expected = nil
    } else {
      // Neighbours: as many words between them as there are.
      let between = one < other ? base[one].count - 3 + 3 : base[other].count - 4 + 2
      both[one][2] = "ours"
      both[other][3] = "theirs"
      expected = between >= WordMerge.leastWordCount ? Self.joined(both) : nil
    }
    #expect(Self.merge(Self.joined(base), Self.joined(ours), Self.joined(theirs)) == expected)
    #expect(Self.merge(Self.joined(base), Self.joined(theirs), Self.joined(ours)) == expected)
  }

  @Test("never mixes two rewritten lines, and takes a common edit once")
  func rewritten() {
    let base = "The old text of this line was a quiet one. It stays."
    #expect(
      Self.merge(base, "A new line says other things. It stays.", "Quite another text stands here. It stays.") == nil)
    #expect(
      Self.merge(
        base, "The new text of this line was a quiet one. It stays.",
        "The new text of this line was a quiet one. It goes.")
        == "The new text of this line was a quiet one. It goes.")
  }

  @Test("is quick on a megabyte of words")
  func largeInputs() {
    let words = (0..<30_000).map { $0 % 9 == 8 ? "w\($0). " : "w\($0) " }.joined()
    #expect(
      Self.merge("a b c d e f. " + words + "z", "x b c d e f. " + words + "z", "a b c d e f. " + words + "y")
        == "x b c d e f. " + words + "y")
    let other = (0..<30_000).map { "v\($0 % 7) " }.joined()
    #expect(Self.merge(words, other, words.uppercased()) == nil)
  }
}
