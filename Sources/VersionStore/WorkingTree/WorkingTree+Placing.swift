import Hashing
import SystemIO
import Versioning

/// What became of a file that was to be placed.
enum PlaceOutcome: Equatable {
  /// With how the file looks now; `nil` where somebody has written to it since, so that it has to be read.
  case placed(FileStatus?)
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
    let temporary = try makeUnfinished(version, target: target, in: folder, isDurable: isDurable, write)
    let outcome = try swap(temporary, with: path, over: expectation, in: folder, settle)
    if isDurable { try system { () throws(SystemError) in try Self.synchronize(folder) } }
    return outcome
  }

  /// Makes a file or link complete but for its name.
  ///
  /// - Returns: the name that it has meanwhile; where it throws nothing has that.
  func makeUnfinished(
    _ version: VersionRecord, target: [UInt8]?, in folder: borrowing FileDescriptor,
    named temporary: [UInt8] = Self.temporaryName(), isDurable: Bool,
    _ write: (borrowing FileDescriptor) throws(RepositoryError) -> Void
  ) throws(RepositoryError) -> [UInt8] {
    do {
      if let target, version.kind == .symbolicLink {
        try make(link: target, named: temporary, in: folder, version)
      } else {
        try makeFile(named: temporary, in: folder, version, isDurable: isDurable, write)
      }
    } catch {
      try? folder.remove(temporary)
      throw error
    }
    return temporary
  }

  /// Makes the names in a folder durable where the file system can.
  static func synchronize(_ folder: borrowing FileDescriptor) throws(SystemError) {
    do throws(SystemError) { try folder.synchronize() } catch  where error.isUnsupported {}
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
  ///
  /// Where it throws the temporary name is gone, unless what came out of the exchange could neither be settled nor put back:
  /// then it stays under that name, and ``Repository/save(_:options:)`` sees to it.
  func swap(
    _ temporary: [UInt8], with path: DocumentPath, over expectation: Expectation, in folder: borrowing FileDescriptor,
    isFolder: Bool = false, _ settle: (borrowing FileDescriptor, [UInt8]) throws(RepositoryError) -> Void
  ) throws(RepositoryError) -> PlaceOutcome {
    let name = path.name
    let made: FileStatus
    do throws(SystemError) { made = try folder.status(of: temporary) } catch {
      clear(DirectoryEntry(name: temporary, kind: nil), in: folder)
      throw .system(error)
    }
    guard case .file = expectation else { return try placeNew(temporary, made, as: name, in: folder) }
    do throws(SystemError) {
      try folder.rename(temporary, to: name, how: .exchange)
    } catch {
      if error.code == SystemErrorCode.notFound { return try placeNew(temporary, made, as: name, in: folder) }
      if error.isUnsupported && !isFolder { return try replace(name, with: temporary, made, in: folder, settle) }
      clear(DirectoryEntry(name: temporary, kind: nil), in: folder)
      throw .system(error)
    }
    return try settleExchanged(temporary, made, with: name, in: folder, settle)
  }

  /// No exchange of names here: the file is checked right before it is replaced.
  private func replace(
    _ name: [UInt8], with temporary: [UInt8], _ made: FileStatus, in folder: borrowing FileDescriptor,
    _ settle: (borrowing FileDescriptor, [UInt8]) throws(RepositoryError) -> Void
  ) throws(RepositoryError) -> PlaceOutcome {
    do throws(RepositoryError) {
      try settle(folder, name)
      try system { () throws(SystemError) in try folder.rename(temporary, to: name, how: .replace) }
    } catch {
      clear(DirectoryEntry(name: temporary, kind: nil), in: folder)
      throw error
    }
    return .placed(status(of: name, madeAs: made, in: folder))
  }

  /// Sees to what came out of an exchange; what can't be settled gets its name back.
  private func settleExchanged(
    _ temporary: [UInt8], _ made: FileStatus, with name: [UInt8], in folder: borrowing FileDescriptor,
    _ settle: (borrowing FileDescriptor, [UInt8]) throws(RepositoryError) -> Void
  ) throws(RepositoryError) -> PlaceOutcome {
    do throws(RepositoryError) { try settle(folder, temporary) } catch {
      // Removed only where it is ours again for certain.
      if (try? folder.rename(temporary, to: name, how: .exchange)) != nil {
        clear(DirectoryEntry(name: temporary, kind: nil), in: folder)
      }
      throw error
    }
    let status = status(of: name, madeAs: made, in: folder)
    clear(DirectoryEntry(name: temporary, kind: nil), in: folder)
    return .placed(status)
  }

  /// How a file that was placed looks; `nil` where it isn't as it was made.
  private func status(
    of name: [UInt8], madeAs made: FileStatus, in folder: borrowing FileDescriptor
  ) -> FileStatus? {
    guard let now = try? folder.status(of: name), now.inode == made.inode, now.device == made.device,
      now.size == made.size, now.modificationSeconds == made.modificationSeconds,
      now.modificationNanoseconds == made.modificationNanoseconds, now.permissions == made.permissions
    else { return nil }
    return now
  }

  private func placeNew(
    _ temporary: [UInt8], _ made: FileStatus, as name: [UInt8], in folder: borrowing FileDescriptor
  ) throws(RepositoryError) -> PlaceOutcome {
    do throws(SystemError) {
      do throws(SystemError) { try folder.rename(temporary, to: name, how: .noReplace) } catch {
        guard error.isUnsupported else { throw error }
        guard try placeWithoutExchange(temporary, as: name, in: folder) else {
          clear(DirectoryEntry(name: temporary, kind: nil), in: folder)
          return .taken
        }
      }
    } catch {
      clear(DirectoryEntry(name: temporary, kind: nil), in: folder)
      guard error.alreadyExists else { throw .system(error) }
      return .taken
    }
    return .placed(status(of: name, madeAs: made, in: folder))
  }

  /// Gives a finished file a free name where the file system has no rename that leaves a taken one alone.
  ///
  /// - Returns: whether the name was free.
  private func placeWithoutExchange(
    _ temporary: [UInt8], as name: [UInt8], in folder: borrowing FileDescriptor
  ) throws(SystemError) -> Bool {
    do throws(SystemError) {
      // A hard link fails where the name is taken, too.
      try folder.makeHardLink(name, to: temporary)
      try folder.remove(temporary)
      return true
    } catch {
      if error.alreadyExists { return false }
      guard error.isUnsupported || error.isPermission else { throw error }
    }
    // No hard links either, as on FAT, or not of a folder: the name is looked at right before it is taken.
    do throws(SystemError) {
      _ = try folder.status(of: name)
      return false
    } catch {
      guard error.code == SystemErrorCode.notFound else { throw error }
      try folder.rename(temporary, to: name, how: .replace)
      return true
    }
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
    try system { () throws(SystemError) in try Self.synchronize(folder) }
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
  private var endsInHole = false

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
      endsInHole = isZero
      start = end
    }
    offset += UInt64(bytes.count)
  }

  mutating func write(_ bytes: [UInt8], to file: borrowing FileDescriptor) throws(SystemError) {
    var failure: SystemError?
    bytes.withUnsafeBytes { bytes in
      do throws(SystemError) { try write(bytes, to: file) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Gives a file that was new its length, which a hole at the end needs.
  func finish(_ file: borrowing FileDescriptor) throws(SystemError) {
    if endsInHole { try file.truncate(to: offset) }
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
    case .changing: self = .refused(.changing(path))
    default: self = .refused(.unreachable(path))
    }
  }
}
