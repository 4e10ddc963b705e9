import Diffing
import Glibc
import TestSupport
import Testing

@testable import Merging

/// Mutated documents through all merges and checks. `DVER_FUZZ_SECONDS` makes it go on for longer than its few rounds,
/// `DVER_FUZZ_SEED` begin elsewhere.
@Suite("Anything at all") struct MergeFuzzTests {
  private static let rounds = 150 as UInt64

  private static func number(_ variable: String) -> UInt64? {
    getenv(variable).flatMap { UInt64(String(cString: $0)) }
  }

  @Test("merges the same from either side, keeps to its rules and never traps")
  func mutations() {
    let start = Self.number("DVER_FUZZ_SEED") ?? 0
    let end = ContinuousClock.now + .seconds(Int64(clamping: Self.number("DVER_FUZZ_SECONDS") ?? 0))
    var seed = start
    while seed - start < Self.rounds || ContinuousClock.now < end {
      Self.round(seed)
      seed += 1
    }
    if seed - start > Self.rounds { print("fuzzed \(seed - start) rounds") }
  }

  private static func round(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let document = FuzzDocument(using: &generator)
    let base = document.bytes
    let ours = document.mutated(using: &generator)
    let theirs = document.mutated(using: &generator)
    let path = bytes(document.path)
    for granularity in [MergeOptions.Granularity.line, .word] {
      let options = MergeOptions(granularity: granularity)
      func merge(_ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8]) -> MergeOutcome {
        MergeDriver.mergeContents(path: path, base: base, ours: ours, theirs: theirs, options: options)
      }
      let outcome = merge(base, ours, theirs)
      let back = merge(base, theirs, ours)
      #expect(outcome.content == back.content && outcome.conflictCount == back.conflictCount, "\(seed)")
      #expect(merge(base, ours, base) == .clean(ours) && merge(base, base, ours) == .clean(ours), "\(seed)")
      #expect(merge(base, ours, ours) == .clean(ours), "\(seed)")
      if let merged = outcome.content { checkClean(merged, path, base, ours, theirs, seed) }
    }
    checkMarkers(base, ours, theirs, seed)
    checkDocumentMarkers(base, ours, theirs, seed)
    checkDocumentMarkers(nil, ours, theirs, seed)
    checkParsers(ours, seed)
  }

  /// What is well formed stays so; no byte but line ends, marks and commas comes from nowhere.
  private static func checkClean(
    _ merged: [UInt8], _ path: [UInt8], _ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8], _ seed: UInt64
  ) {
    if let format = DocumentFormat(path: path, base: base, ours: ours, theirs: theirs), base != ours, base != theirs,
      ours != theirs
    {
      #expect(format.accepts(merged), "\(seed)")
    }
    let isUTF16 = UTF16Text.Order(of: merged) != nil
    #expect(!isUTF16 || merged.count % 2 == 0 || [base, ours, theirs].contains(merged), "\(seed)")
  }

  private static func checkMarkers(_ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8], _ seed: UInt64) {
    // A last line that ends with a lone CR can't be told from one with CR LF once it has got a line feed, in git neither.
    guard ![base, ours, theirs].contains(where: { $0.last == 0x0D }) else { return }
    let merge = TextMerge(base: base, ours: ours, theirs: theirs)
    for style in [ConflictStyle.merge, .diff3, .zdiff3] {
      let marked = ConflictMarkers.render(
        base: base, ours: ours, theirs: theirs, labels: ConflictLabels(ours: bytes("a")), style: style)
      guard let marked, marked.conflictCount > 0 else { continue }
      let conflicts = merge.regions(in: style).filter { $0.origin == .conflict }
      let read = MarkedConflict.all(in: marked)
      #expect(
        read.map(\.ours) == conflicts.map { MarkedConflict.completed(merge.ours.bytes(ofLines: $0.ours)) }, "\(seed)")
      #expect(
        read.map(\.theirs) == conflicts.map { MarkedConflict.completed(merge.theirs.bytes(ofLines: $0.theirs)) },
        "\(seed)")
    }
  }

  /// Where the sides differ there are markers, which are found again; the encoding stays.
  private static func checkDocumentMarkers(_ base: [UInt8]?, _ ours: [UInt8], _ theirs: [UInt8], _ seed: UInt64) {
    let versions = [base ?? [], ours, theirs]
    let labels = ConflictLabels(ours: bytes("\u{1F600}\u{E4}"), theirs: [0xFF, 0xC3])
    let isWide = versions.contains { UTF16Text.Order(of: $0) != nil }
    guard let marked = ConflictMarkers.renderDocument(base: base, ours: ours, theirs: theirs, labels: labels) else {
      #expect(isWide || versions.contains(where: BinaryDetection.isBinary), "\(seed)")
      return
    }
    #expect((marked.conflictCount > 0) == (ours != theirs), "\(seed)")
    #expect(
      ConflictMarkers.areLeft(in: marked.bytes, size: marked.markerSize) == (marked.conflictCount > 0), "\(seed)")
    guard isWide else { return }
    let order = versions.compactMap { UTF16Text.Order(of: $0) }.first
    #expect(UTF16Text.Order(of: marked.bytes) == order && marked.bytes.count.isMultiple(of: 2), "\(seed)")
  }

  private static func checkParsers(_ content: [UInt8], _ seed: UInt64) {
    _ = XMLCheck.isWellFormed(content)
    _ = YAMLCheck.isSound(content)
    let document = JSONDocument(content)
    if (try? JSONValue(parsing: content)) != nil { #expect(document != nil, "\(seed): \(content)") }
    _ = JSONMerge.merge(base: content, ours: content.reversed(), theirs: content)
    if let units = UTF16Text.decoded([[0xFF, 0xFE] + content + (content.count % 2 == 0 ? [] : [0x20])]) {
      #expect(
        UTF16Text.encoded(units[0], like: [[0xFF, 0xFE]])
          == [0xFF, 0xFE] + content + (content.count % 2 == 0 ? [] : [0x20]), "\(seed)")
    }
  }
}
