/// Walks from both corners of a rectangle until the paths meet.
///
/// The rectangle is not empty on either side and its ends differ, so that at least two edits lie between its corners.
struct MiddleSearch {
  /// Where to split, and whether the paths met there.
  struct Point {
    let old: Int
    let new: Int
    let isMeeting: Bool
  }

  /// The edits made from each corner so far.
  private(set) var cost = 0

  private let old: UnsafeBufferPointer<Int32>
  private let new: UnsafeBufferPointer<Int32>
  private let forward: UnsafeMutableBufferPointer<Int32>
  private let backward: UnsafeMutableBufferPointer<Int32>
  private let oldLow: Int
  private let oldHigh: Int
  private let newLow: Int
  private let newHigh: Int
  // Diagonals are numbered old position minus new position; the shift makes them indices.
  private let shift: Int
  private var forwardDiagonals: ClosedRange<Int>
  private var backwardDiagonals: ClosedRange<Int>

  init(
    old: UnsafeBufferPointer<Int32>, new: UnsafeBufferPointer<Int32>, rectangle: EditSearch.Rectangle,
    forward: UnsafeMutableBufferPointer<Int32>, backward: UnsafeMutableBufferPointer<Int32>
  ) {
    self.old = old
    self.new = new
    self.forward = forward
    self.backward = backward
    (oldLow, oldHigh) = (rectangle.old.lowerBound, rectangle.old.upperBound)
    (newLow, newHigh) = (rectangle.new.lowerBound, rectangle.new.upperBound)
    shift = new.count + 1
    forwardDiagonals = oldLow - newLow...oldLow - newLow
    backwardDiagonals = oldHigh - newHigh...oldHigh - newHigh
    forward[oldLow - newLow + shift] = Int32(oldLow)
    backward[oldHigh - newHigh + shift] = Int32(oldHigh)
  }

  /// Returns where the paths meet, or after `limit` edits from each side the point with the most progress.
  mutating func run(limit: Int) -> Point {
    let meetsForward = (forwardDiagonals.lowerBound - backwardDiagonals.lowerBound) & 1 != 0
    while true {
      cost += 1
      if let point = stepForward(mayMeet: meetsForward) { return point }
      if let point = stepBackward(mayMeet: !meetsForward) { return point }
      if cost >= limit { return furthest() }
    }
  }

  /// The diagonals after one more edit: one more on each side, or one less where the rectangle ends.
  private func widened(_ diagonals: ClosedRange<Int>, outside: (Int) -> Void) -> ClosedRange<Int> {
    var (low, high) = (diagonals.lowerBound, diagonals.upperBound)
    if low > oldLow - newHigh {
      low -= 1
      outside(low - 1 + shift)
    } else {
      low += 1
    }
    if high < oldHigh - newLow {
      high += 1
      outside(high + 1 + shift)
    } else {
      high -= 1
    }
    return low...high
  }

  private mutating func stepForward(mayMeet: Bool) -> Point? {
    forwardDiagonals = widened(forwardDiagonals) { forward[$0] = -1 }
    var diagonal = forwardDiagonals.upperBound
    while diagonal >= forwardDiagonals.lowerBound {
      let index = diagonal + shift
      let (below, above) = (Int(forward[index - 1]), Int(forward[index + 1]))
      var oldPosition = below >= above ? below + 1 : above
      var newPosition = oldPosition - diagonal
      while oldPosition < oldHigh && newPosition < newHigh && old[oldPosition] == new[newPosition] {
        oldPosition += 1
        newPosition += 1
      }
      forward[index] = Int32(truncatingIfNeeded: oldPosition)
      if mayMeet && backwardDiagonals.contains(diagonal) && Int(backward[index]) <= oldPosition {
        return Point(old: oldPosition, new: newPosition, isMeeting: true)
      }
      diagonal -= 2
    }
    return nil
  }

  private mutating func stepBackward(mayMeet: Bool) -> Point? {
    backwardDiagonals = widened(backwardDiagonals) { backward[$0] = Int32.max }
    var diagonal = backwardDiagonals.upperBound
    while diagonal >= backwardDiagonals.lowerBound {
      let index = diagonal + shift
      let (below, above) = (Int(backward[index - 1]), Int(backward[index + 1]))
      var oldPosition = below < above ? below : above - 1
      var newPosition = oldPosition - diagonal
      while oldPosition > oldLow && newPosition > newLow && old[oldPosition - 1] == new[newPosition - 1] {
        oldPosition -= 1
        newPosition -= 1
      }
      backward[index] = Int32(truncatingIfNeeded: oldPosition)
      if mayMeet && forwardDiagonals.contains(diagonal) && oldPosition <= Int(forward[index]) {
        return Point(old: oldPosition, new: newPosition, isMeeting: true)
      }
      diagonal -= 2
    }
    return nil
  }

  private func furthest() -> Point {
    var ahead = (old: oldLow, new: newLow)
    for diagonal in stride(
      from: forwardDiagonals.lowerBound, through: forwardDiagonals.upperBound, by: 2)
    {
      let position = min(Int(forward[diagonal + shift]), oldHigh, newHigh + diagonal)
      if 2 * position - diagonal > ahead.old + ahead.new { ahead = (position, position - diagonal) }
    }
    var back = (old: oldHigh, new: newHigh)
    for diagonal in stride(
      from: backwardDiagonals.lowerBound, through: backwardDiagonals.upperBound, by: 2)
    {
      let position = max(Int(backward[diagonal + shift]), oldLow, newLow + diagonal)
      if 2 * position - diagonal < back.old + back.new { back = (position, position - diagonal) }
    }
    let progress = ahead.old + ahead.new - oldLow - newLow
    let point = progress >= oldHigh + newHigh - back.old - back.new ? ahead : back
    return Point(old: point.old, new: point.new, isMeeting: false)
  }
}
