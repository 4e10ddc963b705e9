import Hashing
import SystemIO
import Versioning

extension WorkingTree {
  /// Reads a package: a folder that is one document. `nil` where nothing is at the path.
  ///
  /// The content of its files stays where it is: it is read again, by ``openFile(_:)``, when it is stored.
  func readPackage(_ path: DocumentPath) throws(WorkingTreeError) -> WorkingFile? {
    for _ in 0..<Self.packageAttempts {
      guard let status = try status(of: path) else { return nil }
      guard status.kind == .folder else { return try read(path) }
      let checkedAt = Clock.wallNanoseconds
      guard let walk = try walkOfOneMoment(path) else { continue }
      let manifest: PackageManifest
      do throws(DecodingFailure) { manifest = try PackageManifest(walk.entries) } catch { throw .changing }
      let bytes = manifest.encoded()
      return WorkingFile(
        kind: .package, status: status, content: SHA256.hash(bytes), byteCount: manifest.fileByteCount, bytes: bytes,
        manifest: manifest, checkedAt: checkedAt, leftOut: walk.leftOut.sorted())
    }
    throw .changing
  }

  /// What is in a package, read file by file; `nil` where something changed before the last one was read, so that they may
  /// not belong together.
  private func walkOfOneMoment(_ path: DocumentPath) throws(WorkingTreeError) -> PackageWalk? {
    var walk = PackageWalk()
    do throws(WorkingTreeError) {
      try collect(path.bytes, below: path.bytes.count + 1, into: &walk)
      return try isUnchanged(walk) ? walk : nil
    } catch {
      if error == .changing || error.isAbsence { return nil }
      throw error
    }
  }

  /// How often a package that changes while it is read is read again.
  private static let packageAttempts = 5

  /// What a walk through a package found.
  private struct PackageWalk {
    var entries: [PackageEntry] = []
    /// What can't be an entry: pipes, sockets and devices.
    var leftOut: [DocumentPath] = []
    /// The folders with the statuses of what is in them, each as it was when it was looked at.
    var folders: [(path: [UInt8], status: FileStatus, files: [(name: [UInt8], status: FileStatus)])] = []
  }

  /// Whether folders and files are as they were when they were read.
  private func isUnchanged(_ walk: PackageWalk) throws(WorkingTreeError) -> Bool {
    for folder in walk.folders {
      let open = try openFolder(folder.path.split(separator: UInt8(ascii: "/")))
      do throws(SystemError) {
        guard try open.status().isSameFile(as: folder.status) else { return false }
        for file in folder.files where try !open.status(of: file.name).isSameFile(as: file.status) { return false }
      } catch { throw .system(error) }
    }
    return true
  }

  /// Adds everything in a folder of a package, whose paths begin at a place of the folder's path.
  private func collect(
    _ top: [UInt8], below start: Int, into walk: inout PackageWalk
  ) throws(WorkingTreeError) {
    // A list instead of recursion: a package may be nested deeper than files can be open.
    var waiting = [top]
    while let folder = waiting.popLast() {
      let open = try openFolder(folder.split(separator: UInt8(ascii: "/")))
      let names: [[UInt8]]
      let status: FileStatus
      do throws(SystemError) {
        status = try open.status()
        names = try open.entries().map(\.name).filter { !$0.starts(with: RepositoryLayout.temporaryPrefix) }
      } catch { throw .system(error) }
      var files: [(name: [UInt8], status: FileStatus)] = []
      var isEmpty = true
      for name in names {
        let whole = folder + [UInt8(ascii: "/")] + name
        guard let path = DocumentPath(whole[start...]) else { throw .changing }
        do throws(WorkingTreeError) {
          if let (entry, status) = try entry(name, in: open, as: path) {
            walk.entries.append(entry)
            files.append((name, status))
          } else {
            waiting.append(whole)
          }
          isEmpty = false
        } catch {
          guard case .notADocument = error else { throw error }
          walk.leftOut.append(path)
        }
      }
      if isEmpty, folder.count > start, let path = DocumentPath(folder[start...]) {
        walk.entries.append(
          PackageEntry(
            path: path, kind: .folder, mode: status.permissions, modificationTime: status.modificationTime,
            content: nil, size: 0))
      }
      walk.folders.append((folder, status, files))
    }
  }

  /// A file or link of a package; `nil` for a folder.
  private func entry(
    _ name: [UInt8], in folder: borrowing FileDescriptor, as path: DocumentPath
  ) throws(WorkingTreeError) -> (PackageEntry, FileStatus)? {
    do throws(SystemError) {
      if try folder.status(of: name).kind == .folder { return nil }
    } catch { throw .system(error) }
    guard let file = try read(name, in: folder) else { throw .changing }
    let entry = PackageEntry(
      path: path, kind: file.kind == .symbolicLink ? .symbolicLink : .file,
      mode: file.recordedMode, modificationTime: file.modificationTime,
      content: file.content, size: file.byteCount)
    return (entry, file.status)
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
      var folders: Set<DocumentPath> = []
      for entry in manifest.entries {
        guard let place = DocumentPath(prefix + [UInt8(ascii: "/")] + entry.path.bytes) else { continue }
        try placeEntry(entry, at: place, content: content)
        folders.formUnion(place.folders.filter { $0.bytes.count >= prefix.count })
      }
      // Names in folders are made durable before the package gets its own.
      for inner in folders.sorted().reversed() {
        let open = try reaching(inner) { () throws(WorkingTreeError) in try openFolder(inner.components) }
        try system { () throws(SystemError) in try Self.synchronize(open) }
      }
      try system { () throws(SystemError) in
        try folder.setPermissions(version.mode, of: temporary)
        try? folder.setModificationTime(
          of: temporary, seconds: version.modificationTime.seconds, nanoseconds: version.modificationTime.nanoseconds)
      }
    } catch {
      clear(DirectoryEntry(name: temporary, kind: .folder), in: folder)
      throw error
    }
    let outcome = try swap(temporary, with: path, over: expectation, in: folder, isFolder: true, settle)
    try system { () throws(SystemError) in try Self.synchronize(folder) }
    return outcome
  }

  private func placeEntry(
    _ entry: PackageEntry, at place: DocumentPath,
    content: (ObjectID, borrowing FileDescriptor) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    let inner = try reaching(place) { () throws(WorkingTreeError) in try openFolder(of: place, isCreating: true) }
    switch entry.kind {
    case .folder:
      try system { () throws(SystemError) in
        try inner.makeFolder(place.name, permissions: 0o777)
        try inner.setPermissions(entry.mode, of: place.name)
        setTime(of: place.name, in: inner, entry)
      }
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
          setTime(of: place.name, in: inner, entry)
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

  /// A volume that can't hold the time keeps another.
  private func setTime(of name: [UInt8], in folder: borrowing FileDescriptor, _ entry: PackageEntry) {
    try? folder.setModificationTime(
      of: name, seconds: entry.modificationTime.seconds, nanoseconds: entry.modificationTime.nanoseconds)
  }

  /// Whether a folder is at a path.
  func isFolder(_ path: DocumentPath) -> Bool { ((try? status(of: path)) ?? nil)?.kind == .folder }
}
