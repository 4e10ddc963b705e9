import Catalog
import ObjectStorage
public import SystemIO
public import Versioning

extension Repository {
  /// Saves files, in their order, as versions of one document, each at its modification time; the last one becomes the working
  /// file.
  ///
  /// They follow what is at the path. A file that is as the one before makes no version. All are one operation, though they become
  /// durable some at a time: what was made stays where a later file fails.
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
      let parents = try basisVersions(.workingFile, at: path, row: row)
      var work = HistoryImport(files, at: path, on: parents, message: message, in: store)
      var failure: RepositoryError?
      while !work.isDone && failure == nil {
        do throws(RepositoryError) { try work.takeGroup(isCancelled: isCancelled) } catch { failure = error }
      }
      let made = work.made
      if let last = made.last {
        try store.write(.none) { (transaction) throws(RepositoryError) in
          try transaction.note(
            .operation(PackOperation.save.rawValue, wallTime: transaction.now, records: made.map(\.id)))
        }
        try putInPlace(last, at: path, over: before)
      }
      if made.count > 1 { store.catalog.emptyLog() }
      if let failure = failure ?? work.failure { throw failure }
      return made
    }
  }
}
