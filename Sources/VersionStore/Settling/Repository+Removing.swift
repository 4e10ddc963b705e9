import Catalog
import Hashing
import ObjectStorage
public import Versioning

/// What a removal gives up.
public struct RemovalReport: Sendable {
  /// The versions whose content is given up, newest first.
  public let removed: [Version]
  /// The version made first, where several heads had to be settled.
  public let made: Version?
}

extension Repository {
  /// Gives up a version that isn't current; a conflict version is settled in favour of the current one first (R8).
  ///
  /// - Parameter isDryRun: only tells what would be removed.
  public func remove(
    _ version: Version, at path: DocumentPath, isDryRun: Bool
  ) throws(RepositoryError) -> RemovalReport {
    try store.withLock { () throws(RepositoryError) in
      let history = try documentHistory(of: path)
      let current = history.current
      guard version.id != current.id else { throw .refused(.currentVersion(path)) }
      if history.isRemoved(version.id) { return RemovalReport(removed: [], made: nil) }
      let rivals = history.view.current == nil ? history.documents[0].heads : history.view.rivals
      let isHead = rivals.contains { $0.id == version.id }
      // Equal heads are shown as one (R9): they are given up together.
      let equal = rivals.filter { head in
        isHead && head.record.appearance == version.record.appearance && ![version.id, current.id].contains(head.id)
      }
      if isDryRun { return RemovalReport(removed: [version] + equal, made: nil) }
      let made = try store.write(.remove) { (transaction) throws(RepositoryError) in
        var made: Version?
        if isHead {
          made = try Resolution(repository: self, transaction: transaction)
            .make(current, of: [current, version] + equal, origin: .resolve)
        }
        try transaction.addRemoval(keeping: made ?? current, removesAncestors: false, listing: [version] + equal)
        return made
      }
      var placement = Placement(self)
      try placement.run(try paths(near: [made ?? current]))
      return RemovalReport(removed: [version] + equal, made: made)
    }
  }

  /// Gives up all versions of a path's document but one (R8): with several heads, or another version to keep than the only
  /// head, a version with the kept content is made first.
  ///
  /// - Parameters:
  ///   - keeping: the version to keep, the current one where `nil`.
  ///   - conflictsOnly: gives up the conflict versions alone, not the history.
  public func removeOthers(
    at path: DocumentPath, keeping: Version?, conflictsOnly: Bool, isDryRun: Bool
  ) throws(RepositoryError) -> RemovalReport {
    try store.withLock { () throws(RepositoryError) in
      let history = try documentHistory(of: path)
      let current = history.current
      // Of a deleted document the deletion is kept, and the history given up; a document that moved away is another path's.
      guard history.view.current != nil || current.record.isDeletion else { throw .noSuchDocument(path) }
      let kept = keeping ?? current
      if history.isRemoved(kept.id) { throw .refused(.removedVersion(kept.id)) }
      let heads = history.view.current == nil ? history.documents[0].heads : history.view.rivals
      let others = conflictsOnly ? heads.filter { $0.id != kept.id } : history.behind(heads).filter { $0.id != kept.id }
      let doomed = others.filter { !history.isRemoved($0.id) }
      guard !doomed.isEmpty, !isDryRun else { return RemovalReport(removed: doomed, made: nil) }
      _ = try checkedWorkingFile(at: path, row: try fileRow(at: path))
      let made = try store.write(.removeOther) { (transaction) throws(RepositoryError) in
        var made: Version?
        if heads.count > 1 || heads.first?.id != kept.id {
          made = try Resolution(repository: self, transaction: transaction).make(kept, of: heads, origin: .resolve)
        }
        try transaction.addRemoval(
          keeping: made ?? kept, removesAncestors: !conflictsOnly, listing: conflictsOnly ? doomed : [])
        return made
      }
      var placement = Placement(self)
      try placement.run(try paths(near: [made ?? kept]))
      return RemovalReport(removed: doomed, made: made)
    }
  }
}

extension DocumentHistory {
  /// Some versions and all that they descend from, newest first.
  func behind(_ versions: [Version]) -> [Version] {
    var found: [RecordID: Version] = [:]
    for version in versions {
      found[version.id] = version
      for ancestor in graph(of: version.id)?.ancestors(of: version.id) ?? [] { found[ancestor.id] = ancestor }
    }
    return found.values.sorted { $0.record.logicalTime > $1.record.logicalTime }
  }
}

extension StoreTransaction {
  /// Adds a removal.
  func addRemoval(keeping kept: Version, removesAncestors: Bool, listing: [Version]) throws(RepositoryError) {
    let times = ([kept] + listing).map(\.record.logicalTime)
    try add(
      .removal(
        RemovalRecord(
          kept: kept.id, removesAncestors: removesAncestors, listed: Set(listing.map(\.id)).sorted(), device: device,
          logicalTime: .following(wallTime: now, earlier: times), wallTime: now)))
  }
}
