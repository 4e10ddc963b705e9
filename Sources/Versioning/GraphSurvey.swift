/// What follows from the removals and retractions of a graph for each of its versions, by number (R8).
struct GraphSurvey {
  /// Versions given up by a removal that no retraction names.
  let removed: [Bool]
  /// Versions whose retraction counts: it doesn't where a parent of the version is removed.
  let retracted: [Bool]
  /// Versions from which one that is not retracted descends.
  let superseded: [Bool]

  /// - Complexity: linear in the number of versions and of names in removals and retractions.
  init(_ graph: VersionGraph) {
    let names = Set(graph.retractions.lazy.flatMap(\.record.names))
    let removed = Self.removed(in: graph, retractionNames: names)
    var retracted = [Bool](repeating: false, count: graph.versions.count)
    for name in names {
      guard let number = graph.number(name) else { continue }
      retracted[number] = !graph.parents(number).contains { removed[Int($0)] }
    }
    var superseded = [Bool](repeating: false, count: graph.versions.count)
    for number in graph.versions.indices.reversed() where superseded[number] || !retracted[number] {
      for parent in graph.parents(number) { superseded[Int(parent)] = true }
    }
    self.removed = removed
    self.retracted = retracted
    self.superseded = superseded
  }

  private static func removed(in graph: VersionGraph, retractionNames names: Set<RecordID>) -> [Bool] {
    var removed = [Bool](repeating: false, count: graph.versions.count)
    // Versions all of whose ancestors are removed.
    var removesAncestors = removed
    for (id, removal) in graph.removals where !names.contains(id) {
      for listed in removal.listed.lazy.compactMap({ graph.number($0) }) { removed[listed] = true }
      if removal.removesAncestors, let kept = graph.number(removal.kept) { removesAncestors[kept] = true }
    }
    for number in graph.versions.indices.reversed() where removesAncestors[number] {
      for parent in graph.parents(number) {
        removed[Int(parent)] = true
        removesAncestors[Int(parent)] = true
      }
    }
    return removed
  }

  /// Whether the version supersedes, joins documents and makes a document be there.
  func counts(_ number: Int) -> Bool { superseded[number] || !retracted[number] }

  /// The heads but for R9's rule on automatic merges, ascending.
  var tips: [Int] { retracted.indices.filter { !retracted[$0] && !superseded[$0] } }
}
