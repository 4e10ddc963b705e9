import Diffing
import TestSupport
import Testing

@Suite("A diff by words") struct WordDiffTests {
  @Test(
    "marks what went and what came",
    arguments: [
      ("the quick fox\n", "the slow fox\n", "the [-quick-]{+slow+} fox\n"),
      ("quick brown fox\n", "slow red fox\n", "[-quick brown-]{+slow red+} fox\n"),
      ("a b\n", "a b c\n", "a b{+ c+}\n"),
      ("one, two\n", "one; two\n", "one[-,-]{+;+} two\n"),
      ("a\nb\n", "a\n", "a\n[-b-]\n"),
      ("x\r\n", "x\r\ny\r\n", "x\r\n{+y+}\r\n"),
      ("Stra\u{DF}e\n", "Strasse\n", "[-Stra\u{DF}e-]{+Strasse+}\n"),
      ("same\n", "same\n", "same\n"),
      ("", "", ""),
    ])
  func marks(old: String, new: String, expected: String) {
    #expect(text(WordDiff.render(old: bytes(old), new: bytes(new))) == expected)
  }

  @Test("shows each changed hunk below its header, with context")
  func hunks() {
    let output = WordDiff.render(
      old: bytes("1\n2\n3\nold word\n5\n"), new: bytes("1\n2\n3\nnew word\n5\n"), oldLabel: bytes("a/x"),
      newLabel: bytes("b/x"), context: 1)
    #expect(text(output) == "--- a/x\n+++ b/x\n@@ -3,3 +3,3 @@\n3\n[-old-]{+new+} word\n5\n")
    #expect(WordDiff.render(old: bytes("a"), new: bytes("a"), oldLabel: [], newLabel: []) == [])
  }

  /// What is left when marked passages of one kind are taken out and the marks of the other; line ends are dropped.
  private static func reading(_ marked: [UInt8], without open: [UInt8], _ close: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    var isInside = false
    var index = 0
    let marks = ["[-", "-]", "{+", "+}"].map { bytes($0) }
    while index < marked.count {
      let pair = Array(marked[index..<min(index + 2, marked.count)])
      if marks.contains(pair) {
        if pair == open { isInside = true }
        if pair == close { isInside = false }
        index += 2
      } else {
        if !isInside && marked[index] != 0x0A { output.append(marked[index]) }
        index += 1
      }
    }
    return output
  }

  @Test("holds both texts", arguments: 0..<200 as Range<UInt64>)
  func holdsBoth(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let words = ["a", "b", "see", " ", "  ", "\n", ".", ",", "\u{E9}"]
    func passage() -> [UInt8] {
      bytes(
        (0..<Int.random(in: 0...25, using: &generator)).map { _ in
          words[Int.random(in: 0..<words.count, using: &generator)]
        }.joined())
    }
    let (old, new) = (passage(), passage())
    let marked = WordDiff.render(old: old, new: new)
    #expect(Self.reading(marked, without: bytes("{+"), bytes("+}")) == old.filter { $0 != 0x0A })
    #expect(Self.reading(marked, without: bytes("[-"), bytes("-]")) == new.filter { $0 != 0x0A })
  }
}
