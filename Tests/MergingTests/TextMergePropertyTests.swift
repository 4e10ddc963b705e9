import Diffing
import Merging
import TestSupport
import Testing

@Suite("Any three-way merge of texts") struct TextMergePropertyTests {
  /// The lines of a text with their ends.
  private static func lines(_ content: [UInt8]) -> [[UInt8]] {
    let table = LineTable(content)
    return (0..<table.count).map { Array(table[$0]) }
  }

  private static func sample(_ seed: UInt64) -> MergeSample {
    var generator = SeededGenerator(seed: seed)
    return MergeSample(repeats: seed % 2 == 0, using: &generator)
  }

  @Test("with one unchanged side gives the other, by lines too", arguments: 0..<300 as Range<UInt64>)
  func unchangedSide(seed: UInt64) {
    let sample = Self.sample(seed)
    let (base, side) = (sample.base, sample.ours)
    #expect(TextMerge.merge(base: base, ours: side, theirs: base) == .clean(side))
    #expect(TextMerge.merge(base: base, ours: base, theirs: side) == .clean(side))
    #expect(TextMerge.merge(base: base, ours: side, theirs: side) == .clean(side))
    // The same without the short cut for equal contents.
    #expect(TextMerge(base: base, ours: side, theirs: base).outcome == .clean(side))
    #expect(TextMerge(base: base, ours: base, theirs: side).outcome == .clean(side))
    #expect(TextMerge(base: base, ours: side, theirs: side).outcome == .clean(side))
  }

  @Test(
    "has the same verdict and the same merged bytes when the sides are swapped", arguments: 0..<600 as Range<UInt64>)
  func isSymmetric(seed: UInt64) {
    let sample = Self.sample(seed)
    let there = TextMerge.merge(base: sample.base, ours: sample.ours, theirs: sample.theirs)
    let back = TextMerge.merge(base: sample.base, ours: sample.theirs, theirs: sample.ours)
    #expect(there.merged == back.merged)
    #expect(there.isClean == back.isClean)
    #expect(
      driverMerge(base: sample.base, ours: sample.ours, theirs: sample.theirs)
        == driverMerge(base: sample.base, ours: sample.theirs, theirs: sample.ours))
  }

  @Test("holds only lines of its inputs", arguments: 0..<400 as Range<UInt64>)
  func linesComeFromInputs(seed: UInt64) {
    let sample = Self.sample(seed)
    guard
      let merged = driverMerge(base: sample.base, ours: sample.ours, theirs: sample.theirs)
    else { return }
    let known = Set([sample.base, sample.ours, sample.theirs].flatMap { Self.lines($0) })
    for line in Self.lines(merged) { #expect(known.contains(line), "\(text(line))") }
  }

  @Test("keeps what neither side deleted and what either put in", arguments: 0..<400 as Range<UInt64>)
  func keeps(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let sample = MergeSample(repeats: false, using: &generator)
    guard
      let merged = driverMerge(base: sample.base, ours: sample.ours, theirs: sample.theirs)
    else { return }
    let (base, ours, theirs) = (
      Set(Self.lines(sample.base)), Set(Self.lines(sample.ours)), Set(Self.lines(sample.theirs))
    )
    let result = Set(Self.lines(merged))
    #expect(result.isSuperset(of: base.intersection(ours).intersection(theirs)))
    #expect(result.isSuperset(of: ours.subtracting(base)))
    #expect(result.isSuperset(of: theirs.subtracting(base)))
    #expect(result.isDisjoint(with: base.subtracting(ours).subtracting(theirs)))
  }

  @Test("lays all lines of the three texts into its passages", arguments: 0..<300 as Range<UInt64>)
  func coversInputs(seed: UInt64) {
    let sample = Self.sample(seed)
    let merge = TextMerge(base: sample.base, ours: sample.ours, theirs: sample.theirs)
    for style in [ConflictStyle.merge, .diff3, .zdiff3] {
      let regions = merge.regions(in: style)
      #expect(Array(regions.map { merge.base.bytes(ofLines: $0.base) }.joined()) == sample.base)
      #expect(Array(regions.map { merge.ours.bytes(ofLines: $0.ours) }.joined()) == sample.ours)
      #expect(Array(regions.map { merge.theirs.bytes(ofLines: $0.theirs) }.joined()) == sample.theirs)
      for region in regions {
        let ours = merge.ours.bytes(ofLines: region.ours)
        let theirs = merge.theirs.bytes(ofLines: region.theirs)
        switch region.origin {
        case .unchanged, .both: #expect(ours == theirs)
        case .ours: #expect(merge.base.bytes(ofLines: region.base) == theirs)
        case .theirs: #expect(merge.base.bytes(ofLines: region.base) == ours)
        case .conflict: #expect(ours != theirs)
        }
      }
    }
  }

  @Test("is a conflict now and then, and clean now and then")
  func samplesAreUseful() {
    let clean = (0..<400 as Range<UInt64>).count { seed in
      let sample = Self.sample(seed)
      return TextMerge(base: sample.base, ours: sample.ours, theirs: sample.theirs).outcome.isClean
    }
    #expect((100...350).contains(clean))
  }
}
