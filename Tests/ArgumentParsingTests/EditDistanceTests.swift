import ArgumentParsing
import TestSupport
import Testing

@Suite("Edit distance") struct EditDistanceTests {
  @Test(
    "counts insertions, deletions, replacements and swaps",
    arguments: [
      ("", "", 0), ("", "abc", 3), ("save", "save", 0), ("sav", "save", 1), ("svae", "save", 1),
      ("kitten", "sitting", 3), ("ca", "abc", 3), ("log", "stats", 5),
    ])
  func counts(left: String, right: String, distance: Int) {
    #expect(EditDistance.between(Array(left.utf8), Array(right.utf8)) == distance)
    #expect(EditDistance.between(Array(right.utf8), Array(left.utf8)) == distance)
  }

  @Test("finds the nearest candidate, and none where all are far")
  func nearest() {
    #expect(EditDistance.closest(to: Array("stauts".utf8), among: ["save", "show", "status"]) == "status")
    #expect(EditDistance.closest(to: Array("x".utf8), among: ["rm", "mv"]) == nil)
    #expect(EditDistance.closest(to: [UInt8](repeating: 0x61, count: 1_000_000), among: ["a"]) == nil)
    #expect(EditDistance.closest(to: [], among: []) == nil)
  }

  @Test("is zero for equal words only and at most the longer length", arguments: 0..<100 as Range<UInt64>)
  func bounds(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let words = (0..<2).map { _ in
      (0..<Int.random(in: 0...6, using: &generator)).map { _ in UInt8.random(in: 97...99, using: &generator) }
    }
    let distance = EditDistance.between(words[0], words[1])
    #expect((distance == 0) == (words[0] == words[1]))
    #expect(distance <= max(words[0].count, words[1].count))
    #expect(distance >= abs(words[0].count - words[1].count))
  }
}
