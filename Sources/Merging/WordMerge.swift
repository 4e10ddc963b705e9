internal import Diffing

/// A second look at the conflicts of a merge by lines: edits in different sentences of a passage are put together.
///
/// Between an edit of one side and one of the other there must be the end of a sentence and at least
/// ``leastWordCount`` words that nobody changed; else it remains a conflict.
enum WordMerge {
  /// The least number of unchanged words between edits that are no conflict.
  static let leastWordCount = 4
  /// Longer passages are left alone, in bytes.
  private static let greatestByteCount = 1 << 20

  /// The merged bytes, or `nil` where a conflict remains.
  static func merge(_ text: TextMerge) -> [UInt8]? {
    var merged: [UInt8] = []
    for region in text.regions {
      if region.origin != .conflict {
        merged += text.bytes(of: region)
      } else if let passage = merge(
        text.base.bytes(ofLines: region.base), text.ours.bytes(ofLines: region.ours),
        text.theirs.bytes(ofLines: region.theirs))
      {
        merged += passage
      } else {
        return nil
      }
    }
    return merged
  }

  private static func merge(
    _ base: ArraySlice<UInt8>, _ ours: ArraySlice<UInt8>, _ theirs: ArraySlice<UInt8>
  ) -> [UInt8]? {
    guard !base.isEmpty, max(base.count, ours.count, theirs.count) <= greatestByteCount else { return nil }
    let words = WordTexts(base: base, ours: ours, theirs: theirs)
    var our = SequenceDiff(old: words.base.ids, new: words.ours.ids).hunks[...]
    var their = SequenceDiff(old: words.base.ids, new: words.theirs.ids).hunks[...]
    var merged: [UInt8] = []
    var reached = 0
    var last: Edit?
    while let edit = nextEdit(&our, &their, words) {
      if let last, last.side != edit.side, last.side != .both, edit.side != .both,
        !words.base.separates(last.old.upperBound..<max(edit.old.lowerBound, last.old.upperBound))
      {
        return nil
      }
      guard edit.old.lowerBound >= reached else { return nil }
      merged += words.base.bytes(reached..<edit.old.lowerBound)
      merged += edit.new
      reached = edit.old.upperBound
      last = edit
    }
    merged += words.base.bytes(reached..<words.base.ids.count)
    return merged
  }

  private enum Side { case ours, theirs, both }

  private struct Edit {
    let side: Side
    let old: Range<Int>
    let new: ArraySlice<UInt8>
  }

  private static func nextEdit(
    _ our: inout ArraySlice<Hunk>, _ their: inout ArraySlice<Hunk>, _ words: WordTexts
  ) -> Edit? {
    guard let mine = our.first else {
      return their.popFirst().map { Edit(side: .theirs, old: $0.old, new: words.theirs.bytes($0.new)) }
    }
    guard let other = their.first, other.old.lowerBound <= mine.old.lowerBound else {
      our.removeFirst()
      return Edit(side: .ours, old: mine.old, new: words.ours.bytes(mine.new))
    }
    their.removeFirst()
    if mine.old == other.old, words.ours.bytes(mine.new) == words.theirs.bytes(other.new) {
      our.removeFirst()
      return Edit(side: .both, old: mine.old, new: words.ours.bytes(mine.new))
    }
    return Edit(side: .theirs, old: other.old, new: words.theirs.bytes(other.new))
  }
}
