import SystemIO
import Versioning

/// Writes the documents of a folder, as they are or were at a time, into a new folder.
///
/// Threads write ahead under other names, as where working files are placed; the store is not changed.
struct FolderExport {
  private let repository: Repository
  /// Current versions are never removed.
  private let checksRemovals: Bool
  private let tree: WorkingTree
  private var pending: PendingFiles
  private(set) var report = ExportReport()

  /// So many bytes are written before the memory of what was read is let go of.
  private static let releasedByteCount: UInt64 = 64 << 20

  init(_ repository: Repository, to destination: FilePath, checksRemovals: Bool) {
    self.repository = repository
    self.checksRemovals = checksRemovals
    tree = WorkingTree(root: destination)
    pending = PendingFiles(tree)
  }

  /// Writes versions to paths below the destination; all are durable when this returns.
  mutating func run(
    _ versions: [(path: DocumentPath, version: Version)], progress: (_ done: Int, _ total: Int) -> Void
  ) throws(RepositoryError) {
    pending.openVolume()
    // The threads find the folders, and write nothing that may not be read.
    var files: [(path: DocumentPath, version: Version)] = []
    for (path, version) in versions {
      try attempt(path) { (export) throws(RepositoryError) in
        if export.checksRemovals { try export.repository.checkNotRemoved(version) }
        _ = try export.pending.openFolder(of: path)
        files.append((path, version))
      }
    }
    let unfinished = try UnfinishedFiles(
      repository, files.map { ($0.path, $0.version.record) }, in: tree, sharedDevice: pending.sharedDevice)
    let threads = files.count < repository.placing.leastFileCount ? 0 : repository.placing.threadCount
    try unfinished.run(threadCount: threads) { (work) throws(RepositoryError) in
      var takenCount = 0
      var byteCount: UInt64 = 0
      do throws(RepositoryError) {
        for (path, version) in files {
          let taken = unfinished.next(work)
          takenCount += 1
          progress(takenCount, files.count)
          try attempt(path) { (export) throws(RepositoryError) in try export.put(version, at: path, taken) }
          byteCount += version.record.size
          guard byteCount >= Self.releasedByteCount else { continue }
          unfinished.releaseMemory()
          byteCount = 0
          do throws(SystemError) { try Interruption.check() } catch { throw .system(error) }
        }
      } catch {
        unfinished.discard(work, from: takenCount)
        throw error
      }
    }
    pending.closeFolders()
    try pending.synchronize()
  }

  /// Runs what is to be done for one file; what fails there keeps no other from being written.
  private mutating func attempt(
    _ path: DocumentPath, _ body: (inout FolderExport) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    do throws(RepositoryError) { try body(&self) } catch {
      var isRefusal = false
      if case .refused = error { isRefusal = true }
      guard isRefusal || error.concernsOneFile || error.lacksContent else { throw error }
      report.failed.append(.init(path: path, error: error))
    }
  }

  private mutating func put(_ version: Version, at path: DocumentPath, _ taken: [UInt8]?) throws(RepositoryError) {
    let record = version.record
    let folder = try pending.openFolder(of: path)
    let outcome: PlaceOutcome
    if record.kind == .package, let content = record.content {
      outcome = try tree.placePackage(
        record, try repository.manifest(content), at: path, over: .nothing, content: repository.writeContent,
        settle: { _, _ in })
    } else {
      let temporary: [UInt8]
      if let taken {
        temporary = taken
      } else {
        temporary = try repository.makeUnfinished(
          record, at: path, in: folder.file.descriptor, isDurable: !folder.isShared)
      }
      outcome = try tree.swap(temporary, with: path, over: .nothing, in: folder.file.descriptor) { _, _ in }
    }
    guard case .placed = outcome else { throw .refused(.pathTaken(path)) }
    pending.note(path, in: folder)
    report.written.append(version)
  }
}
