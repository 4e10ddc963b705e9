import Hashing
import SystemIO
import Versioning

/// What became of a file that was to be placed.
enum PlaceOutcome: Equatable {
  case placed(FileStatus)
  /// Something unexpected is at the path; it was left alone.
  case taken
}

extension WorkingTree {
  /// The permissions of a file that is being written: nobody who may not read it can, and whoever finds it after a crash
  /// knows that it is unfinished.
  static let unfinishedPermissions: UInt16 = 0o200

  /// What the caller knows to be at a path before it is replaced.
  enum Expectation {
    case nothing
    /// A file whose bytes are checked, after the exchange, by the caller.
    case file
  }

  /// Puts a file or link at a path without losing what is there (R2).
  ///
  /// The new file is written beside its target and made durable, then the two exchange names. What came out is handed to
  /// `settle`, which must see to it that a version holds its bytes; only then it is removed. Where the file system can't
  /// exchange names, `settle` gets the file right before it is replaced: a write in between is lost, as `docs/limitations.md`
  /// says.
  ///
  /// - Parameters:
  ///   - write: writes the content of a file.
  ///   - settle: answers whether the file of that name may go; throws to put everything back.
  func place(
    _ version: VersionRecord, at path: DocumentPath, over expectation: Expectation, target: [UInt8]?,
    isDurable: Bool = true,
    write: (borrowing FileDescriptor) throws(RepositoryError) -> Void,
    settle: (borrowing FileDescriptor, [UInt8]) throws(RepositoryError) -> Void
  ) throws(RepositoryError) -> PlaceOutcome {
    let folder = try reaching(path) { () throws(WorkingTreeError) in try openFolder(of: path, isCreating: true) }
    let temporary = Self.temporaryName()
    do {
      if let target, version.kind == .symbolicLink {
        try make(link: target, named: temporary, in: folder, version)
      } else {
        try makeFile(named: temporary, in: folder, version, isDurable: isDurable, write)
      }
      let outcome = try swap(temporary, with: path, over: expectation, in: folder, settle)
      if isDurable { try system { () throws(SystemError) in try folder.synchronize() } }
      return outcome
    } catch {
      try? folder.remove(temporary)
      throw error
    }
  }

  func system<Value: ~Copyable>(_ body: () throws(SystemError) -> Value) throws(RepositoryError) -> Value {
    do { return try body() } catch { throw .system(error) }
  }

  private func make(
    link target: [UInt8], named name: [UInt8], in folder: borrowing FileDescriptor, _ version: VersionRecord
  ) throws(RepositoryError) {
    do {
      try folder.makeSymbolicLink(name, target: target)
      try? folder.setModificationTime(
        of: name, seconds: version.modificationTime.seconds, nanoseconds: version.modificationTime.nanoseconds)
    } catch { throw .system(error) }
  }

  private func makeFile(
    named name: [UInt8], in folder: borrowing FileDescriptor, _ version: VersionRecord, isDurable: Bool,
    _ write: (borrowing FileDescriptor) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    let file = try system { () throws(SystemError) in
      try folder.open(
        name, .readWrite, options: [.create, .exclusive, .noFollow], permissions: Self.unfinishedPermissions)
    }
    try write(file)
    do {
      try file.setPermissions(version.mode)
      // A volume that can't hold the time keeps another; a difference of time alone is no change (R15).
      try? file.setModificationTime(
        seconds: version.modificationTime.seconds, nanoseconds: version.modificationTime.nanoseconds)
      if isDurable { try file.synchronizeData() }
    } catch { throw .system(error) }
  }

  /// Gives a finished file or folder its name.
  func swap(
    _ temporary: [UInt8], with path: DocumentPath, over expectation: Expectation, in folder: borrowing FileDescriptor,
    isFolder: Bool = false, _ settle: (borrowing FileDescriptor, [UInt8]) throws(RepositoryError) -> Void
  ) throws(RepositoryError) -> PlaceOutcome {
    let name = path.name
    guard case .file = expectation else {
      return try system { () throws(SystemError) in try placeNew(temporary, as: name, in: folder) }
    }
    do throws(SystemError) {
      try folder.rename(temporary, to: name, how: .exchange)
    } catch {
      if error.code == SystemErrorCode.notFound {
        return try system { () throws(SystemError) in try placeNew(temporary, as: name, in: folder) }
      }
      guard error.isUnsupported, !isFolder else { throw .system(error) }
      // No exchange of names here: the file is checked right before it is replaced.
      try settle(folder, name)
      return try system { () throws(SystemError) in
        try folder.rename(temporary, to: name, how: .replace)
        return .placed(try folder.status(of: name))
      }
    }
    do throws(RepositoryError) { try settle(folder, temporary) } catch {
      // What came out is known to no version and could not be saved: it gets its name back.
      try system { () throws(SystemError) in try folder.rename(temporary, to: name, how: .exchange) }
      throw error
    }
    let status = try system { () throws(SystemError) in try folder.status(of: name) }
    clear(DirectoryEntry(name: temporary, kind: nil), in: folder)
    return .placed(status)
  }

  private func placeNew(
    _ temporary: [UInt8], as name: [UInt8], in folder: borrowing FileDescriptor
  ) throws(SystemError) -> PlaceOutcome {
    do throws(SystemError) {
      try folder.rename(temporary, to: name, how: .noReplace)
    } catch {
      if error.alreadyExists {
        clear(DirectoryEntry(name: temporary, kind: nil), in: folder)
        return .taken
      }
      guard error.isUnsupported else { throw error }
      // No such rename here: a hard link also fails where the name is taken.
      do throws(SystemError) { try folder.makeHardLink(name, to: temporary) } catch {
        guard error.alreadyExists else { throw error }
        try folder.remove(temporary)
        return .taken
      }
      try folder.remove(temporary)
    }
    return .placed(try folder.status(of: name))
  }

  /// Takes a file or link away without losing what is there (R2): aside, checked, then removed.
  ///
  /// - Parameter settle: as for ``place(_:at:over:target:isDurable:write:settle:)``.
  func remove(
    _ path: DocumentPath, settle: (borrowing FileDescriptor, [UInt8]) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    guard try reaching(path, { () throws(WorkingTreeError) in try status(of: path) }) != nil else { return }
    let folder = try reaching(path) { () throws(WorkingTreeError) in try openFolder(of: path) }
    let aside = Self.temporaryName()
    do {
      try folder.rename(path.name, to: aside, how: .replace)
    } catch {
      if error.code == SystemErrorCode.notFound { return }
      throw .system(error)
    }
    do { try settle(folder, aside) } catch {
      do { try folder.rename(aside, to: path.name, how: .noReplace) } catch { throw .system(error) }
      throw error
    }
    clear(DirectoryEntry(name: aside, kind: nil), in: folder)
    try system { () throws(SystemError) in try folder.synchronize() }
    removeEmptyFolders(above: path)
  }

  /// Removes the folders that a removed document leaves empty; one that holds anything stays.
  func removeEmptyFolders(above path: DocumentPath) {
    var place = path.folder
    while let folder = place {
      guard let parent = try? openFolder(of: folder), (try? parent.removeFolder(folder.name)) != nil else { return }
      place = folder.folder
    }
  }
}

/// Writes a file's content, leaving holes for long runs of zeros.
struct SparseWriter: ~Copyable {
  private static let blockByteCount = 4096
  private var offset: UInt64 = 0

  /// Writes a piece at the end of what was written before.
  mutating func write(
    _ bytes: UnsafeRawBufferPointer, to file: borrowing FileDescriptor
  ) throws(SystemError) {
    var start = 0
    while start < bytes.count {
      let isZero = Self.isZeroBlock(bytes, at: start)
      var end = start
      while end < bytes.count, Self.isZeroBlock(bytes, at: end) == isZero {
        end = min(end + Self.blockByteCount, bytes.count)
      }
      if !isZero {
        try file.write(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), at: offset + UInt64(start))
      }
      start = end
    }
    offset += UInt64(bytes.count)
  }

  /// Gives the file its length, which a hole at the end needs.
  func finish(_ file: borrowing FileDescriptor) throws(SystemError) {
    try file.truncate(to: offset)
  }

  /// Whether a whole block of zeros begins at a place.
  private static func isZeroBlock(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
    guard bytes.count - start >= blockByteCount else { return false }
    for place in stride(from: start, to: start + blockByteCount, by: 8)
    where bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) != 0 {
      return false
    }
    return true
  }
}

extension RepositoryError {
  init(_ error: WorkingTreeError, at path: DocumentPath) {
    switch error {
    case .system(let cause): self = .system(cause)
    default: self = .refused(.unreachable(path))
    }
  }
}
