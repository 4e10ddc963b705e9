import Catalog
import Hashing
import ObjectStorage
public import SystemIO
public import Versioning

extension Repository {
  /// The largest file that is taken as a version, in bytes: it is held in memory.
  private static let importedByteCountLimit = 1 << 31

  /// Saves files, in their order, as versions of one document, each at its modification time; the last one becomes the working
  /// file.
  ///
  /// They follow what is at the path. A file that is as the one before makes no version. Each version is durable before the
  /// next one is read: what was made stays where a later file fails.
  ///
  /// - Parameters:
  ///   - files: anywhere; links are followed.
  ///   - isCancelled: asked before each file with how many were taken.
  /// - Throws: `.refused(.unsavedChanges)` where the working file is as no version; then nothing is made.
  public func importHistory(
    _ files: [FilePath], at path: DocumentPath, message: [UInt8] = [], isCancelled: (Int) -> Bool = { _ in false }
  ) throws(RepositoryError) -> [Version] {
    try store.withLock { () throws(RepositoryError) in
      let row = try fileRow(at: path)
      let before = try checkedWorkingFile(at: path, row: row)
      var parents = try basisVersions(.workingFile, at: path, row: row)
      var made: [Version] = []
      var failure: RepositoryError?
      for (number, file) in files.enumerated() {
        if isCancelled(number) { break }
        do throws(RepositoryError) {
          guard let version = try importVersion(file, at: path, on: parents, message: message) else { continue }
          made.append(version)
          parents = [version]
        } catch {
          failure = error
          break
        }
      }
      if let last = made.last { try putInPlace(last, at: path, over: before) }
      if made.count > 1 { store.catalog.emptyLog() }
      if let failure { throw failure }
      return made
    }
  }

  /// - Returns: `nil` where the file is as the first parent.
  private func importVersion(
    _ file: FilePath, at path: DocumentPath, on parents: [Version], message: [UInt8]
  ) throws(RepositoryError) -> Version? {
    let (status, bytes) = try store.called { () throws(SystemError) in
      (
        try FileStatus.of(file, followingLinks: true),
        try FileSystem.read(file, limit: Self.importedByteCountLimit)
      )
    }
    let id = SHA256.hash(bytes)
    if let first = parents.first?.record, first.content == id, first.kind == .file, first.mode == status.permissions {
      return nil
    }
    return try store.write(.save) { (transaction) throws(RepositoryError) in
      let content = try transaction.content(bytes, id: id, after: parents.first)
      let record = VersionRecord.next(
        on: parents, document: nil, path: path, kind: .file, content: content, size: UInt64(bytes.count),
        mode: status.permissions, modificationTime: status.modificationTime, now: status.modificationMilliseconds,
        device: transaction.device, origin: .import, message: message)
      return try transaction.add(record, content, isBase: false)
    }
  }
}

extension FileStatus {
  /// The modification time as a version has its time; within the years 1 to 9999.
  fileprivate var modificationMilliseconds: Int64 {
    let seconds = min(max(modificationSeconds, LogicalTime.firstMillisecond / 1000), LogicalTime.lastMillisecond / 1000)
    return seconds * 1000 + Int64(modificationNanoseconds / 1_000_000)
  }
}
