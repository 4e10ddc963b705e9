import Catalog
import Hashing
import ObjectStorage
import SystemIO
import Versioning

/// Saves working files one by one into a group. Every rule about the parents of a save is here (R7, R11).
struct SaveStep {
  let repository: Repository
  let transaction: StoreTransaction
  let options: SaveOptions
  var origin: VersionOrigin = .save
  /// Whether the store had no document before: nothing is known of any path, and each is met once.
  var isFirstImport = false

  private var store: Store { repository.store }

  // MARK: Files that are there

  /// Saves a file that was read, unless it is as a version that it can have come from.
  ///
  /// - Parameter row: what is known of the working file at the path.
  /// - Returns: the version, or `nil` where nothing changed.
  func save(
    _ file: WorkingFile, at path: DocumentPath, row: FileRow?
  ) throws(RepositoryError) -> Version? {
    let status = CachedStatus(file)
    if case .versions(let ids) = options.basis {
      return try make(file, at: path, parents: try repository.namedVersions(ids, at: path), status: status)
    }
    if isFirstImport && row == nil { return try make(file, at: path, parents: [], status: status, isNewPath: true) }
    let view = try repository.view(of: path)
    if let head = headEqual(to: file, at: path, in: view, row: row) {
      try setBase(head, at: path, in: view, row: row, status: status)
      return nil
    }
    let base = try base(of: file, at: path, in: view, row: row)
    if let first = base.first, first.record.path == path, file.isEqual(to: first.record) {
      if row?.base.first != first.id {
        try transaction.note(.base(path: path, base: base.map(\.id), seen: row?.seen ?? view.seen))
      }
      transaction.statuses[path] = status
      return nil
    }
    return try make(file, at: path, parents: base, status: status)
  }

  /// Saves a document that was found again under another name.
  func rename(_ row: FileRow, to path: DocumentPath, _ file: WorkingFile) throws(RepositoryError) -> Version? {
    let parents = try store.versions(row.base)
    let version = try make(
      file, at: path, parents: parents, status: CachedStatus(file),
      origin: file.content == parents.first?.record.content ? .rename : nil)
    // Only now: a file that can't be read after all is found again the next time.
    try transaction.note(.gone(path: row.path))
    return version
  }

  /// Saves content that is not that of the working file, whose base stays.
  func save(content bytes: [UInt8], at path: DocumentPath, row: FileRow?) throws(RepositoryError) -> Version? {
    let view = try repository.view(of: path)
    let id = SHA256.hash(bytes)
    var parents: [Version]
    if case .versions(let ids) = options.basis {
      parents = try repository.namedVersions(ids, at: path)
    } else {
      if view.rivals.contains(where: { $0.record.path == path && $0.record.kind == .file && $0.record.content == id }) {
        return nil
      }
      parents = try store.versions(row?.base ?? [])
      if parents.isEmpty { parents = try baseByContent(id, in: view) }
      if parents.isEmpty && view.document == nil {
        parents = try repository.deletedDocuments(at: path).first?.heads ?? []
      }
    }
    let content = try transaction.content(bytes, id: id, after: parents.first)
    let mode = parents.first.flatMap { $0.record.kind == .file ? $0.record.mode : nil } ?? 0o644
    let record = transaction.record(
      parents: parents, path: path, kind: .file, content: content, size: UInt64(bytes.count), mode: mode,
      modificationTime: transaction.modificationTimeNow, origin: origin, message: options.message)
    return try transaction.add(record, content, isBase: false)
  }

  /// The oldest version of a path's document with some content, else this device's newest version of it (R7).
  private func baseByContent(_ content: ObjectID, in view: PathView) throws(RepositoryError) -> [Version] {
    guard let document = view.document else { return [] }
    let versions = try store.graph(ofFamily: document.family).versions.filter { !$0.record.isDeletion }
    let same = versions.filter { $0.record.content == content }
    if let oldest = same.min(by: { $0.record.logicalTime < $1.record.logicalTime }) { return [oldest] }
    return Array(versions.filter { $0.record.device == transaction.device }.greatestFirst().prefix(1))
  }

  /// The head that a file equals in bytes, mode and path (R7): its own base if that is one, else the greatest.
  private func headEqual(to file: WorkingFile, at path: DocumentPath, in view: PathView, row: FileRow?) -> Version? {
    let equal = view.rivals.filter { $0.record.path == path && file.isEqual(to: $0.record) }
    return equal.first { row?.base.contains($0.id) ?? false } ?? equal.greatestFirst().first
  }

  private func setBase(
    _ head: Version, at path: DocumentPath, in view: PathView, row: FileRow?, status: CachedStatus
  ) throws(RepositoryError) {
    transaction.statuses[path] = status
    if row?.base.contains(head.id) ?? false { return }
    let equal = view.rivals.filter { $0.record.appearance == head.record.appearance && $0.id != head.id }.map(\.id)
    let seen = Set(view.rivals.map(\.id)).subtracting([head.id])
    try transaction.note(.base(path: path, base: [head.id] + Set(equal).sorted(), seen: seen.sorted()))
  }

  /// The versions that a working file came from (R7); none where it starts a document.
  private func base(
    of file: WorkingFile, at path: DocumentPath, in view: PathView, row: FileRow?
  ) throws(RepositoryError) -> [Version] {
    if let row, !row.base.isEmpty {
      let known = try store.versions(row.base)
      if let first = known.first, !first.record.isDeletion { return known }
    }
    if view.document != nil { return try baseByContent(file.content, in: view) }
    // A new file where a document is deleted continues that document (R11).
    return try repository.deletedDocuments(at: path).first?.heads ?? []
  }

  /// Makes a version of a file.
  func make(
    _ file: WorkingFile, at path: DocumentPath, parents: [Version], status: CachedStatus?, origin: VersionOrigin? = nil,
    isNewPath: Bool = false
  ) throws(RepositoryError) -> Version {
    let content = try content(of: file, at: path, after: parents.first)
    let record = record(of: file, content, at: path, parents: parents, origin: origin ?? self.origin)
    let version = try add(record, content, at: path, status: status, isNewPath: isNewPath)
    if status != nil { transaction.offer(version, content, of: file, on: parents) }
    return version
  }

  /// Saves a file that was met where another was expected; the working file at the path is not it.
  func rescue(
    _ file: WorkingFile, from place: DocumentPath, at path: DocumentPath, parents: [Version]
  ) throws(RepositoryError) -> Version {
    let content = try content(of: file, at: place, after: parents.first)
    let record = record(of: file, content, at: path, parents: parents, origin: .save)
    return try transaction.add(record, content, isBase: false)
  }

  private func record(
    of file: WorkingFile, _ content: StoredContent, at path: DocumentPath, parents: [Version], origin: VersionOrigin
  ) -> VersionRecord {
    transaction.record(
      parents: parents, path: path, kind: file.kind, content: content, size: file.byteCount, mode: file.recordedMode,
      modificationTime: file.modificationTime, origin: origin, message: options.message)
  }

  /// Adds a version that the working file at its path now has as its base.
  ///
  /// - Parameter isNewPath: whether it starts a document at a path of which nothing is known.
  func add(
    _ record: VersionRecord, _ content: StoredContent, at path: DocumentPath, status: CachedStatus?,
    isNewPath: Bool = false
  ) throws(RepositoryError) -> Version {
    if isNewPath && record.parents.isEmpty {
      let version = try transaction.add(record, content, isBase: true, isNewDocument: true)
      transaction.statuses[path] = status
      return version
    }
    let beside = try heads(at: path, besides: record.parents)
    let version = try transaction.add(record, content, isBase: beside.isEmpty)
    if !beside.isEmpty {
      // Equal versions are one for what comes next (R9), else that would be in conflict with the other.
      let equal = beside.filter { $0.record.appearance == record.appearance }.map(\.id)
      try transaction.note(.base(path: path, base: [version.id] + equal, seen: beside.map(\.id)))
    }
    transaction.statuses[path] = status
    return version
  }

  /// The heads that stay beside a new version at a path, ascending.
  private func heads(at path: DocumentPath, besides parents: [RecordID]) throws(RepositoryError) -> [Version] {
    var heads: [RecordID: Version] = [:]
    for rival in try repository.view(of: path).rivals { heads[rival.id] = rival }
    if let first = parents.first {
      for row in try store.documentRows(around: first) {
        for head in row.heads { heads[head.id] = head }
      }
    }
    return heads.values.filter { !parents.contains($0.id) }.sorted { $0.id < $1.id }
  }

  /// Content as it goes into the store: what is large is read again, in pieces.
  private func content(
    of file: WorkingFile, at path: DocumentPath, after predecessor: Version?
  ) throws(RepositoryError) -> StoredContent {
    if let manifest = file.manifest { try storeEntries(of: manifest, at: path) }
    if let bytes = file.bytes {
      return try transaction.content(bytes, id: file.content, after: predecessor, prepared: file.prepared)
    }
    if try transaction.contains(file.content) { return .present(file.content, byteCount: file.byteCount) }
    let open = SharedFile(
      try repository.tree.reaching(path) { () throws(WorkingTreeError) in try repository.tree.openFile(path) })
    let content = try transaction.content(
      of: open, id: file.content, chunks: file.chunks, threadCount: options.limits.threadCount, after: predecessor)
    guard content.id == file.content else { throw .refused(.changing(path)) }
    return content
  }

  /// Stores the files of a package, each as content of its own.
  private func storeEntries(of manifest: PackageManifest, at path: DocumentPath) throws(RepositoryError) {
    for entry in manifest.entries {
      guard let id = entry.content, try !transaction.contains(id),
        let place = DocumentPath(path.bytes + [UInt8(ascii: "/")] + entry.path.bytes)
      else { continue }
      let found = try repository.tree.reaching(place) { () throws(WorkingTreeError) in
        try repository.tree.read(place, cutting: ByteProgress.none)
      }
      guard let file = found, file.content == id else { throw .refused(.changing(path)) }
      let content = try content(of: file, at: place, after: nil)
      if case .inline(let object) = content { try transaction.append(object) }
    }
  }

  // MARK: Files that are gone

  /// Records that a document was deleted: the deletion names the base and what was seen in conflict with it (R11).
  func delete(_ path: DocumentPath, row: FileRow) throws(RepositoryError) -> Version? {
    var parents = try store.versions(row.base)
    guard let first = parents.first else {
      try transaction.note(.gone(path: path))
      return nil
    }
    if case .versions(let ids) = options.basis {
      parents = try repository.namedVersions(ids, at: path)
    } else {
      let known = Set(parents.map(\.id))
      parents += try store.versions(row.seen.filter { !known.contains($0) })
    }
    try transaction.note(.gone(path: path))
    if try isDeleted(parents) { return nil }
    // The document has another place by now: the file went because of that, and nobody deleted anything.
    if options.basis == .workingFile, try !claims(path, first) { return nil }
    return try addDeletion(of: path, like: first.record, parents: parents)
  }

  /// Adds a deletion on top of some versions.
  func addDeletion(
    of path: DocumentPath, like earlier: VersionRecord, parents: [Version], origin: VersionOrigin = .delete
  ) throws(RepositoryError) -> Version {
    let record = transaction.record(
      parents: parents, path: path, kind: .deleted, content: .none, size: 0, mode: earlier.mode,
      modificationTime: earlier.modificationTime, origin: origin, message: options.message)
    return try transaction.add(record, .none, isBase: false)
  }

  /// Whether the document of a version still claims a path by one of its heads.
  private func claims(_ path: DocumentPath, _ version: Version) throws(RepositoryError) -> Bool {
    try store.documentRows(around: version.id).contains { $0.heads.contains { $0.record.path == path } }
  }

  /// Whether the documents of these versions are deleted already, by heads that know them.
  private func isDeleted(_ versions: [Version]) throws(RepositoryError) -> Bool {
    guard let first = versions.first else { return false }
    let rows = try store.documentRows(around: first.id)
    guard !rows.isEmpty, rows.allSatisfy(\.current.record.isDeletion) else { return false }
    let graph = try store.graph(around: first.id)
    let heads = rows.flatMap(\.heads)
    return versions.allSatisfy { version in
      heads.contains { $0.id == version.id || graph.isAncestor(version.id, of: $0.id) }
    }
  }
}

extension CachedStatus {
  init(_ file: WorkingFile) {
    self.init(file.status, checkedAt: file.checkedAt)
  }

  init(_ status: FileStatus, checkedAt: Int64) {
    self.init(
      size: status.size, modificationSeconds: status.modificationSeconds,
      modificationNanoseconds: status.modificationNanoseconds, changeSeconds: status.changeSeconds,
      changeNanoseconds: status.changeNanoseconds, inode: status.inode, device: status.device, checkedAt: checkedAt)
  }
}
