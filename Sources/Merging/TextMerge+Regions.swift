internal import Diffing

extension TextMerge {
  /// Lays the changes of both sides over each other.
  static func regions(base: LineTable, ours: LineTable, theirs: LineTable) -> [MergeRegion] {
    var changes = ChangePairs(
      ours: LineDiff(old: base, new: ours).hunks, theirs: LineDiff(old: base, new: theirs).hunks)
    var regions: [MergeRegion] = []
    var (baseLine, oursLine, theirsLine) = (0, 0, 0)

    func append(_ origin: MergeRegion.Origin, _ baseCount: Int, _ oursCount: Int, _ theirsCount: Int) {
      regions.append(
        MergeRegion(
          origin: origin, base: baseLine..<baseLine + baseCount, ours: oursLine..<oursLine + oursCount,
          theirs: theirsLine..<theirsLine + theirsCount))
      baseLine += baseCount
      oursLine += oursCount
      theirsLine += theirsCount
    }

    while let pair = changes.next() {
      let unchanged = pair.base.lowerBound - baseLine
      if unchanged > 0 { append(.unchanged, unchanged, unchanged, unchanged) }
      let oursCount = pair.base.count + pair.oursGrowth
      let theirsCount = pair.base.count + pair.theirsGrowth
      let isAlike =
        ours.ids[oursLine..<oursLine + oursCount] == theirs.ids[theirsLine..<theirsLine + theirsCount]
      append(pair.origin(isAlike: isAlike), pair.base.count, oursCount, theirsCount)
    }
    let rest = base.count - baseLine
    if rest > 0 { append(.unchanged, rest, rest, rest) }
    return regions
  }
}
