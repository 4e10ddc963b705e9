import Catalog
import Hashing
import ObjectStorage
import SystemIO
import Versioning

/// Makes the versions of a resolution in a group.
struct Resolution {
  let repository: Repository
  let transaction: StoreTransaction
  var message: [UInt8] = []
  /// How the sides merge, where they are two.
  var merge: ProposedMerge?

  func make(
    _ choice: ResolutionChoice, of settled: [Version], current: Version, at path: DocumentPath
  ) throws(RepositoryError) -> [Version] {
    switch choice {
    case .current: return [try make(current, of: settled, origin: .resolve)]
    case .use(let version):
      try repository.checkNotRemoved(version)
      return [try make(version, of: settled, origin: .resolve)]
    case .merged(let file): return [try make(contentOf: file, of: settled, current: current)]
    case .settled(let merge, let decisions):
      if merge.isChoiceOfVersions {
        guard let first = decisions.first, decisions.count == 1 else { throw .refused(.notMergeable(path)) }
        return try make(first == .other ? .use(merge.other) : .current, of: settled, current: current, at: path)
      }
      return [try make(try merge.merged(decisions), merge, of: settled, current: current)]
    case .both:
      let sides = settled.greatestFirst().shown().filter { !$0.record.isDeletion }
      guard sides.count == 2, let loser = sides.first(where: { $0.id != current.id }) else {
        throw .refused(settled.contains(where: \.record.isDeletion) ? .nothingToKeep(path) : .notTwoSides(path))
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
    let isPackage = settled.contains { $0.record.kind == .package }
    let found = try folder.reaching(name) { () throws(WorkingTreeError) in
      isPackage ? try folder.readPackage(name) : try folder.read(name)
    }
    guard let file = found else { throw .noSuchDocument(name) }
    if let manifest = file.manifest { try storeEntries(of: manifest, at: name, in: folder) }
    let content: StoredContent
    if let bytes = file.bytes {
      content = try transaction.content(bytes, id: file.content, after: current)
    } else {
      content = try store(name, in: folder, id: file.content, after: current)
    }
    let isLike = file.kind == current.record.kind && file.kind != .symbolicLink
    return try add(
      content, kind: file.kind, size: file.byteCount, mode: isLike ? nil : file.recordedMode,
      modificationTime: file.modificationTime, of: settled, current: current)
  }

  private func make(
    _ merged: MergedContent, _ merge: ProposedMerge, of settled: [Version], current: Version
  ) throws(RepositoryError) -> Version {
    for entry in merged.manifest?.entries ?? [] {
      if let id = entry.content, let bytes = merged.made[id] { try transaction.append(bytes, id: id) }
    }
    var content = StoredContent.present(merged.content, byteCount: merged.size)
    if let bytes = merged.made[merged.content] {
      content = try transaction.content(bytes, id: merged.content, after: current)
    }
    var resolution = self
    resolution.merge = merge
    return try resolution.add(
      content, kind: merged.kind, size: merged.size, mode: nil,
      modificationTime: merged.modificationTime ?? transaction.modificationTimeNow, of: settled, current: current)
  }

  /// A version with merged content and all settled heads as parents, its other fields as they merge.
  private func add(
    _ content: StoredContent, kind: VersionKind, size: UInt64, mode: UInt16?, modificationTime: FileTime,
    of settled: [Version], current: Version
  ) throws(RepositoryError) -> Version {
    let parents = [current] + settled.filter { $0.id != current.id }
    let record = transaction.record(
      parents: parents, path: merge?.mergedPath ?? current.record.path, kind: kind, content: content, size: size,
      mode: mode ?? merge?.mergedMode ?? current.record.mode, modificationTime: modificationTime, origin: .resolve,
      message: message)
    return try transaction.add(record, content, isBase: false)
  }

  /// Stores the files of a package that lies anywhere.
  private func storeEntries(
    of manifest: PackageManifest, at name: DocumentPath, in folder: WorkingTree
  ) throws(RepositoryError) {
    for entry in manifest.entries {
      guard let id = entry.content, try !transaction.contains(id),
        let place = DocumentPath(name.bytes + [UInt8(ascii: "/")] + entry.path.bytes)
      else { continue }
      let content: StoredContent
      if entry.kind == .symbolicLink {
        let link = try folder.reaching(place) { () throws(WorkingTreeError) in try folder.read(place) }
        guard let bytes = link?.bytes, link?.content == id else { throw .refused(.changing(name)) }
        content = try transaction.content(bytes, id: id, after: nil)
      } else {
        content = try store(place, in: folder, id: id, after: nil)
      }
      if case .inline(let object) = content { try transaction.append(object) }
    }
  }

  /// Stores a file piece by piece.
  private func store(
    _ place: DocumentPath, in folder: WorkingTree, id: ObjectID, after predecessor: Version?
  ) throws(RepositoryError) -> StoredContent {
    let open = try folder.reaching(place) { () throws(WorkingTreeError) in try folder.openFile(place) }
    let content = try transaction.content(
      of: SharedFile(open), id: id, chunks: nil, threadCount: 0, after: predecessor)
    guard content.id == id else { throw .refused(.changing(place)) }
    return content
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
