import Hashing
import SystemIO
import Versioning

extension WorkingTree {
  /// Reads a package: a folder that is one document. `nil` where nothing is at the path.
  ///
  /// The content of its files stays where it is: it is read again, by ``openFile(_:)``, when it is stored.
  func readPackage(_ path: DocumentPath) throws(WorkingTreeError) -> WorkingFile? {
    guard let status = try status(of: path) else { return nil }
    guard status.kind == .folder else { return try read(path) }
    let checkedAt = Clock.wallNanoseconds
    var entries: [PackageEntry] = []
    try collect(path.bytes, below: path.bytes.count + 1, into: &entries)
    let manifest: PackageManifest
    do throws(DecodingFailure) {
      manifest = try PackageManifest(entries.sorted { $0.path < $1.path })
    } catch { throw .changing }
    let bytes = manifest.encoded()
    return WorkingFile(
      kind: .package, status: status, content: SHA256.hash(bytes), byteCount: manifest.fileByteCount, bytes: bytes,
      manifest: manifest, checkedAt: checkedAt)
  }

  private func collect(
    _ folder: [UInt8], below start: Int, into entries: inout [PackageEntry]
  ) throws(WorkingTreeError) {
    let open = try openFolder(folder.split(separator: UInt8(ascii: "/")))
    let found: [DirectoryEntry]
    do throws(SystemError) { found = try open.entries() } catch { throw .system(error) }
    let names = found.map(\.name).filter { !$0.starts(with: RepositoryLayout.temporaryPrefix) }
    if names.isEmpty, folder.count > start, let path = DocumentPath(folder[start...]) {
      entries.append(
        PackageEntry(
          path: path, kind: .folder, mode: 0o755, modificationTime: FileTime(wholeSeconds: 0), content: nil, size: 0))
    }
    for name in names {
      let whole = folder + [UInt8(ascii: "/")] + name
      guard let path = DocumentPath(whole[start...]) else { throw .changing }
      let status: FileStatus
      do throws(SystemError) { status = try open.status(of: name) } catch { throw .system(error) }
      if status.kind == .folder {
        try collect(whole, below: start, into: &entries)
        continue
      }
      guard let file = try read(name, in: open) else { throw .changing }
      entries.append(
        PackageEntry(
          path: path, kind: file.kind == .symbolicLink ? .symbolicLink : .file,
          mode: file.kind == .symbolicLink ? 0o777 : file.mode, modificationTime: file.modificationTime,
          content: file.content, size: file.byteCount))
    }
  }
}

extension WorkingTree {
  /// Puts a package at a path as ``place(_:at:over:target:isDurable:write:settle:)`` puts a file: built beside, then exchanged whole.
  func placePackage(
    _ version: VersionRecord, _ manifest: PackageManifest, at path: DocumentPath, over expectation: Expectation,
    content: (ObjectID, borrowing FileDescriptor) throws(RepositoryError) -> Void,
    settle: (borrowing FileDescriptor, [UInt8]) throws(RepositoryError) -> Void
  ) throws(RepositoryError) -> PlaceOutcome {
    let folder = try reaching(path) { () throws(WorkingTreeError) in try openFolder(of: path, isCreating: true) }
    let temporary = Self.temporaryName()
    let prefix = (path.folder.map { $0.bytes + [UInt8(ascii: "/")] } ?? []) + temporary
    do throws(RepositoryError) {
      try system { () throws(SystemError) in try folder.makeFolder(temporary, permissions: 0o777) }
      for entry in manifest.entries {
        guard let place = DocumentPath(prefix + [UInt8(ascii: "/")] + entry.path.bytes) else { continue }
        try placeEntry(entry, at: place, content: content)
      }
      try system { () throws(SystemError) in
        try folder.setPermissions(version.mode, of: temporary)
        try? folder.setModificationTime(
          of: temporary, seconds: version.modificationTime.seconds, nanoseconds: version.modificationTime.nanoseconds)
      }
      let outcome = try swap(temporary, with: path, over: expectation, in: folder, isFolder: true, settle)
      try system { () throws(SystemError) in try folder.synchronize() }
      return outcome
    } catch {
      clear(DirectoryEntry(name: temporary, kind: .folder), in: folder)
      throw error
    }
  }

  private func placeEntry(
    _ entry: PackageEntry, at place: DocumentPath,
    content: (ObjectID, borrowing FileDescriptor) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    let inner = try reaching(place) { () throws(WorkingTreeError) in try openFolder(of: place, isCreating: true) }
    switch entry.kind {
    case .folder: try system { () throws(SystemError) in try inner.makeFolder(place.name, permissions: 0o777) }
    case .file, .symbolicLink:
      guard let id = entry.content else { return }
      let file = try system { () throws(SystemError) in
        try inner.open(
          place.name, .readWrite, options: [.create, .exclusive, .noFollow], permissions: Self.unfinishedPermissions)
      }
      try content(id, file)
      if entry.kind == .symbolicLink {
        try system { () throws(SystemError) in
          try file.seek(to: 0)
          let target = try file.readAll(limit: 65_536)
          try inner.remove(place.name)
          try inner.makeSymbolicLink(place.name, target: target)
        }
        return
      }
      try system { () throws(SystemError) in
        try file.setPermissions(entry.mode)
        try? file.setModificationTime(
          seconds: entry.modificationTime.seconds, nanoseconds: entry.modificationTime.nanoseconds)
        try file.synchronizeData()
      }
    }
  }

  /// Whether a folder has an entry of exactly this name.
  func hasEntry(_ path: DocumentPath) throws(RepositoryError) -> Bool {
    let folder = try reaching(path) { () throws(WorkingTreeError) in try openFolder(of: path) }
    return try system { () throws(SystemError) in try folder.entries() }.contains { $0.name == path.name }
  }
}
