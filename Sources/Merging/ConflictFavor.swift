internal import Diffing

/// Which lines are taken where both sides changed them.
public enum ConflictFavor: Hashable, Sendable {
  case ours
  case theirs
  /// Both, ours first.
  case union
}

extension TextMerge {
  /// The merged bytes with conflicts settled in favour of a side; a style says how wide a conflict is.
  ///
  /// Between the lines of both sides a missing line end is written as the lines around end.
  ///
  /// Source: git, "xdiff/xmerge.c", function `xdl_fill_merge_buffer`.
  public func bytes(favoring favor: ConflictFavor, in style: ConflictStyle = .merge) -> [UInt8] {
    var merged: [UInt8] = []
    for region in regions(in: style) {
      let other = theirs.bytes(ofLines: region.theirs)
      switch (region.origin, favor) {
      case (.conflict, .theirs): merged += other
      case (.conflict, .union):
        let mine = ours.bytes(ofLines: region.ours)
        merged += mine
        if let last = mine.last, last != 0x0A, !other.isEmpty {
          merged += ConflictMarkers.usesCarriageReturn(self, at: region) ? [0x0D, 0x0A] : [0x0A]
        }
        merged += other
      default: merged += bytes(of: region)
      }
    }
    return merged
  }
}
