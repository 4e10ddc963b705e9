/// How far apart two spellings are.
public enum EditDistance {
  /// Longer words are not compared: nobody mistypes them into one of ours, and the cost is a product of lengths.
  private static let longestWord = 64

  /// The least number of insertions, deletions, replacements and swaps of neighbours that make one of the other.
  ///
  /// Source: optimal string alignment, Boytsov, "Indexing methods for approximate dictionary searching" (2011), 2.1.
  public static func between(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let isSame = left[row] == right[column]
        var best = min(previous[column] + (isSame ? 0 : 1), previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, beforePrevious[column - 1] + 1)
        }
        current.append(best)
      }
      beforePrevious = previous
      previous = current
    }
    return previous[right.count]
  }

  /// The candidate that was probably meant, or `nil` where none is near enough to be worth a guess.
  ///
  /// Near enough: one edit for every three bytes, and one for shorter words. Of equally near ones the first.
  public static func closest(to word: [UInt8], among candidates: [String]) -> String? {
    guard word.count <= longestWord else { return nil }
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let distance = between(word, Array(candidate.utf8))
      if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    guard let best, best.distance <= max(1, word.count / 3) else { return nil }
    return best.name
  }
}
