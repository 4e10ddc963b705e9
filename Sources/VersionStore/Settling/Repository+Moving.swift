import Catalog
import Hashing
import ObjectStorage
import SystemIO
public import Versioning

extension Repository {
  /// Renames a document, or every document below a folder; edits that are not saved yet stay so. It is one operation.
  ///
  /// - Throws: `.refused(.pathTaken)`, `.refused(.unreachable)`, before anything is done.
  public func move(_ old: DocumentPath, to new: DocumentPath, basis: Basis) throws(RepositoryError) -> [Version] {
    try store.withLock { () throws(RepositoryError) in
      let moves = try moves(old, to: new, basis: basis)
      // The files first: a crash in between leaves renames that the next save finds.
      var renamed: [Move] = []
      do throws(RepositoryError) {
        for move in moves where move.hasFile {
          try renameWorkingFile(move.old, to: move.new)
          renamed.append(move)
        }
        return try store.write(.move) { (transaction) throws(RepositoryError) in
          var made: [Version] = []
          for move in moves { made.append(try add(move, to: transaction)) }
          return made
        }
      } catch {
        for move in renamed.reversed() { try? renameWorkingFile(move.new, to: move.old) }
        throw error
      }
    }
  }

  private struct Move {
    let old: DocumentPath
    let new: DocumentPath
    let parents: [Version]
    let first: VersionRecord
    /// Whether there is a working file.
    let hasFile: Bool
  }

  private func moves(_ old: DocumentPath, to new: DocumentPath, basis: Basis) throws(RepositoryError) -> [Move] {
    if try view(of: old).current != nil { return [try move(old, new, basis)] }
    let below = try documents(below: old)
    guard !below.isEmpty, !old.isAncestor(of: new) else { throw .noSuchDocument(old) }
    var moves: [Move] = []
    for row in below {
      guard let target = DocumentPath(new.bytes + row.path.bytes.dropFirst(old.bytes.count)) else {
        throw .outside(new.bytes)
      }
      if moves.last?.old != row.path { moves.append(try move(row.path, target, .workingFile)) }
    }
    return moves
  }

  private func move(_ old: DocumentPath, _ new: DocumentPath, _ basis: Basis) throws(RepositoryError) -> Move {
    let parents = try basisVersions(basis, at: old, row: try fileRow(at: old))
    guard let first = parents.first, !first.record.isDeletion else { throw .noSuchDocument(old) }
    guard try view(of: new).current == nil else { throw .refused(.pathTaken(new)) }
    let target = try tree.reaching(new) { () throws(WorkingTreeError) in try tree.status(of: new) }
    let source = try tree.reaching(old) { () throws(WorkingTreeError) in try tree.status(of: old) }
    // On a volume that doesn't tell the two names apart the target is the file itself.
    guard target == nil || (source != nil && target?.inode == source?.inode) else { throw .refused(.pathTaken(new)) }
    for folder in new.folders {
      let status = try tree.reaching(new) { () throws(WorkingTreeError) in try tree.status(of: folder) }
      guard status.map({ $0.kind == .folder }) ?? true else { throw .refused(.unreachable(new)) }
      // The two would exclude each other (R13).
      if try view(of: folder).current != nil { throw .refused(.pathTaken(folder)) }
    }
    if let inner = try documents(below: new).first { throw .refused(.pathTaken(inner.path)) }
    return Move(old: old, new: new, parents: parents, first: first.record, hasFile: source != nil)
  }

  private func add(_ move: Move, to transaction: StoreTransaction) throws(RepositoryError) -> Version {
    let first = move.first
    let content = first.content.map { StoredContent.present($0, byteCount: first.size) } ?? .none
    let record = transaction.record(
      parents: move.parents, path: move.new, kind: first.kind, content: content, size: first.size, mode: first.mode,
      modificationTime: first.modificationTime, origin: .rename)
    try transaction.note(.gone(path: move.old))
    guard move.hasFile else { return try transaction.add(record, content, isBase: false) }
    let step = SaveStep(repository: self, transaction: transaction, options: SaveOptions())
    return try step.add(record, content, at: move.new, status: nil)
  }

  private func renameWorkingFile(_ old: DocumentPath, to new: DocumentPath) throws(RepositoryError) {
    let from = try tree.reaching(old) { () throws(WorkingTreeError) in try tree.openFolder(of: old) }
    let to = try tree.reaching(new) { () throws(WorkingTreeError) in try tree.openFolder(of: new, isCreating: true) }
    try tree.system { () throws(SystemError) in
      do throws(SystemError) {
        try from.rename(old.name, to: new.name, in: to, how: .noReplace)
      } catch {
        guard error.isUnsupported || error.alreadyExists else { throw error }
        // Nothing but the file itself, under a name that the volume takes for the same, may be replaced (R2).
        let source = try from.status(of: old.name)
        if let target = try? to.status(of: new.name), target.inode != source.inode || target.device != source.device {
          throw error.alreadyExists
            ? error : SystemError(function: "renameat2", path: error.path, code: SystemErrorCode.alreadyExists)
        }
        try from.rename(old.name, to: new.name, in: to, how: .replace)
      }
      do throws(SystemError) {
        try WorkingTree.synchronize(to)
        try WorkingTree.synchronize(from)
      } catch {
        try? to.rename(new.name, to: old.name, in: from, how: .noReplace)
        throw error
      }
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
