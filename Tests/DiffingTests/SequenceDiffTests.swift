import Diffing
import TestSupport
import Testing

@Suite("The difference of two sequences") struct SequenceDiffTests {
  /// The length of the longest common subsequence, the slow way.
  private static func commonLength(_ a: [Int32], _ b: [Int32]) -> Int {
    var row = [Int](repeating: 0, count: b.count + 1)
    for element in a {
      var diagonal = 0
      for (index, other) in b.enumerated() {
        let above = row[index + 1]
        row[index + 1] = element == other ? diagonal + 1 : max(above, row[index])
        diagonal = above
      }
    }
    return row[b.count]
  }

  /// Whether what is left of both sides is the same.
  private static func isCommonRestEqual(_ diff: SequenceDiff, _ old: [Int32], _ new: [Int32]) -> Bool {
    zip(old, diff.oldChanged).filter { !$0.1 }.map(\.0) == zip(new, diff.newChanged).filter { !$0.1 }.map(\.0)
  }

  private static func random(
    _ count: Int, below bound: Int32, _ generator: inout SeededGenerator
  ) -> [Int32] {
    (0..<count).map { _ in Int32.random(in: 0..<bound, using: &generator) }
  }

  @Test("is the shortest for small sequences", arguments: 0..<400 as Range<UInt64>)
  func isShortest(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let bound = Int32.random(in: 1...6, using: &generator)
    let old = Self.random(Int.random(in: 0...40, using: &generator), below: bound, &generator)
    let new = Self.random(Int.random(in: 0...40, using: &generator), below: bound, &generator)
    let diff = SequenceDiff(old: old, new: new)
    #expect(Self.isCommonRestEqual(diff, old, new))
    #expect(diff.oldChanged.count(where: { !$0 }) == Self.commonLength(old, new))
  }

  @Test("leads from the old to the new where it is too long to be the shortest", arguments: 0..<6 as Range<UInt64>)
  func coarse(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let bound: Int32 = [2, 5, 50, 500, 2_000, 100_000][Int(seed)]
    let old = Self.random(2_500, below: bound, &generator)
    let new = Self.random(2_500, below: bound, &generator)
    let diff = SequenceDiff(old: old, new: new)
    #expect(Self.isCommonRestEqual(diff, old, new))
    #expect(diff.hunks == SequenceDiff(old: old, new: new).hunks)
  }

  @Test("ends for reversed and shuffled sequences, and finds a common order")
  func reversed() {
    var generator = SeededGenerator(seed: 7)
    let old = Array(0..<10_000 as Range<Int32>)
    for new in [Array(old.reversed()), old.shuffled(using: &generator)] {
      let diff = SequenceDiff(old: old, new: new)
      #expect(Self.isCommonRestEqual(diff, old, new))
      #expect(diff.oldChanged.contains(false))
    }
  }

  @Test("finds far moves of unique elements though the whole is too different for an exact search")
  func anchors() {
    // Every second element is replaced by one that occurs elsewhere, so nothing is dropped beforehand.
    let old = Array(0..<4_000 as Range<Int32>)
    let new = old.map { $0 % 2 == 0 ? $0 : 3_999 - ($0 * 7 % 4_000) | 1 }
    let diff = SequenceDiff(old: old, new: new)
    #expect(Self.isCommonRestEqual(diff, old, new))
    #expect(diff.oldChanged.count(where: { !$0 }) >= 1_000)
  }

  struct Row: CustomTestStringConvertible {
    let testDescription: String
    let old: [Int32]
    let new: [Int32]
    let hunks: [Hunk]
  }

  @Test(
    "has hunks at settled places",
    arguments: [
      Row(testDescription: "equal", old: [1, 2], new: [1, 2], hunks: []),
      Row(testDescription: "both empty", old: [], new: [], hunks: []),
      Row(testDescription: "from empty", old: [], new: [1, 2], hunks: [Hunk(old: 0..<0, new: 0..<2)]),
      Row(testDescription: "to empty", old: [1], new: [], hunks: [Hunk(old: 0..<1, new: 0..<0)]),
      Row(
        testDescription: "an insertion among equals stands last", old: [1, 2, 2, 3], new: [1, 2, 2, 2, 3],
        hunks: [Hunk(old: 3..<3, new: 3..<4)]),
      Row(
        testDescription: "a block with equal ends stands last", old: [1, 9, 2, 9],
        new: [1, 9, 3, 9, 2, 9], hunks: [Hunk(old: 2..<2, new: 2..<4)]),
      Row(
        testDescription: "two places", old: [1, 2, 3, 4, 5], new: [1, 7, 3, 4, 4, 5],
        hunks: [Hunk(old: 1..<2, new: 1..<2), Hunk(old: 4..<4, new: 4..<5)]),
      Row(
        testDescription: "a run slides to stand opposite the other side's", old: [1, 5, 2, 2, 6],
        new: [1, 5, 2, 7, 6], hunks: [Hunk(old: 3..<4, new: 3..<4)]),
    ])
  func hunks(_ row: Row) {
    #expect(SequenceDiff(old: row.old, new: row.new).hunks == row.hunks)
  }
}
