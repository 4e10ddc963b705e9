import Hashing
import SystemIO
public import Versioning

extension Repository {
  /// What the two sides of a conflict come to, for somebody to look at and to decide the rest.
  ///
  /// - Throws: `.refused(.noConflict)`; `.refused(.notTwoSides)` where there are more.
  public func proposedMerge(at path: DocumentPath) throws(RepositoryError) -> ProposedMerge {
    let view = try view(of: path)
    if view.current == nil { throw .noSuchDocument(path) }
    guard let other = view.conflicts.first else { throw .refused(.noConflict(path)) }
    guard view.conflicts.count == 1 else { throw .refused(.notTwoSides(path)) }
    return try proposedMerge(at: path, with: other)
  }

  /// What the current version of a path and one in conflict with it come to.
  public func proposedMerge(at path: DocumentPath, with other: Version) throws(RepositoryError) -> ProposedMerge {
    let view = try view(of: path)
    guard let current = view.current else { throw .noSuchDocument(path) }
    try checkNotRemoved(current)
    let graph = try store.graph(around: current.id)
    let bases = graph.contains(other.id) ? graph.mergeBases(current.id, other.id) : []
    let removed = graph.removed()
    return try ProposedMerge(
      path: path, current: current, other: other, bases: bases.compactMap { graph.version($0) },
      isUsable: { !$0.record.isDeletion && !removed.contains($0.id) }, heads: view.rivals.map(\.id),
      contents: MergedContents(store, mergeOptions()))
  }

  /// The bytes of a file, or the target of a link, in a conflict; none of what isn't there.
  public func content(of entry: PackageEntry?) throws(RepositoryError) -> [UInt8] {
    guard let id = entry?.content else { return [] }
    return try store.content(id)
  }

  /// Gives the working file at a path content that no version holds yet, such as a merge with conflict markers.
  ///
  /// Its base stays: what is saved later comes from the version that was there.
  ///
  /// - Throws: `.refused(.unsavedChanges)` where the file has content that no version holds.
  public func replaceWorkingFile(at path: DocumentPath, with merged: MergedContent) throws(RepositoryError) {
    try store.withLock { () throws(RepositoryError) in
      let before = try checkedWorkingFile(at: path, row: try fileRow(at: path))
      let current = try view(of: path).current
      guard var record = (before ?? current)?.record else { throw .noSuchDocument(path) }
      if record.kind != merged.kind { throw .refused(.notMergeable(path)) }
      (record.content, record.size, record.path) = (merged.content, merged.size, path)
      let now = store.environment.now()
      record.modificationTime =
        merged.modificationTime ?? FileTime(wholeSeconds: now >= 0 ? now / 1000 : (now - 999) / 1000)
      try place(merged, record, over: before, at: path)
    }
  }

  private func place(
    _ merged: MergedContent, _ record: VersionRecord, over before: Version?, at path: DocumentPath
  ) throws(RepositoryError) {
    let write: (ObjectID, borrowing FileDescriptor) throws(RepositoryError) -> Void = {
      (id, file) throws(RepositoryError) in
      guard let bytes = merged.made[id] else { return try self.writeContent(id, file) }
      try self.tree.system { () throws(SystemError) in try file.write(bytes) }
    }
    let settle: (borrowing FileDescriptor, [UInt8]) throws(RepositoryError) -> Void = {
      (folder, name) throws(RepositoryError) in
      guard let before else { return }
      var rescued: [Version] = []
      try self.settle(folder, name, at: path, base: before, &rescued)
    }
    let expectation: WorkingTree.Expectation = before == nil ? .nothing : .file
    let outcome: PlaceOutcome
    if let manifest = merged.manifest {
      outcome = try tree.placePackage(record, manifest, at: path, over: expectation, content: write, settle: settle)
    } else {
      outcome = try tree.place(
        record, at: path, over: expectation, target: nil,
        write: { (file) throws(RepositoryError) in try write(merged.content, file) }, settle: settle)
    }
    guard case .placed = outcome else { throw .refused(.unsavedChanges(path)) }
  }
}
