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
  private(set) var report = PlacementReport()
  /// What the journal has to say, once the files are durable.
  private var notes: [JournalEntry] = []
  private var statuses: [DocumentPath: CachedStatus] = [:]
  private var names: RealNames

  init(_ repository: Repository, continuesAfterFailure: Bool = false) {
    self.repository = repository
    names = RealNames(repository.tree)
    self.continuesAfterFailure = continuesAfterFailure
  }

  private var tree: WorkingTree { repository.tree }
  private var store: Store { repository.store }

  /// How many files are placed before the journal is written.
  private static let batch = 256

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
      let view = try repository.view(of: path)
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
    placed.sort { $0.current.isGreater(than: $1.current) }
    for (path, view, current) in placed {
      try attempt(path) { (placement) throws(RepositoryError) in try placement.place(path, view, current) }
      try flush(atLeast: Self.batch)
    }
    try flush(atLeast: 1)
  }

  /// Runs what is to be done at one path. What fails there leaves the file and what is known of it as they are.
  private mutating func attempt(
    _ path: DocumentPath, _ body: (inout Placement) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    do throws(RepositoryError) { try body(&self) } catch {
      guard continuesAfterFailure, error.concernsOneFile || error.lacksContent else { throw error }
      report.failed.append(.init(path: path, error: error))
    }
  }

  /// Writes the journal for what has become durable.
  private mutating func flush(atLeast count: Int) throws(RepositoryError) {
    if notes.count + statuses.count < count { return }
    let (notes, statuses) = (notes, statuses)
    try store.write(.none) { (transaction) throws(RepositoryError) in
      for note in notes { try transaction.note(note) }
      transaction.statuses = statuses
    }
    self.notes = []
    self.statuses = [:]
  }

  // MARK: Paths that exclude each other

  /// The paths, and those that a change at them may set free or push aside.
  private func withNeighbours(_ paths: Set<DocumentPath>) throws(RepositoryError) -> Set<DocumentPath> {
    var all = paths
    for path in paths {
      for folder in path.folders where try repository.isKnown(folder) { all.insert(folder) }
      for row in try repository.documents(below: path) { all.insert(row.path) }
      for row in try repository.fileRows(below: path) { all.insert(row.path) }
    }
    return all
  }

  /// Whether a greater document has a path that is a part of this one, or of which this one is a part.
  private func isInTheWay(_ path: DocumentPath, _ current: Version) throws(RepositoryError) -> Bool {
    for folder in path.folders {
      if let other = try repository.view(of: folder).current, other.isGreater(than: current) { return true }
    }
    for row in try repository.documents(below: path) where row.current.isGreater(than: current) { return true }
    return false
  }

  /// Takes a document's file away, if it has one, and notes that its absence is no deletion.
  private mutating func giveUp(_ path: DocumentPath, _ reason: UnplacedReason) throws(RepositoryError) {
    report.unplaced.append(.init(path: path, reason: reason))
    let row = try repository.fileRow(at: path)
    if row?.unplacedReason == reason.rawValue { return }
    if row != nil, row?.unplacedReason == nil { try remove(path) }
    notes.append(.unplaced(path: path, reason: reason.rawValue))
  }

  // MARK: One path

  private mutating func remove(_ path: DocumentPath) throws(RepositoryError) {
    guard let row = try repository.fileRow(at: path) else { return }
    if row.unplacedReason != nil {
      notes.append(.gone(path: path))
      return
    }
    let state = try look(path)
    switch state {
    case .behindLink, .impossibleName, .unreachable: report.left.append(path)
    case .absent: notes.append(.gone(path: path))
    case .present(let file):
      guard let base = try store.versions(Array(row.base.prefix(1))).first, file.isEqual(to: base.record) else {
        report.left.append(path)
        return
      }
      var rescued: [Version] = []
      do throws(RepositoryError) {
        try tree.remove(path) { (folder, name) throws(RepositoryError) in
          try repository.settle(folder, name, at: path, base: base, &rescued)
        }
      } catch {
        guard UnreadableFile(error, at: path) != nil else { throw error }
        report.left.append(path)
        return
      }
      report.rescued += rescued
      report.removed.append(path)
      notes.append(.gone(path: path))
    }
  }

  private mutating func place(_ path: DocumentPath, _ view: PathView, _ current: Version) throws(RepositoryError) {
    let row = try repository.fileRow(at: path)
    if let row, row.base.first == current.id, row.unplacedReason == nil {
      if row.base != view.base { notes.append(.base(path: path, base: view.base, seen: row.seen)) }
      return
    }
    let state = try look(path)
    // What nobody placed may be another file, or lie in another folder, that answers to this spelling.
    if row?.unplacedReason != nil || row == nil, state.isReached, try names.isAnotherName(path) {
      return try giveUp(path, .nameTaken)
    }
    switch state {
    case .behindLink: try giveUp(path, .behindLink)
    case .impossibleName: try giveUp(path, .nameImpossible)
    case .unreachable where row == nil: try giveUp(path, .pathInTheWay)
    case .unreachable: report.left.append(path)
    case .absent:
      if let row, row.unplacedReason == nil, !row.base.isEmpty {
        // Deleted here and not saved yet: a change like any other.
        report.left.append(path)
      } else {
        try put(current, at: path, view, over: nil)
      }
    case .present(let file):
      if file.isEqual(to: current.record) {
        notes.append(.base(path: path, base: view.base, seen: view.seen))
        statuses[path] = CachedStatus(file)
        return
      }
      guard let base = try base(of: file, at: path, view, row) else {
        report.left.append(path)
        return
      }
      try put(current, at: path, view, over: base)
      if file.kind == .file && file.status.linkCount > 1 && report.replaced.last == path {
        report.unlinked.append(path)
      }
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
    /// A file on the way, a pipe, a file that nobody may read: nothing is known of it, so it is left alone (R4).
    case unreachable

    /// Whether a file is or could be there.
    var isReached: Bool {
      switch self {
      case .absent, .present: true
      case .behindLink, .impossibleName, .unreachable: false
      }
    }
  }

  private func look(_ path: DocumentPath) throws(RepositoryError) -> State {
    do throws(WorkingTreeError) { _ = try tree.status(of: path) } catch {
      switch error {
      case .throughLink: return .behindLink
      case .system(let cause) where cause.saysImpossibleName: return .impossibleName
      default: return .unreachable
      }
    }
    do throws(RepositoryError) {
      if tree.isFolder(path) && !repository.isPackage(path) { return .absent }
      return try repository.readWorkingFile(path).map { .present($0) } ?? .absent
    } catch {
      guard UnreadableFile(error, at: path) != nil else { throw error }
      return .unreachable
    }
  }

  private mutating func put(
    _ version: Version, at path: DocumentPath, _ view: PathView, over base: Version?
  ) throws(RepositoryError) {
    var rescued: [Version] = []
    let outcome: PlaceOutcome
    do throws(RepositoryError) {
      outcome = try repository.put(version.record, at: path, over: base, &rescued)
    } catch {
      switch error {
      case .system(let cause) where cause.saysImpossibleName: return try giveUp(path, .nameImpossible)
      case .system(let cause) where cause.saysNoLinks: return try giveUp(path, .kindImpossible)
      // A file is where a folder would have to be.
      case .refused(.unreachable): return try giveUp(path, .pathInTheWay)
      default: break
      }
      guard UnreadableFile(error, at: path) != nil else { throw error }
      // A folder that nobody may write to.
      report.left.append(path)
      return
    }
    report.rescued += rescued
    switch outcome {
    case .placed(let status):
      if base == nil { report.created.append(path) } else { report.replaced.append(path) }
      notes.append(.base(path: path, base: view.base, seen: view.seen))
      statuses[path] = status.map { CachedStatus($0, checkedAt: Clock.wallNanoseconds) }
    case .taken:
      report.left.append(path)
    }
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
