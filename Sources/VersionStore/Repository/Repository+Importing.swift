import Catalog
import ObjectStorage
public import SystemIO
public import Versioning

extension Repository {
  /// Saves files, in their order, as versions of one document, each at its modification time; the last one becomes the working
  /// file.
  ///
  /// They follow what is at the path. A file that is as the one before makes no version, nor do the first files where the last
  /// versions at the path were made of just them: so an import that was interrupted is gone on with. All are one operation, though
  /// they become durable some at a time: what was made stays where a later file fails.
  ///
  /// - Parameters:
  ///   - files: anywhere; links are followed.
  ///   - isCancelled: asked before each file with how many were taken.
  /// - Throws: `.refused(.unsavedChanges)` where the working file is as no version; then nothing is made.
  public func importHistory(
    _ files: [FilePath], at path: DocumentPath, message: [UInt8] = [], isCancelled: (Int) -> Bool = { _ in false }
  ) throws(RepositoryError) -> ImportReport {
    try store.withLock { () throws(RepositoryError) in
      let row = try fileRow(at: path)
      let before = try checkedWorkingFile(at: path, row: row)
      let parents = try basisVersions(.workingFile, at: path, row: row)
      var earlier = try ImportedFiles(files, upTo: parents.count == 1 ? parents.first : nil, in: store)
      let passedOver = earlier.count()
      var work = HistoryImport(
        files, passedOver: passedOver, at: path, on: parents, message: message, in: store)
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
      return ImportReport(made: made, passedOverCount: passedOver, takenCount: work.taken)
    }
  }
}

/// What an import did.
public struct ImportReport: Sendable {
  /// The versions, in their order.
  public var made: [Version]
  /// How many of the first files were versions already.
  public var passedOverCount: Int
  /// How many files were taken, those that were passed over or made no version among them.
  public var takenCount: Int
}
