import Catalog
import Hashing
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
  /// With the content of a file.
  case merged(FilePath)
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
      try checkSettles(choice, at: path)
      let made = try store.write(.resolve) { (transaction) throws(RepositoryError) in
        let resolution = Resolution(repository: self, transaction: transaction, message: message)
        return try resolution.make(choice, of: settled, current: current, at: path)
      }
      var placement = Placement(self)
      try placement.run(try paths(near: made))
      return made
    }
  }

  /// Refuses where the working file has changes that the choice doesn't hold.
  private func checkSettles(_ choice: ResolutionChoice, at path: DocumentPath) throws(RepositoryError) {
    do throws(RepositoryError) {
      _ = try checkedWorkingFile(at: path, row: try fileRow(at: path))
    } catch {
      guard case .refused(.unsavedChanges) = error, case .merged(let file) = choice,
        let given = try? FileStatus.of(file), let own = try? tree.status(of: path), given.inode == own.inode,
        given.device == own.device
      else { throw error }
    }
  }
}

/// Makes the versions of a resolution in a group.
struct Resolution {
  let repository: Repository
  let transaction: StoreTransaction
  var message: [UInt8] = []

  func make(
    _ choice: ResolutionChoice, of settled: [Version], current: Version, at path: DocumentPath
  ) throws(RepositoryError) -> [Version] {
    switch choice {
    case .current: return [try make(current, of: settled, origin: .resolve)]
    case .use(let version):
      try repository.checkNotRemoved(version)
      return [try make(version, of: settled, origin: .resolve)]
    case .merged(let file): return [try make(contentOf: file, of: settled, current: current)]
    case .both:
      let sides = settled.greatestFirst().shown().filter { !$0.record.isDeletion }
      guard sides.count == 2, let loser = sides.first(where: { $0.id != current.id }) else {
        throw .refused(.notTwoSides(path))
      }
      return [try make(current, of: settled, origin: .resolve), try makeDocument(of: loser)]
    }
  }

  /// A version with the content of one and all settled heads as parents, the chosen one first (R10).
  func make(_ chosen: Version, of settled: [Version], origin: VersionOrigin) throws(RepositoryError) -> Version {
    let isHead = settled.contains { $0.id == chosen.id }
    let parents = isHead ? [chosen] + settled.filter { $0.id != chosen.id } : settled.greatestFirst()
    let content = chosen.record.content.map { StoredContent.present($0, byteCount: chosen.record.size) } ?? .none
    let record = transaction.record(
      parents: parents, path: chosen.record.path, kind: chosen.record.kind, content: content, size: chosen.record.size,
      mode: chosen.record.mode, modificationTime: chosen.record.modificationTime, origin: origin, message: message)
    return try transaction.add(record, content, isBase: false)
  }

  private func make(
    contentOf path: FilePath, of settled: [Version], current: Version
  ) throws(RepositoryError) -> Version {
    guard let name = DocumentPath(path.lastComponent) else { throw .outside(path.bytes) }
    let folder = WorkingTree(root: path.parent)
    let found = try folder.reaching(name) { () throws(WorkingTreeError) in try folder.read(name) }
    guard let file = found else { throw .noSuchDocument(name) }
    guard let bytes = file.bytes else { throw .objects(.tooLarge) }
    let parents = [current] + settled.filter { $0.id != current.id }
    let content = try transaction.content(bytes, id: file.content, after: current)
    let mode = current.record.kind == .file ? current.record.mode : file.mode
    let record = transaction.record(
      parents: parents, path: current.record.path, kind: file.kind, content: content, size: file.byteCount,
      mode: mode, modificationTime: file.modificationTime, origin: .resolve, message: message)
    return try transaction.add(record, content, isBase: false)
  }

  /// The losing side as a document of its own: identity and path follow from the version, so that every device makes the same.
  private func makeDocument(of loser: Version) throws(RepositoryError) -> Version {
    let digest = SHA256.hash(Array("both".utf8) + Array(loser.id.hexadecimal.utf8)).digest
    guard let document = DocumentID(bytes: digest.prefix(16)), let path = loser.record.path.beside(document) else {
      throw .refused(.pathTaken(loser.record.path))
    }
    let content = loser.record.content.map { StoredContent.present($0, byteCount: loser.record.size) } ?? .none
    let record = transaction.record(
      document: document, parents: [], path: path, kind: loser.record.kind, content: content, size: loser.record.size,
      mode: loser.record.mode, modificationTime: loser.record.modificationTime, origin: .resolve, message: message)
    return try transaction.add(record, content, isBase: false)
  }
}

extension DocumentPath {
  /// `NAME~<8 hexadecimal digits>.EXT` in the same folder.
  func beside(_ document: DocumentID) -> DocumentPath? {
    let name = self.name
    let mark = [UInt8(ascii: "~")] + Array(document.hexadecimal.utf8.prefix(8))
    var dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.count
    // Of a name that is all extension nothing would be left: the mark goes behind it.
    if dot == 0 || mark.count + name.count - dot >= Self.longestName { dot = name.count }
    var changed = name[..<dot]
    // What is too long for a volume loses its end, at a whole character where it is UTF-8.
    while changed.count + mark.count + name.count - dot > Self.longestName {
      while let last = changed.popLast(), last & 0xC0 == 0x80 {}
    }
    return DocumentPath((folder.map { $0.bytes + [UInt8(ascii: "/")] } ?? []) + changed + mark + name[dot...])
  }

  /// What volumes allow for one name, in bytes.
  private static let longestName = 255
}
