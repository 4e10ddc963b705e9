extension VersionGraph {
  /// The versions that are not retracted and from which no version descends that isn't (R8), less the automatic merges
  /// that another head stands for (R9); in the order in which they came.
  public func heads() -> [Version] { heads(GraphSurvey(self)).map { versions[$0] } }

  /// The versions given up by a removal that counts (R8).
  public func removed() -> Set<RecordID> { ids(GraphSurvey(self).removed) }

  /// The versions whose retraction counts (R8).
  public func retracted() -> Set<RecordID> { ids(GraphSurvey(self).retracted) }

  /// All documents with their heads, ascending by id.
  public func documents() -> [DocumentState] {
    let groups = headsByDocument(GraphSurvey(self))
    return groups.compactMap { name, heads in
      DocumentState(document: name, heads: heads.lazy.map { versions[$0] })
    }
    .sorted { $0.document < $1.document }
  }

  /// All paths that a document's current version claims (R14), ascending; a deletion claims none.
  public func claims() -> [PathState] {
    var claimants: [DocumentPath: [Version]] = [:]
    for document in documents() where !document.isDeleted {
      claimants[document.current.record.path, default: []].append(document.current)
    }
    return claimants.compactMap { PathState(path: $0, claimants: $1) }.sorted { $0.path < $1.path }
  }

  private func ids(_ marks: [Bool]) -> Set<RecordID> {
    Set(marks.indices.lazy.filter { marks[$0] }.map { versions[$0].id })
  }

  /// The numbers of the heads, grouped by the smallest of the document ids that counting versions join.
  func headsByDocument(_ survey: GraphSurvey) -> [DocumentID: [Int]] {
    var joined = DisjointSets(count: documentIDs.count)
    for number in versions.indices where survey.counts(number) {
      for parent in parents(number) {
        joined.join(Int32(documentNumber(number)), Int32(documentNumber(Int(parent))))
      }
    }
    var names = documentIDs
    for document in documentIDs.indices {
      let representative = Int(joined.representative(Int32(document)))
      names[representative] = min(names[representative], documentIDs[document])
    }
    return Dictionary(grouping: heads(survey)) { number in
      names[Int(joined.representative(Int32(documentNumber(number))))]
    }
  }

  func heads(_ survey: GraphSurvey) -> [Int] {
    let tips = survey.tips
    guard tips.contains(where: { versions[$0].record.isAutomatic }) else { return tips }
    let families = Dictionary(grouping: tips) { family($0) }
    return tips.filter { !isSubsumed($0, among: families[family($0), default: []]) }
  }

  /// Whether one other tip stands over an automatic merge: is, or descends from, every source of it (R9).
  private func isSubsumed(_ merge: Int, among tips: [Int]) -> Bool {
    guard versions[merge].record.isAutomatic, tips.count > 1 else { return false }
    let sources = sources(of: merge)
    return tips.contains { other in
      guard other != merge, isVersion(other, standingOver: sources) else { return false }
      let isMutual =
        versions[other].record.isAutomatic && isVersion(merge, standingOver: self.sources(of: other))
      return !isMutual || hasPrecedence(other, over: merge)
    }
  }

  /// - Parameter sources: ascending.
  private func isVersion(_ number: Int, standingOver sources: [Int]) -> Bool {
    guard let first = sources.first, let last = sources.last, last <= number else { return false }
    let lineage = lineage(of: number, downTo: first)
    return sources.allSatisfy { lineage.contains($0) }
  }

  /// Of two automatic merges that stand for each other the higher number of rules, then the greater id, stays.
  private func hasPrecedence(_ first: Int, over second: Int) -> Bool {
    let (one, other) = (versions[first], versions[second])
    if one.record.mergeRules != other.record.mergeRules { return one.record.mergeRules > other.record.mergeRules }
    return one.id > other.id
  }
}
