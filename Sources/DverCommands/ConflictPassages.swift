import Diffing
import Merging

/// A text in conflict as passages: those that merge, and those about which somebody decides.
struct ConflictPassages {
  /// What somebody chose for one passage.
  enum Choice: Equatable {
    case ours, theirs, both, base
    case text([UInt8])
  }

  /// A passage in conflict.
  struct Hunk {
    let place: Int
    let ours: [UInt8]
    let base: [UInt8]
    let theirs: [UInt8]
    /// The lines that it takes in ours, from 1.
    let lines: ClosedRange<Int>?
    /// The merged lines before and behind it, at most three.
    let before: [UInt8]
    let after: [UInt8]
  }

  let hasBase: Bool
  private let merge: TextMerge
  private let regions: [MergeRegion]

  init(_ texts: ConflictTexts) {
    if let base = texts.base {
      let merge = TextMerge(base: base, ours: texts.current, theirs: texts.other)
      // As wide as the changes: both sides' lines stay together, also where some are alike.
      let regions = merge.regions(in: .diff3)
      if regions.contains(where: { $0.origin == .conflict }) {
        (self.merge, self.regions, hasBase) = (merge, regions, true)
        return
      }
    }
    // Without a base, or where the lines merge to something that the format doesn't allow, all is one change: what is alike
    // tells the places apart.
    merge = TextMerge(base: [], ours: texts.current, theirs: texts.other)
    regions = merge.regions(in: .merge)
    hasBase = false
  }

  var hunks: [Hunk] {
    regions.indices.filter { regions[$0].origin == .conflict }.map { place in
      let region = regions[place]
      return Hunk(
        place: place, ours: Array(merge.ours.bytes(ofLines: region.ours)),
        base: Array(merge.base.bytes(ofLines: region.base)), theirs: Array(merge.theirs.bytes(ofLines: region.theirs)),
        lines: region.ours.isEmpty ? nil : region.ours.lowerBound + 1...region.ours.upperBound,
        before: place > 0 ? context(regions[place - 1], fromEnd: true) : [],
        after: place + 1 < regions.count ? context(regions[place + 1], fromEnd: false) : [])
    }
  }

  private static let contextCount = 3

  private func context(_ region: MergeRegion, fromEnd: Bool) -> [UInt8] {
    guard region.origin != .conflict else { return [] }
    let (table, lines) = region.origin == .theirs ? (merge.theirs, region.theirs) : (merge.ours, region.ours)
    let count = min(Self.contextCount, lines.count)
    return Array(
      table.bytes(
        ofLines: fromEnd
          ? lines.upperBound - count..<lines.upperBound : lines.lowerBound..<lines.lowerBound + count))
  }

  /// The whole text with a choice for each passage in conflict, by its place.
  func text(_ choices: [Int: Choice]) -> [UInt8] {
    var text: [UInt8] = []
    for (place, region) in regions.enumerated() {
      let piece: [UInt8]
      if region.origin == .conflict {
        let ours = Array(merge.ours.bytes(ofLines: region.ours))
        let theirs = Array(merge.theirs.bytes(ofLines: region.theirs))
        piece =
          switch choices[place] ?? .ours {
          case .ours: ours
          case .theirs: theirs
          case .both: both(ours, theirs)
          case .base: Array(merge.base.bytes(ofLines: region.base))
          case .text(let bytes): bytes
          }
      } else {
        let isTheirs = region.origin == .theirs
        piece = Array(
          isTheirs ? merge.theirs.bytes(ofLines: region.theirs) : merge.ours.bytes(ofLines: region.ours))
      }
      append(piece, to: &text)
    }
    return text
  }

  private func both(_ ours: [UInt8], _ theirs: [UInt8]) -> [UInt8] {
    var both = ours
    append(theirs, to: &both)
    return both
  }

  /// Puts a piece behind a text, with a line end between them where the text has none.
  private func append(_ piece: [UInt8], to text: inout [UInt8]) {
    if let last = text.last, last != 0x0A, !piece.isEmpty { text += lineEnd }
    text += piece
  }

  /// As the first line of ours ends.
  private var lineEnd: [UInt8] {
    let first = merge.ours.count > 0 ? merge.ours[0] : []
    return first.suffix(2).elementsEqual([0x0D, 0x0A]) ? [0x0D, 0x0A] : [0x0A]
  }
}
