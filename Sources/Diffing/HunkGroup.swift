/// Hunks that are shown together, with the unchanged lines around them.
struct HunkGroup {
  let hunks: ArraySlice<Hunk>
  /// The lines shown, context included.
  let old: Range<Int>
  let new: Range<Int>

  /// Puts hunks together whose context touches or overlaps.
  static func groups(of diff: LineDiff, context: Int) -> [HunkGroup] {
    // More context than there are lines is all of them; this also keeps the sums below from overflowing.
    let context = min(max(context, 0), max(diff.old.count, diff.new.count))
    var groups: [HunkGroup] = []
    var first = 0
    while first < diff.hunks.count {
      var end = first + 1
      while end < diff.hunks.count,
        diff.hunks[end].old.lowerBound - diff.hunks[end - 1].old.upperBound <= 2 * context
      {
        end += 1
      }
      groups.append(HunkGroup(diff.hunks[first..<end], of: diff, context: context))
      first = end
    }
    return groups
  }

  private init(_ hunks: ArraySlice<Hunk>, of diff: LineDiff, context: Int) {
    self.hunks = hunks
    let first = hunks[hunks.startIndex]
    let last = hunks[hunks.endIndex - 1]
    // Before and behind a hunk both texts are alike, so the context has one length on both sides.
    let before = min(context, first.old.lowerBound, first.new.lowerBound)
    let behind = min(
      context, diff.old.count - last.old.upperBound, diff.new.count - last.new.upperBound)
    old = first.old.lowerBound - before..<last.old.upperBound + behind
    new = first.new.lowerBound - before..<last.new.upperBound + behind
  }

  /// The line `@@ -old +new @@`, with its line feed.
  var header: [UInt8] {
    Array("@@ -\(Self.position(of: old)) +\(Self.position(of: new)) @@\n".utf8)
  }

  /// Lines count from 1; an empty range names the line before it; a count of one is left out.
  private static func position(of lines: Range<Int>) -> String {
    switch lines.count {
    case 0: "\(lines.lowerBound),0"
    case 1: "\(lines.lowerBound + 1)"
    default: "\(lines.lowerBound + 1),\(lines.count)"
    }
  }
}
