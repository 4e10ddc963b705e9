internal import Diffing

/// Puts together the changes of both sides that overlap or touch in the base.
struct ChangePairs: IteratorProtocol {
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
