import Catalog
import ObjectStorage
public import SystemIO
public import Versioning

/// An unresolved conflict version.
public struct ConflictEntry: Sendable {
  public let path: DocumentPath
  public let version: Version
  /// What it is in conflict with.
  public let current: Version
}

/// How a conflict is settled.
public enum ResolutionChoice: Sendable {
  /// With the content of this version.
  case use(Version)
  /// With the current version's content, which is the greatest by logical time.
  case current
  /// With the content of a file, or of a folder for a package; the other fields as they merge (R14).
  case merged(FilePath)
  /// With a merge and what was chosen for each of its conflicts.
  case settled(ProposedMerge, [ConflictDecision])
  /// With the current version's content; the other side becomes a document of its own beside it (R14).
  case both
}

extension Repository {
  /// The unresolved conflict versions of some paths, or of all; in the order of paths, the greatest version first.
  public func conflicts(_ paths: [DocumentPath]?) throws(RepositoryError) -> [ConflictEntry] {
    var wanted = Set(paths ?? [])
    if paths == nil {
      let (rows, contested) = try store.catalogued { () throws(CatalogError) in
        (try store.catalog.conflictedDocuments(), try store.catalog.contestedPaths())
      }
      wanted = Set(rows.map(\.path) + contested)
    }
    var entries: [ConflictEntry] = []
    for path in wanted.sorted() {
      let view = try view(of: path)
      guard let current = view.current else {
        if paths != nil, try deletedDocuments(at: path).isEmpty, try fileRow(at: path) == nil {
          for row in try documents(below: path) { entries += try conflicts([row.path]) }
        }
        continue
      }
      entries += view.conflicts.map { ConflictEntry(path: path, version: $0, current: current) }
    }
    return entries
  }

  /// Settles the conflict at a path: one new version with exactly the settled heads as parents (R8).
  ///
  /// - Returns: the versions made, the settled document's first.
  public func resolve(
    _ path: DocumentPath, _ choice: ResolutionChoice, basis: Basis = .workingFile, message: [UInt8] = []
  ) throws(RepositoryError) -> [Version] {
    try store.withLock { () throws(RepositoryError) in
      let view = try view(of: path)
      guard var current = view.current else { throw .noSuchDocument(path) }
      var settled = view.rivals
      if case .versions(let ids) = basis {
        settled = try namedVersions(ids, at: path)
        // A head that isn't named is not settled, the path's current version included (R8).
        if !settled.contains(current), let greatest = settled.greatestFirst().first { current = greatest }
      }
      guard settled.greatestFirst().shown().count > 1 else { throw .refused(.noConflict(path)) }
      let found = try checkSettles(choice, at: path)
      let merge = try? proposedMerge(at: path)
      let isOwn = if case .merged(let file) = choice { isWorkingFile(file, of: path) } else { false }
      let made = try store.write(.resolve) { (transaction) throws(RepositoryError) in
        let resolution = Resolution(
          repository: self, transaction: transaction, message: message,
          merge: merge.flatMap { Set($0.heads) == Set(settled.map(\.id)) ? $0 : nil })
        let made = try resolution.make(choice, of: settled, current: current, at: path)
        // The file is the version from now on, wherever that has its place.
        if isOwn { for version in made { try transaction.note(.base(path: path, base: [version.id], seen: [])) } }
        // A file that was made equal to a head since has that for its base (R7), and follows what it becomes.
        if let found, !isOwn, try !(fileRow(at: path)?.base.contains(found.id) ?? false) {
          try transaction.note(.base(path: path, base: [found.id], seen: []))
        }
        return made
      }
      if isOwn, let version = made.first { try setMode(of: path, as: version) }
      var placement = Placement(self)
      try placement.run(try paths(near: made))
      return made
    }
  }

  /// Gives the working file, which has a version's content, that version's permissions.
  private func setMode(of path: DocumentPath, as version: Version) throws(RepositoryError) {
    guard version.record.kind != .symbolicLink else { return }
    let folder = try tree.reaching(path) { () throws(WorkingTreeError) in try tree.openFolder(of: path) }
    try tree.system { () throws(SystemError) in
      let status = try folder.status(of: path.name)
      if status.kind != .symbolicLink, status.permissions != version.record.mode {
        try folder.setPermissions(version.record.mode, of: path.name)
      }
    }
  }

  /// Refuses where the working file has changes that no version holds.
  public func checkSettles(_ path: DocumentPath) throws(RepositoryError) {
    _ = try checkSettles(.current, at: path)
  }

  private func isWorkingFile(_ file: FilePath, of path: DocumentPath) -> Bool {
    guard let given = try? FileStatus.of(file), let own = try? tree.status(of: path) else { return false }
    return given.inode == own.inode && given.device == own.device
  }

  /// Refuses where the working file has changes that the choice doesn't hold.
  ///
  /// - Returns: the version that the file is equal to, if any.
  private func checkSettles(_ choice: ResolutionChoice, at path: DocumentPath) throws(RepositoryError) -> Version? {
    do throws(RepositoryError) {
      return try checkedWorkingFile(at: path, row: try fileRow(at: path))
    } catch {
      guard case .refused(.unsavedChanges) = error, case .merged(let file) = choice, isWorkingFile(file, of: path)
      else { throw error }
      return nil
    }
  }
}
