/// The automatic merges of one graph, one after the other (R9).
///
/// Whether a pair of heads is clean depends on what is behind the two, not on what is merged beside them: a pair that
/// wasn't clean once is not tried again.
struct MergeRun {
  private var graph: VersionGraph
  private let rules: MergeRules
  private var settled: Set<HeadPair> = []

  init(graph: VersionGraph, rules: MergeRules) {
    self.graph = graph
    self.rules = rules
  }

  /// Adds a merge that ``next()`` gave.
  mutating func add(_ merge: Version) {
    do throws(VersionGraphError) { try graph.insert(merge) } catch {
      preconditionFailure("a merge has heads as its parents")
    }
  }

  /// The first clean pair and its merge.
  mutating func next() -> (pair: HeadPair, merge: Version)? {
    let survey = GraphSurvey(graph)
    let undone = undoneMerges(survey)
    for pair in graph.pairsToTry(survey) where !settled.contains(pair) {
      if let merge = merge(of: pair, survey, undone: undone) { return (pair, merge) }
      settled.insert(pair)
    }
    return nil
  }

  private func merge(of pair: HeadPair, _ survey: GraphSurvey, undone: [[Int]]) -> Version? {
    let bases = graph.mergeBases(pair.smaller.number, pair.larger.number)
    guard !bases.isEmpty, !bases.contains(where: { survey.removed[$0] }),
      !undone.contains(where: { isKeptApart(pair, by: $0) })
    else { return nil }
    let ours = graph.versions[pair.smaller.number], theirs = graph.versions[pair.larger.number]
    var agreed: MergedFields?
    for base in bases {
      let fields = MergedFields(base: graph.versions[base], ours: ours, theirs: theirs, rules: rules)
      guard let fields, agreed == nil || agreed == fields else { return nil }
      agreed = fields
    }
    guard let record = agreed?.record(of: ours, and: theirs, rules: rules.number) else { return nil }
    let merge = Version(id: rules.name(record), record: record)
    return graph.contains(merge.id) ? nil : merge
  }

  /// The parents of each automatic merge whose retraction counts (R8).
  private func undoneMerges(_ survey: GraphSurvey) -> [[Int]] {
    graph.versions.indices.filter { survey.retracted[$0] && graph.versions[$0].record.isAutomatic }
      .map { graph.parents($0).map { Int($0) } }
  }

  /// Whether one of the heads is, or descends from, only the one parent of an undone merge, the other only the other.
  private func isKeptApart(_ pair: HeadPair, by parents: [Int]) -> Bool {
    let ours = side(of: pair.smaller.number, among: parents), theirs = side(of: pair.larger.number, among: parents)
    return ours.count == 1 && theirs.count == 1 && ours != theirs
  }

  private func side(of head: Int, among parents: [Int]) -> [Int] {
    parents.filter { $0 == head || ($0 < head && graph.lineage(of: head, downTo: $0).contains($0)) }
  }
}
