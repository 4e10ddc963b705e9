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

/// Puts together the changes of both sides that overlap or touch in the base.
private struct ChangePairs: IteratorProtocol {
  /// The base's lines from the first to the last of changes that touch, and by how many lines either side grew.
  struct Pair {
    var base: Range<Int>
    var oursGrowth = 0
    var theirsGrowth = 0
    var hasOurs = false
    var hasTheirs = false

    func origin(isAlike: Bool) -> MergeRegion.Origin {
      switch (hasOurs, hasTheirs) {
      case (true, true): isAlike ? .both : .conflict
      case (false, true): .theirs
      default: .ours
      }
    }
  }

  private var ours: ArraySlice<Hunk>
  private var theirs: ArraySlice<Hunk>

  init(ours: [Hunk], theirs: [Hunk]) {
    self.ours = ours[...]
    self.theirs = theirs[...]
  }

  mutating func next() -> Pair? {
    let starts = [ours.first, theirs.first].compactMap { $0?.old.lowerBound }
    guard let start = starts.min() else { return nil }
    var pair = Pair(base: start..<start)
    var hasGrown = true
    while hasGrown {
      hasGrown = false
      if let hunk = ours.first, hunk.old.lowerBound <= pair.base.upperBound {
        pair.base = start..<max(pair.base.upperBound, hunk.old.upperBound)
        pair.oursGrowth += hunk.new.count - hunk.old.count
        pair.hasOurs = true
        ours.removeFirst()
        hasGrown = true
      }
      if let hunk = theirs.first, hunk.old.lowerBound <= pair.base.upperBound {
        pair.base = start..<max(pair.base.upperBound, hunk.old.upperBound)
        pair.theirsGrowth += hunk.new.count - hunk.old.count
        pair.hasTheirs = true
        theirs.removeFirst()
        hasGrown = true
      }
    }
    return pair
  }
}
