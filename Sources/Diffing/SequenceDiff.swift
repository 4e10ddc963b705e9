/// The difference of two sequences of numbers: which elements of each have no partner in the other.
///
/// The edit script is the shortest one, except where finding it would cost too much: then it is a longer one that
/// leads there as well. The same sequences always give the same difference. Where a run of changed elements could stand
/// at several places, it stands opposite a run of the other sequence, else as late as possible.
///
/// - Complexity: O(*n* + *d*²) for *n* elements and *d* differences, with *d*² bounded by a constant times *n*.
///
/// Source: Eugene W. Myers, "An O(ND) difference algorithm and its variations", Algorithmica 1 (1986), section 4b.
public struct SequenceDiff: Sendable {
  /// For each old element whether it went.
  public private(set) var oldChanged: [Bool]
  /// For each new element whether it came.
  public private(set) var newChanged: [Bool]

  /// Compares two sequences. The numbers are not negative and not much larger than the sequences are long: they index
  /// tables.
  public init(old: [Int32], new: [Int32]) {
    oldChanged = [Bool](repeating: false, count: old.count)
    newChanged = [Bool](repeating: false, count: new.count)
    let prefix = Self.commonPrefix(old, new)
    let suffix = Self.commonSuffix(old, new, limit: min(old.count, new.count) - prefix)
    let oldMiddle = prefix..<(old.count - suffix)
    let newMiddle = prefix..<(new.count - suffix)
    if oldMiddle.isEmpty || newMiddle.isEmpty || old.count + new.count > Int(Int32.max) / 2 {
      for index in oldMiddle { oldChanged[index] = true }
      for index in newMiddle { newChanged[index] = true }
    } else {
      compare(old, oldMiddle, new, newMiddle)
    }
    slide(old: old, new: new)
  }

  /// Drops what occurs on one side only, then looks for the shortest way through the rest.
  private mutating func compare(
    _ old: [Int32], _ oldMiddle: Range<Int>, _ new: [Int32], _ newMiddle: Range<Int>
  ) {
    let largest = max(old[oldMiddle].max() ?? 0, new[newMiddle].max() ?? 0)
    var sides = [UInt8](repeating: 0, count: Int(largest) + 1)
    for index in oldMiddle { sides[Int(old[index])] |= 1 }
    for index in newMiddle { sides[Int(new[index])] |= 2 }

    let oldKept = oldMiddle.filter { sides[Int(old[$0])] == 3 }
    let newKept = newMiddle.filter { sides[Int(new[$0])] == 3 }
    for index in oldMiddle where sides[Int(old[index])] != 3 { oldChanged[index] = true }
    for index in newMiddle where sides[Int(new[index])] != 3 { newChanged[index] = true }

    var search = EditSearch(
      old: oldKept.map { old[$0] }, new: newKept.map { new[$0] }, numberCount: sides.count)
    search.run()
    for (index, isChanged) in zip(oldKept, search.oldChanged) where isChanged { oldChanged[index] = true }
    for (index, isChanged) in zip(newKept, search.newChanged) where isChanged { newChanged[index] = true }
  }

  private mutating func slide(old: [Int32], new: [Int32]) {
    var slider = RunSlider(elements: old, changed: oldChanged, opposite: newChanged)
    slider.slideAll()
    oldChanged = slider.changed
    slider = RunSlider(elements: new, changed: newChanged, opposite: oldChanged)
    slider.slideAll()
    newChanged = slider.changed
  }

  /// The changed runs as pairs of ranges, in order.
  public var hunks: [Hunk] {
    var hunks: [Hunk] = []
    var (old, new) = (0, 0)
    while old < oldChanged.count || new < newChanged.count {
      let (oldStart, newStart) = (old, new)
      while old < oldChanged.count && oldChanged[old] { old += 1 }
      while new < newChanged.count && newChanged[new] { new += 1 }
      if old > oldStart || new > newStart {
        hunks.append(Hunk(old: oldStart..<old, new: newStart..<new))
      } else {
        old += 1
        new += 1
      }
    }
    return hunks
  }

  private static func commonPrefix(_ a: [Int32], _ b: [Int32]) -> Int {
    var length = 0
    while length < a.count && length < b.count && a[length] == b[length] { length += 1 }
    return length
  }

  private static func commonSuffix(_ a: [Int32], _ b: [Int32], limit: Int) -> Int {
    var length = 0
    while length < limit && a[a.count - 1 - length] == b[b.count - 1 - length] { length += 1 }
    return length
  }
}
