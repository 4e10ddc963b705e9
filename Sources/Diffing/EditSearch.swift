/// Finds the shortest edit script in linear space, by splitting at the middle of a shortest path.
///
/// A rectangle whose script would need more than ``costLimit`` edits from both ends is split at elements that occur once
/// on each side, else at the point that was reached with the most progress. When ``budget`` is used up the limit falls,
/// so that the whole work stays proportional to the length of the sequences.
///
/// Source: Eugene W. Myers, "An O(ND) difference algorithm and its variations", Algorithmica 1 (1986), section 4b.
struct EditSearch {
  private(set) var oldChanged: [Bool]
  private(set) var newChanged: [Bool]

  private let old: [Int32]
  private let new: [Int32]
  private var anchors: AnchorSearch
  // The furthest old position on each diagonal (old minus new position), from either end.
  private var forward: [Int32]
  private var backward: [Int32]
  private var budget: Int

  private static let costLimit = 256
  private static let smallCostLimit = 32

  /// A part of both sequences that is still to be compared.
  struct Rectangle {
    var old: Range<Int>
    var new: Range<Int>
  }

  private enum Split {
    case at(old: Int, new: Int)
    case tooFar(old: Int, new: Int)
  }

  init(old: [Int32], new: [Int32], numberCount: Int) {
    self.old = old
    self.new = new
    oldChanged = [Bool](repeating: false, count: old.count)
    newChanged = [Bool](repeating: false, count: new.count)
    anchors = AnchorSearch(numberCount: numberCount)
    forward = []
    backward = []
    budget = 2_000_000 + 64 * (old.count + new.count)
  }

  /// Marks what has no partner.
  mutating func run() {
    var pending = [Rectangle(old: 0..<old.count, new: 0..<new.count)]
    while let whole = pending.popLast() {
      let rectangle = trimmed(whole)
      if rectangle.old.isEmpty || rectangle.new.isEmpty {
        for index in rectangle.old { oldChanged[index] = true }
        for index in rectangle.new { newChanged[index] = true }
        continue
      }
      let mayAnchor = budget > 0
      switch split(rectangle, limit: mayAnchor ? Self.costLimit : Self.smallCostLimit) {
      case .at(let oldMiddle, let newMiddle):
        pending += Self.halves(of: rectangle, old: oldMiddle, new: newMiddle)
      case .tooFar(let oldFurthest, let newFurthest):
        let parts = mayAnchor ? anchored(rectangle) : []
        pending +=
          parts.isEmpty ? Self.halves(of: rectangle, old: oldFurthest, new: newFurthest) : parts
      }
    }
  }

  private static func halves(of whole: Rectangle, old: Int, new: Int) -> [Rectangle] {
    [
      Rectangle(old: whole.old.lowerBound..<old, new: whole.new.lowerBound..<new),
      Rectangle(old: old..<whole.old.upperBound, new: new..<whole.new.upperBound),
    ]
  }

  private func trimmed(_ whole: Rectangle) -> Rectangle {
    var (oldLow, oldHigh) = (whole.old.lowerBound, whole.old.upperBound)
    var (newLow, newHigh) = (whole.new.lowerBound, whole.new.upperBound)
    while oldLow < oldHigh && newLow < newHigh && old[oldLow] == new[newLow] {
      oldLow += 1
      newLow += 1
    }
    while oldLow < oldHigh && newLow < newHigh && old[oldHigh - 1] == new[newHigh - 1] {
      oldHigh -= 1
      newHigh -= 1
    }
    return Rectangle(old: oldLow..<oldHigh, new: newLow..<newHigh)
  }

  private mutating func anchored(_ rectangle: Rectangle) -> [Rectangle] {
    budget -= 8 * (rectangle.old.count + rectangle.new.count)
    return anchors.parts(of: rectangle, old: old, new: new)
  }

  private mutating func split(_ rectangle: Rectangle, limit: Int) -> Split {
    if forward.isEmpty {
      forward = [Int32](repeating: 0, count: old.count + new.count + 3)
      backward = forward
    }
    let result = old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in
        forward.withUnsafeMutableBufferPointer { forward in
          backward.withUnsafeMutableBufferPointer { backward in
            var search = MiddleSearch(
              old: old, new: new, rectangle: rectangle, forward: forward, backward: backward)
            let point = search.run(limit: limit)
            return (point, search.cost)
          }
        }
      }
    }
    budget -= result.1 * result.1 + 16
    let point = result.0
    return point.isMeeting
      ? .at(old: point.old, new: point.new) : .tooFar(old: point.old, new: point.new)
  }
}
