import Catalog
import Hashing
import ObjectStorage
import SystemIO
public import Versioning

extension Repository {
  /// Renames a document, or every document below a folder; edits that are not saved yet stay so.
  public func move(_ old: DocumentPath, to new: DocumentPath, basis: Basis) throws(RepositoryError) -> [Version] {
    try store.withLock { () throws(RepositoryError) in
      if try view(of: old).current != nil { return [try moveDocument(old, to: new, basis: basis)] }
      let below = try documents(below: old)
      guard !below.isEmpty, !old.isAncestor(of: new) else { throw .noSuchDocument(old) }
      var made: [Version] = []
      for row in below {
        guard let target = DocumentPath(new.bytes + row.path.bytes.dropFirst(old.bytes.count)) else {
          throw .outside(new.bytes)
        }
        made.append(try moveDocument(row.path, to: target, basis: .workingFile))
      }
      return made
    }
  }

  private func moveDocument(
    _ old: DocumentPath, to new: DocumentPath, basis: Basis
  ) throws(RepositoryError) -> Version {
    let row = try fileRow(at: old)
    let parents = try basisVersions(basis, at: old, row: row)
    guard let first = parents.first, !first.record.isDeletion else { throw .noSuchDocument(old) }
    guard try view(of: new).current == nil else { throw .refused(.pathTaken(new)) }
    let target = try tree.reaching(new) { () throws(WorkingTreeError) in try tree.status(of: new) }
    let source = try tree.reaching(old) { () throws(WorkingTreeError) in try tree.status(of: old) }
    // On a volume that doesn't tell the two names apart the target is the file itself.
    guard target == nil || (source != nil && target?.inode == source?.inode) else { throw .refused(.pathTaken(new)) }
    // The file first: a crash in between leaves a rename that the next save finds.
    if source != nil { try renameWorkingFile(old, to: new) }
    do throws(RepositoryError) {
      return try record(first, parents: parents, movedFrom: old, to: new, hasFile: source != nil)
    } catch {
      if source != nil { try? renameWorkingFile(new, to: old) }
      throw error
    }
  }

  private func record(
    _ first: Version, parents: [Version], movedFrom old: DocumentPath, to new: DocumentPath, hasFile: Bool
  ) throws(RepositoryError) -> Version {
    try store.write(.move) { (transaction) throws(RepositoryError) in
      let content = first.record.content.map { StoredContent.present($0, byteCount: first.record.size) } ?? .none
      let record = transaction.record(
        parents: parents, path: new, kind: first.record.kind, content: content, size: first.record.size,
        mode: first.record.mode, modificationTime: first.record.modificationTime, origin: .rename)
      try transaction.note(.gone(path: old))
      guard hasFile else { return try transaction.add(record, content, isBase: false) }
      let step = SaveStep(repository: self, transaction: transaction, options: SaveOptions())
      return try step.add(record, content, at: new, status: nil)
    }
  }

  private func renameWorkingFile(_ old: DocumentPath, to new: DocumentPath) throws(RepositoryError) {
    let from = try tree.reaching(old) { () throws(WorkingTreeError) in try tree.openFolder(of: old) }
    let to = try tree.reaching(new) { () throws(WorkingTreeError) in try tree.openFolder(of: new, isCreating: true) }
    try tree.system { () throws(SystemError) in
      do throws(SystemError) {
        try from.rename(old.name, to: new.name, in: to, how: .noReplace)
      } catch {
        guard error.isUnsupported || error.alreadyExists else { throw error }
        try from.rename(old.name, to: new.name, in: to, how: .replace)
      }
      try to.synchronize()
      try from.synchronize()
    }
    tree.removeEmptyFolders(above: old)
  }

  /// Deletes documents, or all documents below folders; their history stays.
  ///
  /// - Throws: `.refused(.unsavedChanges)` before anything is done where a file has content that no version holds.
  public func delete(_ paths: [DocumentPath], basis: Basis) throws(RepositoryError) -> [Version] {
    try store.withLock { () throws(RepositoryError) in
      var doomed: [DocumentPath] = []
      for path in paths {
        if try view(of: path).current != nil {
          doomed.append(path)
        } else {
          let below = try documents(below: path).map(\.path)
          guard !below.isEmpty else { throw .noSuchDocument(path) }
          doomed += below
        }
      }
      var before: [DocumentPath: Version] = [:]
      for path in doomed { before[path] = try checkedWorkingFile(at: path, row: try fileRow(at: path)) }
      let made = try store.write(.delete) { (transaction) throws(RepositoryError) in
        let step = SaveStep(repository: self, transaction: transaction, options: SaveOptions(basis: basis))
        var made: [Version] = []
        for path in doomed {
          let parents = try deletionParents(of: path, basis: basis)
          guard let first = parents.first else { continue }
          made.append(try step.addDeletion(of: path, like: first.record, parents: parents))
        }
        return made
      }
      var placement = Placement(self)
      try placement.run(Set(doomed))
      return made
    }
  }

  /// The base, and the heads in conflict with it when this device last placed or saved the file (R11).
  private func deletionParents(of path: DocumentPath, basis: Basis) throws(RepositoryError) -> [Version] {
    if case .versions(let ids) = basis { return try namedVersions(ids, at: path) }
    guard let row = try fileRow(at: path), !row.base.isEmpty else {
      return try store.versions(try view(of: path).base)
    }
    let base = try store.versions(row.base)
    return base + (try store.versions(row.seen.filter { !row.base.contains($0) }))
  }
}
