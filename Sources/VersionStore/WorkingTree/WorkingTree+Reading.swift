import Hashing
import SystemIO
import Versioning

extension WorkingTree {
  /// Content of at most so many bytes is read into memory at once; the rest in pieces.
  static let memoryLimit = 4 << 20
  /// How often a file that changes while it is read is read again.
  private static let attempts = 3

  /// Reads the file or link at a path; `nil` where nothing is.
  ///
  /// - Parameter cutting: given where it is to be stored: a large file is cut into chunks where it is hashed, and tells of it.
  func read(_ path: DocumentPath, cutting: ByteProgress? = nil) throws(WorkingTreeError) -> WorkingFile? {
    let folder: FileDescriptor
    do { folder = try openFolder(of: path) } catch {
      if error.isAbsence { return nil }
      throw error
    }
    return try read(path.name, in: folder, cutting: cutting)
  }

  /// Reads the file or link of a name in an open folder; `nil` where nothing is.
  func read(
    _ name: [UInt8], in folder: borrowing FileDescriptor, cutting: ByteProgress? = nil
  ) throws(WorkingTreeError) -> WorkingFile? {
    for _ in 0..<Self.attempts {
      let checkedAt = Clock.wallNanoseconds
      let status: FileStatus
      do throws(SystemError) { status = try folder.status(of: name) } catch {
        if error.code == SystemErrorCode.notFound { return nil }
        throw .system(error)
      }
      if ![.file, .symbolicLink].contains(status.kind) { throw .notADocument(status.kind) }
      do throws(SystemError) {
        switch status.kind {
        case .symbolicLink:
          let target = try folder.readLink(name)
          return WorkingFile(
            kind: .symbolicLink, status: status, content: SHA256.hash(target), byteCount: UInt64(target.count),
            bytes: target, manifest: nil, checkedAt: checkedAt)
        case .file:
          if let file = try readFile(name, in: folder, cutting, checkedAt: checkedAt) { return file }
        default: break
        }
      } catch {
        // Gone, longer or something else since it was looked at: another look tells.
        guard error.code == SystemErrorCode.notFound || error.isSymbolicLink || error.isTooLarge else {
          throw .system(error)
        }
      }
    }
    throw .changing
  }

  /// Reads a file, or answers `nil` where it changed meanwhile.
  private func readFile(
    _ name: [UInt8], in folder: borrowing FileDescriptor, _ cutting: ByteProgress?, checkedAt: Int64
  ) throws(SystemError) -> WorkingFile? {
    // A pipe may have taken the file's place since it was looked at: opening one must not wait for a writer.
    let file = try folder.open(name, .readOnly, options: [.noFollow, .nonBlocking])
    let before = try file.status()
    guard before.kind == .file else { return nil }
    if let cutting, before.size > UInt64(Self.memoryLimit) {
      return try readLargeFile(SharedFile(file), before, cutting, checkedAt: checkedAt)
    }
    var bytes: [UInt8]?
    let content: ObjectID
    if before.size <= UInt64(Self.memoryLimit) {
      let whole = try file.readAll(limit: Self.memoryLimit + 1)
      content = SHA256.hash(whole)
      bytes = whole
    } else {
      content = try Self.hash(file)
    }
    let after = try file.status()
    guard before.isSameFile(as: after), bytes.map({ UInt64($0.count) == after.size }) ?? true else { return nil }
    return WorkingFile(
      kind: .file, status: after, content: content, byteCount: after.size, bytes: bytes, manifest: nil,
      checkedAt: checkedAt)
  }

  private func readLargeFile(
    _ file: SharedFile, _ before: FileStatus, _ progress: ByteProgress, checkedAt: Int64
  ) throws(SystemError) -> WorkingFile? {
    guard let (content, chunks) = try Self.cut(file, byteCount: before.size, progress: progress) else { return nil }
    let after = try file.descriptor.status()
    guard before.isSameFile(as: after) else { return nil }
    return WorkingFile(
      kind: .file, status: after, content: content, byteCount: after.size, bytes: nil, chunks: chunks, manifest: nil,
      checkedAt: checkedAt)
  }

  /// The digest of an open file from its beginning, read in pieces of 1 MiB.
  static func hash(_ file: borrowing FileDescriptor) throws(SystemError) -> ObjectID {
    var hasher = SHA256()
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var offset: UInt64 = 0
    while true {
      try Interruption.check()
      var count = 0
      var failure: SystemError?
      buffer.withUnsafeMutableBytes { space in
        do throws(SystemError) {
          count = try file.read(into: space, at: offset)
          hasher.update(UnsafeRawBufferPointer(rebasing: space[..<count]))
        } catch { failure = error }
      }
      if let failure { throw failure }
      if count == 0 { return hasher.finalized() }
      offset += UInt64(count)
    }
  }

  /// Opens a file for reading in pieces, without following a link or waiting for a pipe.
  func openFile(_ path: DocumentPath) throws(WorkingTreeError) -> FileDescriptor {
    let folder = try openFolder(of: path)
    do { return try folder.open(path.name, .readOnly, options: [.noFollow, .nonBlocking]) } catch {
      throw .system(error)
    }
  }
}
