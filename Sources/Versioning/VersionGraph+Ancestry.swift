extension VersionGraph {
  /// Whether the second version descends from the first; a version does not descend from itself, nor from one that isn't
  /// here.
  ///
  /// - Complexity: linear in the number of versions that came between the two.
  public func isAncestor(_ ancestor: RecordID, of descendant: RecordID) -> Bool {
    guard let first = number(ancestor), let last = number(descendant), first < last else { return false }
    return lineage(of: last, downTo: first).contains(first)
  }

  /// The versions that this one descends from, in the order in which they came; none where it isn't here.
  public func ancestors(of id: RecordID) -> [Version] {
    guard let last = number(id) else { return [] }
    let lineage = lineage(of: last, downTo: 0)
    var found: [Version] = []
    found.reserveCapacity(last + 1)
    for number in 0..<last where lineage.contains(number) { found.append(versions[number]) }
    return found
  }

  /// The versions that have this one as a parent, in the order in which they came.
  ///
  /// - Complexity: linear in the number of versions that came after it.
  public func children(of id: RecordID) -> [RecordID] {
    guard let first = number(id) else { return [] }
    return (first..<versions.count).filter { parents($0).contains(Int32(first)) }.map { versions[$0].id }
  }

  /// The nearest common versions of two: those that no other common version descends from, ascending (R9).
  ///
  /// - Complexity: linear in the number of versions that came since the nearest ones.
  public func mergeBases(_ first: RecordID, _ second: RecordID) -> [RecordID] {
    guard let first = number(first), let second = number(second) else { return [] }
    return mergeBases(first, second).map { versions[$0].id }.sorted()
  }

  /// The nearest versions behind an automatic merge that were not made automatically; of another version itself (R9).
  public func sources(of id: RecordID) -> Set<RecordID> {
    guard let number = number(id) else { return [] }
    return Set(sources(of: number).map { versions[$0].id })
  }

  /// A version and those of its ancestors that have at least a certain number.
  func lineage(of number: Int, downTo first: Int) -> NumberSet {
    var found = NumberSet(from: first, through: number)
    found.insert(number)
    for current in stride(from: number, through: first, by: -1) where found.contains(current) {
      for parent in parents(current) where parent >= first { found.insert(Int(parent)) }
    }
    return found
  }

  func mergeBases(_ first: Int, _ second: Int) -> [Int] {
    let last = max(first, second)
    var marks = [CommonMark](repeating: [], count: last + 1)
    marks[first].insert(.first)
    marks[second].insert(.second)
    // Versions not passed yet that may be a base or have one behind them.
    var waiting = first == second ? 1 : 2
    var bases: [Int] = []
    var current = last
    while waiting > 0, current >= 0 {
      defer { current -= 1 }
      guard !marks[current].isEmpty else { continue }
      if !marks[current].contains(.behindCommon) { waiting -= 1 }
      if marks[current] == [.first, .second] {
        bases.append(current)
        marks[current].insert(.behindCommon)
      }
      for parent in parents(current) {
        let before = marks[Int(parent)], after = before.union(marks[current])
        marks[Int(parent)] = after
        if !before.isEmpty, !before.contains(.behindCommon) { waiting -= 1 }
        if !after.contains(.behindCommon) { waiting += 1 }
      }
    }
    return bases
  }

  /// Ascending.
  func sources(of number: Int) -> [Int] {
    guard versions[number].record.isAutomatic else { return [number] }
    var found: [Int] = []
    var seen: Set<Int> = [number]
    var waiting = [number]
    while let current = waiting.popLast() {
      guard versions[current].record.isAutomatic else {
        found.append(current)
        continue
      }
      for parent in parents(current) where seen.insert(Int(parent)).inserted { waiting.append(Int(parent)) }
    }
    return found.sorted()
  }
}

/// What a version was reached from, in the search for common versions.
private struct CommonMark: OptionSet {
  let rawValue: UInt8
  static let first = CommonMark(rawValue: 1)
  static let second = CommonMark(rawValue: 2)
  static let behindCommon = CommonMark(rawValue: 4)
}
