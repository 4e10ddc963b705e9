/// A set of numbers from a range, a bit each.
struct NumberSet: Sendable {
  private let first: Int
  private var words: [UInt64]

  /// An empty set for the numbers from the first through the last.
  init(from first: Int, through last: Int) {
    self.first = first
    words = Array(repeating: 0, count: last < first ? 0 : (last - first) / 64 + 1)
  }

  /// Whether the number is in the set; one outside the range isn't.
  func contains(_ number: Int) -> Bool {
    let place = number - first
    guard place >= 0, place / 64 < words.count else { return false }
    return words[place / 64] & 1 << UInt64(place % 64) != 0
  }

  /// Adds a number of the range.
  mutating func insert(_ number: Int) {
    let place = number - first
    words[place / 64] |= 1 << UInt64(place % 64)
  }
}
