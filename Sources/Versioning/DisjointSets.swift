/// Numbers from 0 in sets that only grow together.
///
/// Source: union by size, Galler and Fischer, "An improved equivalence algorithm" (1964): look-ups are logarithmic and
/// change nothing.
struct DisjointSets: Sendable {
  private var links: [Int32]
  private var sizes: [Int32]

  /// So many sets of one number each.
  init(count: Int = 0) {
    links = (0..<count).map { Int32($0) }
    sizes = Array(repeating: 1, count: count)
  }

  /// Adds a set of one new number.
  mutating func add() -> Int32 {
    let number = Int32(links.count)
    links.append(number)
    sizes.append(1)
    return number
  }

  /// The number that stands for the set of this one.
  func representative(_ number: Int32) -> Int32 {
    var current = number
    while links[Int(current)] != current { current = links[Int(current)] }
    return current
  }

  /// Makes one set of the two that these numbers are in.
  mutating func join(_ first: Int32, _ second: Int32) {
    var greater = representative(first), smaller = representative(second)
    guard greater != smaller else { return }
    if sizes[Int(greater)] < sizes[Int(smaller)] { swap(&greater, &smaller) }
    links[Int(smaller)] = greater
    sizes[Int(greater)] += sizes[Int(smaller)]
  }
}
