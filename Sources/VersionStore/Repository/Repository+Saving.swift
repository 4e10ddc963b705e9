import Catalog
import Hashing
import ObjectStorage
import SystemIO
public import Versioning

extension Repository {
  /// How much new content goes into one group, in bytes; a larger save is made of several.
  private static let groupByteCount: UInt64 = 64 << 20
  /// How long an active pack gets before it is sealed, in bytes.
  private static let activeByteCount: UInt64 = 32 << 20

  /// Saves new versions of what changed.
  ///
  /// - Parameter targets: documents, folders (everything below that is not ignored), or `nil` for the whole repository.
  public func save(_ targets: [DocumentPath?], options: SaveOptions) throws(RepositoryError) -> SaveReport {
    try store.withLock { () throws(RepositoryError) in
      var plan = SavePlan(self, rereadsEverything: options.rereadsEverything)
      for target in targets { try plan.add(target) }
      try plan.finish()
      if !options.allowsMassDeletion { try plan.checkMassDeletion() }
      var report = SaveReport()
      report.unreadable = plan.unreadable
      report.notDocuments = plan.notDocuments
      report.displaced = try clearTemporaries(in: plan.foldersWithTemporaries)
      try carryOut(plan.tasks, options, &report)
      report.saved.sort { $0.record.path < $1.record.path }
      report.unreadable.sort { $0.path < $1.path }
      report.notDocuments.sort()
      store.resumeQuickSaves()
      return report
    }
  }

  private func carryOut(
    _ tasks: [SavePlan.Task], _ options: SaveOptions, _ report: inout SaveReport
  ) throws(RepositoryError) {
    var next = 0
    var isFirst = true
    repeat {
      let saved = try store.write(.save) { (transaction) throws(RepositoryError) in
        let step = SaveStep(repository: self, transaction: transaction, options: options)
        var saved: [Version] = []
        while next < tasks.count, transaction.byteCount < Self.groupByteCount {
          do throws(RepositoryError) {
            if let version = try carryOut(tasks[next], step, &report.notDocuments) { saved.append(version) }
          } catch {
            guard let file = UnreadableFile(error, at: tasks[next].path) else { throw error }
            report.unreadable.append(file)
          }
          next += 1
        }
        // A save in several groups is one operation all the same.
        if next < tasks.count || !isFirst { transaction.operation = PackOperation.none }
        if next == tasks.count && !isFirst {
          try transaction.note(
            .operation(
              PackOperation.save.rawValue, wallTime: transaction.now, records: (report.saved + saved).map(\.id)))
        }
        return saved
      }
      report.saved += saved
      isFirst = false
      if let size = store.writer?.byteCount, size > Self.activeByteCount { _ = try store.seal() }
    } while next < tasks.count
  }

  private func carryOut(
    _ task: SavePlan.Task, _ step: SaveStep, _ notDocuments: inout [DocumentPath]
  ) throws(RepositoryError) -> Version? {
    switch task {
    case .missing(let row): return try step.delete(row.path, row: row)
    case .renamed(let row, let path):
      guard let file = try readWorkingFile(path) else { return nil }
      notDocuments += file.leftOut(of: path)
      return try step.rename(row, to: path, file)
    case .file(let path, let row):
      guard let file = try readWorkingFile(path) else { return nil }
      notDocuments += file.leftOut(of: path)
      return try step.save(file, at: path, row: row)
    }
  }

  /// Saves content that comes from elsewhere; the working file and its base are left alone.
  ///
  /// - Returns: `nil` where the content is that of a head.
  public func save(
    standardInput bytes: [UInt8], at path: DocumentPath, options: SaveOptions
  ) throws(RepositoryError) -> Version? {
    try store.write(.save) { (transaction) throws(RepositoryError) in
      let step = SaveStep(repository: self, transaction: transaction, options: options)
      return try step.save(content: bytes, at: path, row: try fileRow(at: path))
    }
  }

  /// Reads what is at a path as a document: a file, a link, or a package.
  func readWorkingFile(_ path: DocumentPath) throws(RepositoryError) -> WorkingFile? {
    let found = try tree.reaching(path) { () throws(WorkingTreeError) in
      isPackage(path) ? try tree.readPackage(path) : try tree.read(path)
    }
    guard var file = found, file.manifest != nil else { return found }
    let base = try store.versions(try fileRow(at: path)?.base ?? [])
    for version in base + (try view(of: path).rivals) where ignoreTimes(of: &file, against: version) { break }
    return file
  }

  /// Makes a package that differs from a version by the times of its files alone that version's (R15).
  ///
  /// - Returns: whether it is equal to the version now.
  @discardableResult
  func ignoreTimes(of file: inout WorkingFile, against version: Version) -> Bool {
    guard version.record.kind == .package, let own = file.manifest, let content = version.record.content else {
      return false
    }
    if content == file.content { return true }
    guard let manifest = try? manifest(content), manifest.withoutTimes == own.withoutTimes else { return false }
    file.content = content
    file.manifest = manifest
    file.bytes = manifest.encoded()
    return true
  }

  func forEachFileRow(below folder: DocumentPath?, _ body: (FileRow) -> Void) throws(RepositoryError) {
    try store.catalogued { () throws(CatalogError) in
      try store.catalog.forEachFile(below: folder?.bytes) { (row) throws(CatalogError) in body(row) }
    }
  }
}

extension WorkingFile {
  /// The paths in the repository of what a package's version hasn't got.
  func leftOut(of package: DocumentPath) -> [DocumentPath] {
    leftOut.compactMap { DocumentPath(package.bytes + [UInt8(ascii: "/")] + $0.bytes) }
  }
}

extension UnreadableFile {
  /// An error that concerns one file alone: the others can still be saved.
  init?(_ error: RepositoryError, at path: DocumentPath) {
    guard error.concernsOneFile else { return nil }
    switch error {
    case .system(let cause), .objects(.source(let cause)), .objects(.destination(let cause)):
      self.init(path: path, reason: cause.message)
    case .refused(.changing): self.init(path: path, reason: "it kept changing while it was read")
    case .refused(.unreachable): self.init(path: path, reason: "it is no file, or lies behind a link")
    default: return nil
    }
  }
}

extension PackageManifest {
  fileprivate var withoutTimes: [PackageEntry] {
    entries.map { entry in
      var entry = entry
      entry.modificationTime = FileTime(wholeSeconds: 0)
      return entry
    }
  }
}
