import Catalog
import Hashing
import SystemIO
import Versioning

/// What a save of several documents has to do, worked out before anything is written.
struct SavePlan {
  enum Task {
    /// A file that may have changed.
    case file(DocumentPath, FileRow?)
    /// A document found again under another name.
    case renamed(FileRow, to: DocumentPath)
    /// A document whose file is gone.
    case missing(FileRow)

    var path: DocumentPath {
      switch self {
      case .file(let path, _): path
      case .renamed(_, let path): path
      case .missing(let row): row.path
      }
    }
  }

  /// Ascending by path; what is gone comes before what is there, so that a folder can take a file's place.
  private(set) var tasks: [Task] = []
  private(set) var unreadable: [UnreadableFile] = []
  private(set) var notDocuments: [DocumentPath] = []
  /// Documents with a working file in what was looked at, missing ones included.
  private(set) var documentCount = 0
  private var countedMissing: Set<DocumentPath> = []
  /// Working files that were not read again since nothing about them changed.
  private(set) var unchangedCount = 0

  /// Folders in which an interrupted run left something.
  private(set) var foldersWithTemporaries: Set<[UInt8]> = []

  /// What is known of the working files without asking the catalog; `nil` where it has to be asked.
  private(set) var known: KnownTree?
  private var hasLookedForIndex = false
  /// Folders that an index may tell the names of from now on.
  private(set) var readFolders: [ReadFolder] = []

  private let repository: Repository
  private let rereads: Bool
  private var names: RealNames
  /// Whether the store is known to have no document at all.
  private(set) var isFirstImport = false
  private var missing: [FileRow] = []
  /// What is at paths of which nothing is known.
  private(set) var new: [TreeScan.Item] = []

  init(_ repository: Repository, rereadsEverything: Bool) {
    self.repository = repository
    rereads = rereadsEverything
    names = RealNames(repository.tree)
  }

  /// Beyond so many, not having to look for each pays.
  private static let manyItems = 16

  // MARK: What is looked at

  /// Looks at everything below a folder, or at one document that a person named.
  mutating func add(_ target: DocumentPath?) throws(RepositoryError) {
    let tree = repository.tree
    if let path = target {
      let status = try tree.reaching(path) { () throws(WorkingTreeError) in try tree.status(of: path) }
      if status?.kind != .folder || repository.isPackage(path) { return try addNamed(path, status) }
      // A folder took a file's place.
      if let row = try repository.fileRow(at: path), row.unplacedReason == nil { missing.append(row) }
    }
    if !rereads && !hasLookedForIndex {
      hasLookedForIndex = true
      known = try repository.store.treeIndex(of: tree.volume).map { KnownTree($0) }
    }
    let scan = try TreeScan(tree, below: target, packages: repository.packagePatterns(), known: known)
    unreadable += scan.unreadable
    notDocuments += scan.notDocuments
    foldersWithTemporaries.formUnion(scan.foldersWithTemporaries)
    readFolders += scan.readFolders
    documentCount += scan.unchangedCount
    unchangedCount += scan.unchangedCount
    var rows = try fileRows(below: target)
    if scan.items.count >= Self.manyItems {
      isFirstImport = try repository.store.catalogued { () throws(CatalogError) in
        try repository.store.catalog.hasNoDocuments()
      }
    }
    for item in scan.items {
      let row = rows.removeValue(forKey: item.path)
      if let row, row.unplacedReason == nil {
        documentCount += 1
        if !rereads && row.isUnchanged(item.status, on: tree.volume) {
          unchangedCount += 1
          continue
        }
        tasks.append(.file(item.path, row))
      } else if !isFirstImport, try repository.view(of: item.path).current != nil {
        tasks.append(.file(item.path, row))
      } else {
        new.append(item)
      }
    }
    for row in rows.values where row.unplacedReason == nil {
      documentCount += 1
      if scan.cannotSee(row.path) || isBehindLink(row.path) {
        unreadable.append(UnreadableFile(path: row.path, reason: "it can't be seen"))
      } else if isLeftOut(row.path) {
        tasks.append(.file(row.path, row))
      } else {
        addMissing(row)
      }
    }
  }

  /// What is known of the working files below a folder, but for those that were met unchanged.
  private func fileRows(below folder: DocumentPath?) throws(RepositoryError) -> [DocumentPath: FileRow] {
    var rows: [DocumentPath: FileRow] = [:]
    guard let known else {
      try repository.forEachFileRow(below: folder) { rows[$0.path] = $0 }
      return rows
    }
    try repository.store.catalog.snapshot(failure: { .catalog($0) }) { () throws(RepositoryError) in
      for path in known.unmet(below: folder) { rows[path] = try repository.fileRow(at: path) }
    }
    return rows
  }

  private mutating func addMissing(_ row: FileRow) {
    missing.append(row)
    countedMissing.insert(row.path)
  }

  private mutating func addNamed(_ path: DocumentPath, _ status: FileStatus?) throws(RepositoryError) {
    let row = try repository.fileRow(at: path)
    switch status?.kind {
    case nil:
      if let row {
        if row.unplacedReason == nil { missing.append(row) }
        return
      }
      // A folder that is gone as a whole is asked about like everything else that is missing in numbers (R4).
      let below = try repository.fileRows(below: path)
      for row in below where row.unplacedReason == nil {
        documentCount += 1
        addMissing(row)
      }
      if below.isEmpty, try repository.view(of: path).current == nil { throw .noSuchDocument(path) }
    case .file, .symbolicLink, .folder: tasks.append(.file(path, row))
    default: notDocuments.append(path)
    }
  }

  /// Whether a link stands on the way to a path: what is behind it is not seen, so it is not deleted (R4).
  private func isBehindLink(_ path: DocumentPath) -> Bool {
    do throws(WorkingTreeError) {
      _ = try repository.tree.status(of: path)
      return false
    } catch { return true }
  }

  /// Whether a file that was saved is there, but ignored by now: under its real name, not as another spelling of one that
  /// was renamed (R13).
  private mutating func isLeftOut(_ path: DocumentPath) -> Bool {
    guard let status = (try? repository.tree.status(of: path)) ?? nil, [.file, .symbolicLink].contains(status.kind)
    else {
      return false
    }
    return (try? !names.isAnotherName(path)) ?? true
  }

  // MARK: What it comes to

  /// Finds renames among what is missing and what is new, and puts everything in order.
  mutating func finish() throws(RepositoryError) {
    let found = try RenameSearch(repository, missing: missing, new: new).run()
    for (row, path) in found { tasks.append(.renamed(row, to: path)) }
    let renamed = Set(found.map(\.0.path))
    let taken = Set(found.map(\.1))
    for row in missing where !renamed.contains(row.path) { tasks.append(.missing(row)) }
    for item in new where !taken.contains(item.path) { tasks.append(.file(item.path, nil)) }
    countedMissing.subtract(renamed)
    tasks.sort { left, right in
      let (leftIsGone, rightIsGone) = (left.isMissing, right.isMissing)
      return leftIsGone == rightIsGone ? left.path < right.path : leftIsGone
    }
  }

  /// Refuses where so much is missing that the disk rather than the person is the likely reason (R4).
  func checkMassDeletion() throws(RepositoryError) {
    let missingCount = countedMissing.count
    guard missingCount > 0 else { return }
    if missingCount == documentCount || (documentCount >= 10 && missingCount * 2 > documentCount) {
      throw .refused(.massDeletion(missing: missingCount, of: documentCount))
    }
  }
}

extension SavePlan.Task {
  fileprivate var isMissing: Bool {
    if case .missing = self { return true }
    return false
  }
}

extension VolumeKind {
  /// How much older than the look at it a file's last change must be to be believed, in nanoseconds: file systems count in
  /// steps, and a write in the same step as the look leaves no trace.
  var granularity: Int64 { hasStableInodes || self == .tmpfs ? 20_000_000 : 2_100_000_000 }
}

extension FileRow {
  /// Whether a file of the status that is remembered can't have changed since it was last read.
  func hasTrustedStatus(on volume: VolumeKind) -> Bool {
    guard let status, kind == .file || kind == .symbolicLink else { return false }
    let (nanoseconds, overflow) = status.changeSeconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return false }
    let (changed, isTooLate) = nanoseconds.addingReportingOverflow(Int64(status.changeNanoseconds))
    return !isTooLate && changed < status.checkedAt - volume.granularity
  }

  /// Whether a file can't have changed since it was last read.
  func isUnchanged(_ now: FileStatus, on volume: VolumeKind) -> Bool {
    guard let status, kind == (now.kind == .symbolicLink ? .symbolicLink : .file), status.size == now.size,
      status.modificationSeconds == now.modificationSeconds,
      status.modificationNanoseconds == now.modificationNanoseconds,
      status.changeSeconds == now.changeSeconds, status.changeNanoseconds == now.changeNanoseconds,
      status.inode == now.inode
    else { return false }
    return hasTrustedStatus(on: volume)
  }
}
