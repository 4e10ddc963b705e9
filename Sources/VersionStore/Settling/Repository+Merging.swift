import Catalog
import Merging
import ObjectStorage
public import Versioning

extension Repository {
  /// Makes all automatic merges that are clean among the heads of the documents of some versions (R9).
  ///
  /// The same on every device, whoever makes them first. They are one operation.
  public func mergeAutomatically(
    near versions: [Version], combinesContents: Bool, operation: MergeOccasion = .exchange
  ) throws(RepositoryError) -> [Version] {
    try store.withLock { () throws(RepositoryError) in
      let families = try families(near: versions)
      var made: [Version] = []
      let options = mergeOptions()
      let contents = MergedContents(store, options)
      for family in families.sorted() {
        let rows = try store.catalogued { () throws(CatalogError) in try store.catalog.documents(inFamily: family) }
        guard rows.contains(where: { $0.heads.count > 1 }) else { continue }
        let graph = try store.graph(ofFamily: family)
        made += graph.automaticMerges(
          MergeRules(
            number: options.rulesNumber, combinesContents: combinesContents,
            mergeContents: { base, ours, theirs in contents.merge(base, ours, theirs) }))
      }
      guard !made.isEmpty else { return [] }
      try store.write(operation == .exchange ? .sync : .merge) { (transaction) throws(RepositoryError) in
        for merge in made { try contents.add(merge, to: transaction) }
      }
      return made
    }
  }

  /// The families of some versions that may have something to merge.
  private func families(near versions: [Version]) throws(RepositoryError) -> Set<Int64> {
    var families: Set<Int64> = []
    if versions.count < Self.manyVersions {
      for version in versions { families.formUnion(try store.families(ofRecord: version.id)) }
      return families
    }
    let conflicted = try store.catalogued { () throws(CatalogError) in try store.catalog.conflictedDocuments() }
    if conflicted.isEmpty { return [] }
    let ids = Set(versions.map(\.id))
    for family in Set(conflicted.map(\.family)) {
      if try store.graph(ofFamily: family).versions.contains(where: { ids.contains($0.id) }) { families.insert(family) }
    }
    return families
  }

  /// From so many versions on the documents in conflict are gone through instead.
  private static let manyVersions = 64

  /// Tries to merge the conflict versions of one path.
  ///
  /// - Returns: the merges made, and the conflict versions that remain.
  public func merge(_ path: DocumentPath) throws(RepositoryError) -> (merged: [Version], remaining: [Version]) {
    try store.withLock { () throws(RepositoryError) in
      guard let current = try view(of: path).current else { throw .noSuchDocument(path) }
      let made = try mergeAutomatically(near: [current], combinesContents: true, operation: .request)
      if !made.isEmpty {
        var placement = Placement(self)
        try placement.run(try paths(near: made))
      }
      return (made, try view(of: path).conflicts)
    }
  }
}

/// When automatic merges are made.
public enum MergeOccasion: Sendable {
  /// After an exchange.
  case exchange
  /// When a person asks for it.
  case request
}
