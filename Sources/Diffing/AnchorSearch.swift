/// Splits a rectangle at elements that occur exactly once on each side, the most that keep their order.
///
/// Source: Bram Cohen's patience diff; Michael L. Fredman, "On computing the length of longest increasing subsequences",
/// Discrete Mathematics 11 (1975).
struct AnchorSearch {
  private let numberCount: Int
  // For each number the position of its one occurrence; made when first needed.
  private var oldPositions: [Int32] = []
  private var newPositions: [Int32] = []

  private static let absent: Int32 = -1
  private static let repeated: Int32 = -2

  private struct Anchor {
    let old: Int
    let new: Int
    // The anchor before it in the longest chain that ends here.
    let previous: Int?
  }

  init(numberCount: Int) {
    self.numberCount = numberCount
  }

  /// The parts between the anchors, in order, without the anchors; empty if there is no anchor.
  mutating func parts(
    of whole: EditSearch.Rectangle, old: [Int32], new: [Int32]
  ) -> [EditSearch.Rectangle] {
    if oldPositions.isEmpty {
      oldPositions = [Int32](repeating: Self.absent, count: numberCount)
      newPositions = oldPositions
    }
    Self.record(old, in: whole.old, to: &oldPositions)
    Self.record(new, in: whole.new, to: &newPositions)
    let chain = longestChain(in: whole.old, old: old)
    for index in whole.old { oldPositions[Int(old[index])] = Self.absent }
    for index in whole.new { newPositions[Int(new[index])] = Self.absent }
    guard !chain.isEmpty else { return [] }

    var parts: [EditSearch.Rectangle] = []
    var (oldStart, newStart) = (whole.old.lowerBound, whole.new.lowerBound)
    for anchor in chain {
      parts.append(.init(old: oldStart..<anchor.old, new: newStart..<anchor.new))
      (oldStart, newStart) = (anchor.old + 1, anchor.new + 1)
    }
    parts.append(.init(old: oldStart..<whole.old.upperBound, new: newStart..<whole.new.upperBound))
    return parts
  }

  private static func record(_ elements: [Int32], in range: Range<Int>, to positions: inout [Int32]) {
    for index in range {
      let number = Int(elements[index])
      positions[number] = positions[number] == absent ? Int32(truncatingIfNeeded: index) : repeated
    }
  }

  private func longestChain(in range: Range<Int>, old: [Int32]) -> [Anchor] {
    var anchors: [Anchor] = []
    // For each length the anchor with the smallest new position that ends a chain of that length.
    var ends: [Int] = []
    for oldPosition in range {
      let number = Int(old[oldPosition])
      guard oldPositions[number] >= 0, newPositions[number] >= 0 else { continue }
      let newPosition = Int(newPositions[number])
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if anchors[ends[middle]].new < newPosition { low = middle + 1 } else { high = middle }
      }
      anchors.append(Anchor(old: oldPosition, new: newPosition, previous: low > 0 ? ends[low - 1] : nil))
      if low == ends.count { ends.append(anchors.count - 1) } else { ends[low] = anchors.count - 1 }
    }
    var chain: [Anchor] = []
    var next = ends.last
    while let index = next {
      chain.append(anchors[index])
      next = anchors[index].previous
    }
    return chain.reversed()
  }
}
