import Diffing
import TestSupport
import Testing

@testable import Merging

@Suite("Any three-way merge of XML, YAML or JSON") struct StructuredMergeTests {
  private struct Case {
    let base: [UInt8]
    let ours: [UInt8]
    let theirs: [UInt8]
    let format: StructuredSample.Format

    init(seed: UInt64, _ format: StructuredSample.Format) {
      var generator = SeededGenerator(seed: seed)
      let sample = StructuredSample(using: &generator)
      self.format = format
      base = sample.bytes(format)
      ours = sample.edited(using: &generator).bytes(format)
      theirs = sample.edited(using: &generator).bytes(format)
    }

    func merge(_ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8], isByWords: Bool = false) -> MergeOutcome {
      MergeDriver.mergeContents(
        path: bytes("a.\(format.rawValue)"), base: base, ours: ours, theirs: theirs,
        options: MergeOptions(granularity: isByWords ? .word : .line))
    }

    func reading(_ content: [UInt8]) throws -> StructuredReading {
      try #require(StructuredReading(content, format), "\(text(content))")
    }
  }

  private static let seeds = 0..<400 as Range<UInt64>

  @Test("gives the other side where one is unchanged, or both are equal", arguments: StructuredSample.Format.allCases)
  func unchangedSide(format: StructuredSample.Format) {
    for seed in Self.seeds {
      let sample = Case(seed: seed, format)
      let (base, side) = (sample.base, sample.ours)
      #expect(sample.merge(base, side, base) == .clean(side), "\(seed)")
      #expect(sample.merge(base, base, side) == .clean(side), "\(seed)")
      #expect(sample.merge(base, side, side) == .clean(side), "\(seed)")
      // By lines and by structure too, without the short cut for equal contents.
      for (ours, theirs) in [(side, base), (base, side), (side, side)] {
        #expect(TextMerge(base: base, ours: ours, theirs: theirs).outcome == .clean(side), "\(seed)")
        if format == .json { #expect(JSONMerge.merge(base: base, ours: ours, theirs: theirs) == side, "\(seed)") }
      }
    }
  }

  @Test("has the same outcome when the sides are swapped", arguments: StructuredSample.Format.allCases, [false, true])
  func isSymmetric(format: StructuredSample.Format, isByWords: Bool) {
    for seed in Self.seeds {
      let sample = Case(seed: seed, format)
      let there = sample.merge(sample.base, sample.ours, sample.theirs, isByWords: isByWords)
      let back = sample.merge(sample.base, sample.theirs, sample.ours, isByWords: isByWords)
      #expect(there.content == back.content && there.conflictCount == back.conflictCount, "\(seed)")
    }
  }

  @Test(
    "is well formed, of lines of its inputs, with all that is new and without what was deleted",
    arguments: StructuredSample.Format.allCases, [false, true])
  func keeps(format: StructuredSample.Format, isByWords: Bool) throws {
    for seed in Self.seeds {
      let sample = Case(seed: seed, format)
      guard let merged = sample.merge(sample.base, sample.ours, sample.theirs, isByWords: isByWords).content else {
        continue
      }
      let (base, ours, theirs) = try (
        sample.reading(sample.base), sample.reading(sample.ours), sample.reading(sample.theirs)
      )
      let result = try sample.reading(merged)
      // Every text occurs once: what one side deleted or put in is gone or there, and nothing else happened.
      for part in [\StructuredReading.pairs, \.groups] {
        let expected = ours[keyPath: part].intersection(theirs[keyPath: part])
          .union(ours[keyPath: part].subtracting(base[keyPath: part]))
          .union(theirs[keyPath: part].subtracting(base[keyPath: part]))
        #expect(result[keyPath: part] == expected, "\(seed)")
      }
      let known = Set([sample.base, sample.ours, sample.theirs].flatMap { Self.lines($0, format) })
      for line in Self.lines(merged, format) { #expect(known.contains(line), "\(seed): \(line)") }
    }
  }

  /// The lines of a text. Of JSON without the commas at their ends: a last member has none.
  private static func lines(_ content: [UInt8], _ format: StructuredSample.Format) -> [String] {
    String(decoding: content, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map {
      format == .json && $0.hasSuffix(",") ? String($0.dropLast()) : String($0)
    }
  }

  @Test("is clean now and then, a conflict now and then, and refused where lines would give something malformed")
  func samplesAreUseful() {
    var malformed = 0
    for format in StructuredSample.Format.allCases {
      var clean = 0
      for seed in Self.seeds {
        let sample = Case(seed: seed, format)
        let isEasy = sample.base == sample.ours || sample.base == sample.theirs || sample.ours == sample.theirs
        let outcome = sample.merge(sample.base, sample.ours, sample.theirs)
        if outcome.isClean && !isEasy { clean += 1 }
        if case .refused(.malformedResult) = outcome { malformed += 1 }
      }
      #expect((60...360).contains(clean), "\(format): \(clean)")
    }
    #expect(malformed > 0, "\(malformed)")
  }
}
