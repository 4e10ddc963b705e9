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
  private var openFolders: [DocumentPath?: TargetFolder] = [:]
  private(set) var report = ExportReport()

  /// So many folders are open at once.
  private static let openFolderLimit = 64
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
    let files = versions.map {
      WaitingFile(path: $0.path, view: PathView(path: $0.path, claimants: []), version: $0.version, base: nil)
    }
    // The threads find the folders.
    for file in files { try attempt(file) { (export) throws(RepositoryError) in _ = try export.folder(of: file.path) } }
    let failed = Set(report.failed.map(\.path))
    let unfinished = try UnfinishedFiles(repository, files, in: tree, sharedDevice: pending.sharedDevice)
    let threads = files.count < repository.placing.leastFileCount ? 0 : repository.placing.threadCount
    try unfinished.run(threadCount: threads) { (work) throws(RepositoryError) in
      var takenCount = 0
      var byteCount: UInt64 = 0
      do throws(RepositoryError) {
        for file in files {
          let taken = unfinished.next(work)
          takenCount += 1
          progress(takenCount, files.count)
          if !failed.contains(file.path) {
            try attempt(file) { (export) throws(RepositoryError) in try export.put(file, taken) }
          }
          byteCount += file.version.record.size
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
    openFolders.removeAll()
    try pending.synchronize()
  }

  /// Runs what is to be done for one file; what fails there keeps no other from being written.
  private mutating func attempt(
    _ file: WaitingFile, _ body: (inout FolderExport) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    do throws(RepositoryError) { try body(&self) } catch {
      var isRefusal = false
      if case .refused = error { isRefusal = true }
      guard isRefusal || error.concernsOneFile || error.lacksContent else { throw error }
      report.failed.append(.init(path: file.path, error: error))
    }
  }

  private mutating func folder(of path: DocumentPath) throws(RepositoryError) -> TargetFolder {
    if let open = openFolders[path.folder] { return open }
    if openFolders.count >= Self.openFolderLimit { openFolders.removeAll() }
    let isShared = pending.sharedDevice != nil
    let open = pending.open(
      try tree.reaching(path) { () throws(WorkingTreeError) in
        try tree.openFolder(of: path, isCreating: true, isDurable: !isShared)
      })
    openFolders[path.folder] = open
    return open
  }

  private mutating func put(_ file: WaitingFile, _ taken: [UInt8]?) throws(RepositoryError) {
    let (path, record) = (file.path, file.version.record)
    if checksRemovals { try repository.checkNotRemoved(file.version) }
    let folder = try folder(of: path)
    let outcome: PlaceOutcome
    if record.kind == .package, let content = record.content {
      outcome = try tree.placePackage(
        record, try repository.manifest(content), at: path, over: .nothing, content: repository.writeContent,
        settle: { _, _ in })
    } else {
      var temporary = taken
      if temporary == nil {
        temporary = try repository.makeUnfinished(
          record, at: path, in: folder.file.descriptor, isDurable: !folder.isShared)
      }
      guard let temporary else { return }
      outcome = try tree.swap(temporary, with: path, over: .nothing, in: folder.file.descriptor) { _, _ in }
    }
    guard case .placed = outcome else { throw .refused(.pathTaken(path)) }
    pending.note(path, in: folder)
    report.written.append(file.version)
  }
}
