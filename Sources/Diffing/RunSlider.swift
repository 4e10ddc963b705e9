/// Moves runs of changed elements to one of the places where they may stand.
///
/// A run may move by one where the element that it leaves equals the one that it takes in. Runs that touch become one.
/// A run comes to stand opposite the last run of the other sequence that it can reach, else as late as possible: so the
/// same change has the same place whatever surrounds it, and a replacement is one hunk, not two.
///
/// Source: git, "xdiff/xdiffi.c", function `xdl_change_compact`, whose result it follows.
struct RunSlider {
  private(set) var changed: [Bool]
  private let elements: [Int32]
  private let opposite: [Bool]
  // Sliding over long repetitions can take quadratic time; past this many moves runs stay where they are.
  private var movesLeft: Int

  /// A possibly empty run between two unchanged elements.
  private struct Run {
    var start: Int
    var end: Int
    var isEmpty: Bool { start == end }
  }

  init(elements: [Int32], changed: [Bool], opposite: [Bool]) {
    self.elements = elements
    self.changed = changed
    self.opposite = opposite
    movesLeft = 4_000_000 + 16 * elements.count
  }

  /// Moves every run, first to last.
  mutating func slideAll() {
    var run = Self.firstRun(of: changed)
    var other = Self.firstRun(of: opposite)
    repeat {
      if !run.isEmpty { settle(&run, &other) }
    } while Self.advance(&run, in: changed) && Self.advance(&other, in: opposite)
  }

  private mutating func settle(_ run: inout Run, _ other: inout Run) {
    var earliestEnd: Int
    var endOpposite: Int?
    var length: Int
    repeat {
      length = run.end - run.start
      endOpposite = nil
      while moveUp(&run) { _ = Self.retreat(&other, in: opposite) }
      earliestEnd = run.end
      if !other.isEmpty { endOpposite = run.end }
      while moveDown(&run) {
        _ = Self.advance(&other, in: opposite)
        if !other.isEmpty { endOpposite = run.end }
      }
      // A run that met another one has become longer and may reach further.
    } while length != run.end - run.start
    guard run.end != earliestEnd, endOpposite != nil else { return }
    while other.isEmpty, moveUp(&run) { _ = Self.retreat(&other, in: opposite) }
  }

  private mutating func moveUp(_ run: inout Run) -> Bool {
    guard run.start > 0, movesLeft > 0, elements[run.start - 1] == elements[run.end - 1] else { return false }
    movesLeft -= 1
    run.start -= 1
    run.end -= 1
    changed[run.start] = true
    changed[run.end] = false
    while run.start > 0 && changed[run.start - 1] { run.start -= 1 }
    return true
  }

  private mutating func moveDown(_ run: inout Run) -> Bool {
    guard run.end < elements.count, movesLeft > 0, elements[run.start] == elements[run.end] else { return false }
    movesLeft -= 1
    changed[run.start] = false
    changed[run.end] = true
    run.start += 1
    run.end += 1
    while run.end < elements.count && changed[run.end] { run.end += 1 }
    return true
  }

  private static func firstRun(of changed: [Bool]) -> Run {
    var run = Run(start: 0, end: 0)
    while run.end < changed.count && changed[run.end] { run.end += 1 }
    return run
  }

  private static func advance(_ run: inout Run, in changed: [Bool]) -> Bool {
    guard run.end < changed.count else { return false }
    run.start = run.end + 1
    run.end = run.start
    while run.end < changed.count && changed[run.end] { run.end += 1 }
    return true
  }

  private static func retreat(_ run: inout Run, in changed: [Bool]) -> Bool {
    guard run.start > 0 else { return false }
    run.end = run.start - 1
    run.start = run.end
    while run.start > 0 && changed[run.start - 1] { run.start -= 1 }
    return true
  }
}
