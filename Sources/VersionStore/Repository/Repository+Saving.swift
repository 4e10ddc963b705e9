import Catalog
import Hashing
import ObjectStorage
import SystemIO
public import Versioning

extension Repository {
  /// Saves new versions of what changed.
  ///
  /// - Parameters:
  ///   - targets: documents, folders (everything below that is not ignored), or `nil` for the whole repository.
  ///   - progress: is told how far it is, for each file, and often while a large one is read or stored.
  public func save(
    _ targets: [DocumentPath?], options: SaveOptions, progress: @escaping (SaveProgress) -> Void = { _ in }
  ) throws(RepositoryError) -> SaveReport {
    try store.withLock { () throws(RepositoryError) in
      var plan = SavePlan(self, rereadsEverything: options.rereadsEverything)
      for target in targets { try plan.add(target) }
      try plan.finish()
      if !options.allowsMassDeletion { try plan.checkMassDeletion() }
      var report = SaveReport()
      report.unreadable = plan.unreadable
      report.notDocuments = plan.notDocuments
      report.displaced = try clearTemporaries(in: plan.foldersWithTemporaries)
      try carryOut(plan, options, &report, progress)
      report.saved.sort { $0.record.path < $1.record.path }
      report.unreadable.sort { $0.path < $1.path }
      report.notDocuments.sort()
      store.resumeQuickSaves()
      // After a large save that would take long; the next one makes it.
      if targets.contains(nil) && !options.rereadsEverything && report.saved.count < options.limits.leastFileCount {
        keepTreeIndex(plan.known?.index, plan.readFolders)
      }
      return report
    }
  }

  private func carryOut(
    _ plan: SavePlan, _ options: SaveOptions, _ report: inout SaveReport,
    _ progress: @escaping (SaveProgress) -> Void
  ) throws(RepositoryError) {
    guard plan.tasks.count >= options.limits.leastFileCount else {
      return try carryOut(plan, options, &report, progress) { (task, cutting) throws(RepositoryError) in
        try readWorkingFile(task.path, cutting: cutting)
      }
    }
    let ahead = ReadAhead(self, plan)
    try store.inBulk { () throws(RepositoryError) in
      try ahead.run(threadCount: options.limits.threadCount) { (work) throws(RepositoryError) in
        try carryOut(plan, options, &report, progress) { (task, cutting) throws(RepositoryError) in
          try ahead.next(work, or: { () throws(RepositoryError) in try readWorkingFile(task.path, cutting: cutting) })
        }
      }
    }
  }

  /// - Parameter read: gives the working file of a task; called once for each, in order.
  private func carryOut(
    _ plan: SavePlan, _ options: SaveOptions, _ report: inout SaveReport,
    _ progress: @escaping (SaveProgress) -> Void,
    read: (SavePlan.Task, ByteProgress) throws(RepositoryError) -> WorkingFile?
  ) throws(RepositoryError) {
    let (tasks, isFirstImport) = (plan.tasks, plan.isFirstImport)
    var next = 0
    var isFirst = true
    repeat {
      let saved = try store.write(.save) { (transaction) throws(RepositoryError) in
        transaction.splitByteCount = options.limits.contentByteCount
        var step = SaveStep(repository: self, transaction: transaction, options: options)
        step.isFirstImport = isFirstImport
        var saved: [Version] = []
        while next < tasks.count, transaction.byteCount < options.limits.groupByteCount {
          let task = tasks[next]
          let state = SaveProgress(done: next, total: tasks.count)
          progress(state)
          next += 1
          transaction.progress = state.of(task.path, .storing, progress)
          do throws(RepositoryError) {
            let file = try read(task, state.of(task.path, .reading, progress))
            if let version = try carryOut(task, file, step, &report.notDocuments) { saved.append(version) }
          } catch {
            guard let file = UnreadableFile(error, at: task.path) else { throw error }
            report.unreadable.append(file)
          }
        }
        // A save in several groups is one operation all the same.
        let isOnlyOne = isFirst && next == tasks.count && !transaction.isSplit
        if !isOnlyOne { transaction.operation = PackOperation.none }
        if next == tasks.count && !isOnlyOne {
          try transaction.note(
            .operation(
              PackOperation.save.rawValue, wallTime: transaction.now, records: (report.saved + saved).map(\.id)))
        }
        return saved
      }
      report.saved += saved
      isFirst = false
      try store.sealIfLong()
    } while next < tasks.count
  }

  private func carryOut(
    _ task: SavePlan.Task, _ file: WorkingFile?, _ step: SaveStep, _ notDocuments: inout [DocumentPath]
  ) throws(RepositoryError) -> Version? {
    if case .missing(let row) = task { return try step.delete(row.path, row: row) }
    guard let file else { return nil }
    notDocuments += file.leftOut(of: task.path)
    switch task {
    case .renamed(let row, let path): return try step.rename(row, to: path, file)
    case .file(let path, let row): return try step.save(file, at: path, row: row)
    case .missing: return nil
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
  ///
  /// - Parameter cutting: given where it is to be stored: a large file is cut into chunks where it is hashed, and tells of it.
  func readWorkingFile(_ path: DocumentPath, cutting: ByteProgress? = nil) throws(RepositoryError) -> WorkingFile? {
    let found = try tree.reaching(path) { () throws(WorkingTreeError) in
      isPackage(path) ? try tree.readPackage(path) : try tree.read(path, cutting: cutting)
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
