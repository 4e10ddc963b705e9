import Catalog
import Hashing
import ObjectStorage
import SystemIO
import Versioning

/// Makes the working files at some paths follow the paths' current versions, where nothing is lost by it (R2, R13).
struct Placement {
  let repository: Repository
  /// Whether a file that can't be reached is noted in the report and the others are still brought up to date.
  private let continuesAfterFailure: Bool
  var report = PlacementReport()
  /// Is told how many files are done, of how many.
  var progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  /// What the journal has to say, once the files are durable.
  private var notes: [JournalEntry] = []
  var statuses: [DocumentPath: CachedStatus] = [:]
  /// The versions that it names.
  private var versions: [RecordID: Version] = [:]
  private var names: RealNames
  private let known: KnownPaths
  /// Whether files wait to be placed together.
  var isGathering = false
  var waiting: [WaitingFile] = []
  /// What was placed and noted, and has to become durable before the journal is written.
  var pending: PendingFiles

  init(_ repository: Repository, continuesAfterFailure: Bool = false, known: KnownPaths? = nil) {
    self.repository = repository
    names = RealNames(repository.tree)
    self.continuesAfterFailure = continuesAfterFailure
    self.known = known ?? KnownPaths(repository)
    pending = PendingFiles(repository.tree)
  }

  var tree: WorkingTree { repository.tree }
  var store: Store { repository.store }

  /// How many files are placed before the journal is written.
  static let batch = 256

  /// Brings paths up to date: what goes away first, then the greatest versions, so that of two names that the volume
  /// can't hold apart the greater is placed.
  ///
  /// A path that can't be placed keeps no other from it; what was done is in the journal also where this throws.
  mutating func run(_ paths: Set<DocumentPath>) throws(RepositoryError) {
    do throws(RepositoryError) {
      try bringUpToDate(paths)
    } catch {
      try? flush(atLeast: 1)
      throw error
    }
  }

  private mutating func bringUpToDate(_ paths: Set<DocumentPath>) throws(RepositoryError) {
    var placed: [(path: DocumentPath, view: PathView, current: Version)] = []
    for path in try withNeighbours(paths).sorted() {
      let view = try known.view(of: path)
      guard let current = view.current else {
        try attempt(path) { (placement) throws(RepositoryError) in try placement.remove(path) }
        continue
      }
      if try isInTheWay(path, current) {
        try attempt(path) { (placement) throws(RepositoryError) in try placement.giveUp(path, .pathInTheWay) }
      } else {
        placed.append((path, view, current))
      }
    }
    try flush(atLeast: 1)
    isGathering = placed.count >= repository.placing.leastFileCount
    // Neighbours one after the other, where it does not matter who comes first.
    if isGathering && !names.mayCollide(placed.map(\.path)) {
      placed.sort { $0.path < $1.path }
    } else {
      placed.sort { $0.current.isGreater(than: $1.current) }
    }
    for (number, (path, view, current)) in placed.enumerated() {
      if !isGathering { progress(number, placed.count) }
      try attempt(path) { (placement) throws(RepositoryError) in try placement.place(path, view, current) }
      try flush(atLeast: Self.batch)
    }
    if !isGathering && !placed.isEmpty { progress(placed.count, placed.count) }
    try placeWaiting()
    try flush(atLeast: 1)
  }

  /// Runs what is to be done at one path. What fails there leaves the file and what is known of it as they are.
  mutating func attempt(
    _ path: DocumentPath, _ body: (inout Placement) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    do throws(RepositoryError) { try body(&self) } catch {
      guard continuesAfterFailure, error.concernsOneFile || error.lacksContent else { throw error }
      report.failed.append(.init(path: path, error: error))
    }
  }

  /// Writes the journal, for what is durable then.
  mutating func flush(atLeast count: Int) throws(RepositoryError) {
    if notes.count + statuses.count < count { return }
    try pending.synchronize()
    pending.lookAgain(&statuses)
    let (notes, statuses, versions) = (notes, statuses, versions)
    try store.write(.none) { (transaction) throws(RepositoryError) in
      for note in notes { try transaction.note(note) }
      transaction.statuses = statuses
      transaction.placed = versions
    }
    self.notes = []
    self.versions = [:]
    self.statuses = [:]
  }

  // MARK: Paths that exclude each other

  /// The paths, and those that a change at them may set free or push aside.
  private func withNeighbours(_ paths: Set<DocumentPath>) throws(RepositoryError) -> Set<DocumentPath> {
    var all = paths
    for path in paths {
      for folder in try known.knownFolders(of: path) { all.insert(folder) }
      for row in try known.documents(below: path) { all.insert(row.path) }
      for row in try known.fileRows(below: path) { all.insert(row.path) }
    }
    return all
  }

  /// Whether a greater document has a path that is a part of this one, or of which this one is a part.
  private func isInTheWay(_ path: DocumentPath, _ current: Version) throws(RepositoryError) -> Bool {
    for folder in path.folders {
      if let other = try known.view(ofFolder: folder).current, other.isGreater(than: current) { return true }
    }
    for row in try known.documents(below: path) where row.current.isGreater(than: current) { return true }
    return false
  }

  /// Takes a document's file away, if it has one, and notes that its absence is no deletion.
  mutating func giveUp(_ path: DocumentPath, _ reason: UnplacedReason) throws(RepositoryError) {
    report.unplaced.append(.init(path: path, reason: reason))
    let row = try known.fileRow(at: path)
    if row?.unplacedReason == reason.rawValue { return }
    if row != nil, row?.unplacedReason == nil { try remove(path) }
    notes.append(.unplaced(path: path, reason: reason.rawValue))
  }

  // MARK: One path

  private mutating func remove(_ path: DocumentPath) throws(RepositoryError) {
    guard let row = try known.fileRow(at: path) else { return }
    if row.unplacedReason != nil {
      notes.append(.gone(path: path))
      return
    }
    let state = try look(path)
    switch state {
    case .behindLink, .impossibleName, .occupied: report.left.append(path)
    case .absent: notes.append(.gone(path: path))
    case .present(let file):
      guard let base = try store.versions(Array(row.base.prefix(1))).first, file.isEqual(to: base.record) else {
        report.left.append(path)
        return
      }
      var rescued: [Version] = []
      pending.closeFolders()
      try tree.remove(path) { (folder, name) throws(RepositoryError) in
        try repository.settle(folder, name, at: path, base: base, &rescued)
      }
      report.rescued += rescued
      report.removed.append(path)
      notes.append(.gone(path: path))
    }
  }

  mutating func place(_ path: DocumentPath, _ view: PathView, _ current: Version) throws(RepositoryError) {
    let row = try known.fileRow(at: path)
    if let row, row.base.first == current.id, row.unplacedReason == nil {
      if row.base != view.base { notes.append(.base(path: path, base: view.base, seen: row.seen)) }
      return
    }
    let state = try look(path)
    // What nobody placed may be another file, or lie in another folder, that answers to this spelling.
    if row?.unplacedReason != nil || row == nil, state.isReached, try names.isAnotherName(path, isThere: state.isThere)
    {
      return try giveUp(path, .nameTaken)
    }
    switch state {
    case .behindLink: try giveUp(path, .behindLink)
    case .impossibleName: try giveUp(path, .nameImpossible)
    case .absent, .occupied:
      if let row, row.unplacedReason == nil, !row.base.isEmpty {
        // Deleted here and not saved yet: a change like any other.
        report.left.append(path)
      } else if case .occupied = state {
        try giveUp(path, .pathInTheWay)
      } else {
        try put(WaitingFile(path: path, view: view, version: current, base: nil))
      }
    case .present(let file):
      if file.isEqual(to: current.record) {
        // It may be here since an interrupted run, or a person's copy a moment ago.
        if row == nil { pending.noteFile(path) }
        notes.append(.base(path: path, base: view.base, seen: view.seen))
        statuses[path] = CachedStatus(file)
        return
      }
      guard let base = try base(of: file, at: path, view, row) else {
        report.left.append(path)
        return
      }
      let hasOtherNames = file.kind == .file && file.status.linkCount > 1
      try put(WaitingFile(path: path, view: view, version: current, base: base, hasOtherNames: hasOtherNames))
    }
  }

  /// The version that an unmodified file is; `nil` where the file has content of its own.
  ///
  /// Where nobody noted what the file came from, as in a store that was copied or restored, it is what saving it takes it
  /// for: the oldest version with these bytes (R7).
  private func base(
    of file: WorkingFile, at path: DocumentPath, _ view: PathView, _ row: FileRow?
  ) throws(RepositoryError) -> Version? {
    if let row {
      let base = try store.versions(Array(row.base.prefix(1))).first
      return base.flatMap { file.isEqual(to: $0.record) ? $0 : nil }
    }
    guard let document = view.document else { return nil }
    let graph = try store.graph(ofFamily: document.family)
    let removed = graph.removed()
    return graph.versions.filter { $0.record.path == path && file.isEqual(to: $0.record) && !removed.contains($0.id) }
      .min { $0.record.logicalTime < $1.record.logicalTime }
  }

  private enum State {
    case absent
    case present(WorkingFile)
    case behindLink
    /// The volume can't hold the name.
    case impossibleName
    /// A pipe, a socket or a device is there.
    case occupied

    var isThere: Bool {
      if case .present = self { return true }
      return false
    }

    /// Whether a file is or could be there.
    var isReached: Bool {
      switch self {
      case .absent, .present: true
      case .behindLink, .impossibleName, .occupied: false
      }
    }
  }

  /// - Throws: where nothing is known of what is there, so that it is left alone (R4).
  private func look(_ path: DocumentPath) throws(RepositoryError) -> State {
    let status: FileStatus?
    do throws(WorkingTreeError) { status = try self.status(of: path) } catch {
      switch error {
      case .throughLink: return .behindLink
      case .system(let cause) where cause.saysImpossibleName: return .impossibleName
      default: throw RepositoryError(error, at: path)
      }
    }
    switch status?.kind {
    case nil: return .absent
    case .folder where !repository.isPackage(path): return .absent
    case .file, .symbolicLink, .folder:
      return try repository.readWorkingFile(path).map { .present($0) } ?? .absent
    default: return .occupied
    }
  }

  private func status(of path: DocumentPath) throws(WorkingTreeError) -> FileStatus? {
    guard let folder = pending.openFolders[path.folder] else { return try tree.status(of: path) }
    do throws(SystemError) { return try folder.file.descriptor.status(of: path.name) } catch {
      if error.code == SystemErrorCode.notFound { return nil }
      throw .system(error)
    }
  }

  /// Puts a version's content at its path, now or together with others.
  private mutating func put(_ file: WaitingFile) throws(RepositoryError) {
    if isGathering && file.version.record.kind != .package { return try gather(file) }
    // What is greater comes first.
    try placeWaiting()
    try putNow(file)
  }

  mutating func putNow(_ file: WaitingFile) throws(RepositoryError) {
    var rescued: [Version] = []
    try givingUp(file.path) { (placement) throws(RepositoryError) in
      let outcome = try placement.repository.put(
        file.version.record, at: file.path, over: file.base, &rescued)
      placement.note(file, outcome, checkedAt: Clock.wallNanoseconds)
    }
    report.rescued += rescued
  }

  /// Runs what places a file, and gives it up where the volume can't have it.
  mutating func givingUp(
    _ path: DocumentPath, _ body: (inout Placement) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    do throws(RepositoryError) { try body(&self) } catch {
      switch error {
      case .system(let cause) where cause.saysImpossibleName: try giveUp(path, .nameImpossible)
      case .system(let cause) where cause.saysNoLinks: try giveUp(path, .kindImpossible)
      // A file is where a folder would have to be.
      case .refused(.unreachable): try giveUp(path, .pathInTheWay)
      default: throw error
      }
    }
  }

  /// Notes what became of a file.
  mutating func note(_ file: WaitingFile, _ outcome: PlaceOutcome, checkedAt: Int64) {
    guard case .placed(let status) = outcome else { return report.left.append(file.path) }
    if file.base == nil { report.created.append(file.path) } else { report.replaced.append(file.path) }
    if file.hasOtherNames { report.unlinked.append(file.path) }
    notes.append(.base(path: file.path, base: file.view.base, seen: file.view.seen))
    versions[file.version.id] = file.version
    statuses[file.path] = status.map { CachedStatus($0, checkedAt: checkedAt) }
  }
}

extension DocumentPath {
  /// The folders that it lies in, the outermost first.
  var folders: [DocumentPath] {
    var folders: [DocumentPath] = []
    for (place, byte) in bytes.enumerated() where byte == UInt8(ascii: "/") {
      if let folder = DocumentPath(bytes[..<place]) { folders.append(folder) }
    }
    return folders
  }
}

extension SystemError {
  /// ENAMETOOLONG, EINVAL, EILSEQ: the volume can't hold a name.
  var saysImpossibleName: Bool { isNameTooLong || code == 22 || code == 84 }

  /// EPERM: the volume can't hold symbolic links.
  var saysNoLinks: Bool { function == "symlinkat" && code == 1 }
}
