public import Versioning

extension Repository {
  /// The versions of a version's family that were in conflict and are settled: a version that counts has them behind a
  /// first parent that looks different.
  ///
  /// Cost: the family's versions are looked at.
  public func settledVersions(near version: Version) throws(RepositoryError) -> Set<RecordID> {
    let graph = try store.graph(around: version.id)
    guard graph.versions.contains(where: { $0.record.parents.count > 1 }) else { return [] }
    let retracted = graph.retracted()
    var settled: Set<RecordID> = []
    for child in graph.versions where child.record.parents.count > 1 && !retracted.contains(child.id) {
      let parents = child.record.parents.compactMap { graph.version($0) }
      for parent in parents.dropFirst() where parent.record.appearance != parents[0].record.appearance {
        settled.insert(parent.id)
      }
    }
    return settled
  }
}
