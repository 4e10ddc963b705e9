internal import Diffing

extension TextMerge {
  /// The passages as a style shows them: with conflicts narrowed to what differs.
  ///
  /// Source: git, "xdiff/xmerge.c", functions `xdl_refine_conflicts`, `xdl_refine_zdiff3_conflicts` and
  /// `xdl_simplify_non_conflicts`, whose result it follows.
  public func regions(in style: ConflictStyle) -> [MergeRegion] {
    switch style {
    case .diff3: regions
    case .zdiff3: regions.flatMap { $0.origin == .conflict ? trimmed($0) : [$0] }
    case .merge: joined(regions.flatMap { $0.origin == .conflict ? split($0) : [$0] })
    }
  }

  /// Takes out the first and last lines that both sides share.
  private func trimmed(_ conflict: MergeRegion) -> [MergeRegion] {
    let ourIDs = ours.ids[conflict.ours]
    let theirIDs = theirs.ids[conflict.theirs]
    let shorter = min(ourIDs.count, theirIDs.count)
    let prefix = zip(ourIDs, theirIDs).prefix { $0 == $1 }.count
    let suffix = zip(ourIDs.reversed(), theirIDs.reversed()).prefix { $0 == $1 }.prefix(shorter - prefix).count
    return Self.pieces(
      of: conflict,
      differing: [
        Hunk(old: prefix..<ourIDs.count - suffix, new: prefix..<theirIDs.count - suffix)
      ])
  }

  /// Splits a conflict at lines that both sides share.
  private func split(_ conflict: MergeRegion) -> [MergeRegion] {
    guard !conflict.ours.isEmpty, !conflict.theirs.isEmpty else { return [conflict] }
    let difference = SequenceDiff(
      old: Array(ours.ids[conflict.ours]), new: Array(theirs.ids[conflict.theirs]))
    return Self.pieces(of: conflict, differing: difference.hunks)
  }

  /// Cuts a conflict: what differs stays one, the rest is agreed on. The first conflict keeps the base's lines.
  private static func pieces(of conflict: MergeRegion, differing hunks: [Hunk]) -> [MergeRegion] {
    var pieces: [MergeRegion] = []
    var ours = conflict.ours.lowerBound
    var theirs = conflict.theirs.lowerBound
    var base = conflict.base.lowerBound

    func appendShared(_ count: Int) {
      guard count > 0 else { return }
      pieces.append(
        MergeRegion(
          origin: .both, base: base..<base, ours: ours..<ours + count, theirs: theirs..<theirs + count))
      ours += count
      theirs += count
    }

    for hunk in hunks {
      appendShared(conflict.ours.lowerBound + hunk.old.lowerBound - ours)
      pieces.append(
        MergeRegion(
          origin: .conflict, base: base..<conflict.base.upperBound, ours: ours..<ours + hunk.old.count,
          theirs: theirs..<theirs + hunk.new.count))
      base = conflict.base.upperBound
      ours += hunk.old.count
      theirs += hunk.new.count
    }
    appendShared(conflict.ours.upperBound - ours)
    return pieces
  }

  /// Makes one conflict of two with at most three lines between them, or only lines without a letter or digit.
  private func joined(_ regions: [MergeRegion]) -> [MergeRegion] {
    var joined: [MergeRegion] = []
    // Where in `joined` the last conflict is, while nothing but agreed lines follow it.
    var open: Int?
    for region in regions {
      switch region.origin {
      case .unchanged, .both: break
      case .ours, .theirs: open = nil
      case .conflict:
        if let first = open, isNegligible(joined[first].ours.upperBound..<region.ours.lowerBound) {
          let conflict = joined[first]
          joined.removeSubrange(first...)
          joined.append(
            MergeRegion(
              origin: .conflict, base: conflict.base.lowerBound..<region.base.upperBound,
              ours: conflict.ours.lowerBound..<region.ours.upperBound,
              theirs: conflict.theirs.lowerBound..<region.theirs.upperBound))
          continue
        }
        open = joined.count
      }
      joined.append(region)
    }
    return joined
  }

  private func isNegligible(_ lines: Range<Int>) -> Bool {
    lines.count <= 3
      || !ours.bytes(ofLines: lines).contains { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
      }
  }
}
