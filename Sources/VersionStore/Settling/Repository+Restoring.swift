import Catalog
import Hashing
import ObjectStorage
public import SystemIO
public import Versioning

extension Repository {
  /// Brings a version back as a new version on top of what is there, and puts it into the folder.
  ///
  /// - Returns: `nil` where the document is like that already; a missing file is put back all the same.
  public func restore(_ version: Version, at path: DocumentPath, basis: Basis) throws(RepositoryError) -> Version? {
    try checkNotRemoved(version)
    guard !version.record.isDeletion else { throw .noSuchVersion(Array(version.id.hexadecimal.utf8), path) }
    return try store.withLock { () throws(RepositoryError) in
      let row = try fileRow(at: path)
      let before = try checkedWorkingFile(at: path, row: row)
      var parents = try basisVersions(basis, at: path, row: row)
      // Nothing is at the path: the version's own document comes back, wherever it was when it was deleted.
      if parents.isEmpty, basis == .workingFile { parents = try deletedHeads(of: version) }
      if let first = parents.first, isSame(first.record, as: version.record, at: path) {
        try putInPlace(first, at: path, over: before)
        return nil
      }
      let made = try store.write(.restore) { (transaction) throws(RepositoryError) in
        let content = version.record.content.map { StoredContent.present($0, byteCount: version.record.size) } ?? .none
        let record = transaction.record(
          parents: parents, path: path, kind: version.record.kind, content: content, size: version.record.size,
          mode: version.record.mode, modificationTime: version.record.modificationTime, origin: .restore)
        return try transaction.add(record, content, isBase: false)
      }
      try putInPlace(made, at: path, over: before)
      return made
    }
  }

  /// The heads of the deleted document that a version is of; none where that document is still there.
  private func deletedHeads(of version: Version) throws(RepositoryError) -> [Version] {
    let rows = try store.documentRows(around: version.id)
    return rows.count == 1 && rows[0].isDeleted ? rows[0].heads : []
  }

  private func isSame(_ left: VersionRecord, as right: VersionRecord, at path: DocumentPath) -> Bool {
    left.path == path && left.kind == right.kind && left.content == right.content && left.mode == right.mode
  }

  /// The versions that an act on a path starts from: those named, else what the working file came from, else what is current,
  /// else the deletion of what was there.
  func basisVersions(_ basis: Basis, at path: DocumentPath, row: FileRow?) throws(RepositoryError) -> [Version] {
    if case .versions(let ids) = basis { return try namedVersions(ids, at: path) }
    let known = try store.versions(row?.base ?? [])
    if let first = known.first, !first.record.isDeletion { return known }
    let view = try view(of: path)
    if view.current != nil { return try store.versions(view.base) }
    return try deletedDocuments(at: path).first?.heads ?? []
  }

  /// Versions that a person named; each must be known here.
  func namedVersions(_ ids: [RecordID], at path: DocumentPath) throws(RepositoryError) -> [Version] {
    var found: [Version] = []
    for id in ids {
      guard let version = try store.version(id) else { throw .noSuchVersion(Array(id.hexadecimal.utf8), path) }
      found.append(version)
    }
    return found
  }

  /// The version that the file at a path is equal to; `nil` where there is no file.
  ///
  /// - Throws: `.refused(.unsavedChanges)` where the file has content that no version of the document holds.
  func checkedWorkingFile(at path: DocumentPath, row: FileRow?) throws(RepositoryError) -> Version? {
    let status = try tree.reaching(path) { () throws(WorkingTreeError) in try tree.status(of: path) }
    guard let status else { return nil }
    guard [.file, .symbolicLink].contains(status.kind) || isPackage(path), let file = try readWorkingFile(path) else {
      throw .refused(.unreachable(path))
    }
    for base in try store.versions(row?.base ?? []) where file.isEqual(to: base.record) { return base }
    for rival in try view(of: path).rivals where file.isEqual(to: rival.record) { return rival }
    throw .refused(.unsavedChanges(path))
  }

  /// Puts a version's content into the folder and notes it as the file's base.
  ///
  /// - Parameter before: the version that the file there was found to be equal to; `nil` where there is none.
  func putInPlace(_ version: Version, at path: DocumentPath, over before: Version?) throws(RepositoryError) {
    var rescued: [Version] = []
    var status: CachedStatus?
    let isThere =
      before.map { $0.record.kind == version.record.kind && $0.record.content == version.record.content } ?? false
    if !isThere || before?.record.mode != version.record.mode {
      guard case .placed(let placed) = try put(version.record, at: path, over: before, &rescued) else {
        throw .refused(.unsavedChanges(path))
      }
      status = placed.map { CachedStatus($0, checkedAt: Clock.wallNanoseconds) }
    }
    let view = try view(of: path)
    let equal = view.rivals.filter { $0.record.appearance == version.record.appearance }.map(\.id)
    let seen = Set(view.rivals.map(\.id)).subtracting([version.id])
    try store.write(.none) { (transaction) throws(RepositoryError) in
      try transaction.note(
        .base(path: path, base: [version.id] + Set(equal).subtracting([version.id]).sorted(), seen: seen.sorted()))
      if let status { transaction.statuses[path] = status }
    }
  }

  /// Writes a version's content to a place that need not be in the repository; what is there is replaced whole.
  public func export(_ version: Version, at path: DocumentPath, to destination: FilePath) throws(RepositoryError) {
    try checkNotRemoved(version)
    guard !version.record.isDeletion else { throw .noSuchVersion(Array(version.id.hexadecimal.utf8), path) }
    guard let name = DocumentPath(destination.lastComponent) else { throw .outside(destination.bytes) }
    let folder = WorkingTree(root: destination.parent)
    var record = version.record
    record.path = name
    let old = (try? FileStatus.of(destination)) ?? nil
    if let old, old.kind == .folder { throw .refused(.pathTaken(name)) }
    let target =
      record.kind == .symbolicLink
      ? try record.content.map { (id) throws(RepositoryError) in try store.content(id) } : nil
    guard let content = record.content else { return }
    if record.kind == .package {
      _ = try folder.placePackage(
        record, try manifest(content), at: name, over: .nothing, content: writeContent, settle: { _, _ in })
      return
    }
    _ = try folder.place(
      record, at: name, over: old == nil ? .nothing : .file, target: target,
      write: { (file) throws(RepositoryError) in try self.writeContent(content, file) }, settle: { _, _ in })
  }
}
