import Catalog
import Hashing
import ObjectStorage
import SystemIO
public import Versioning

/// How a document's working file differs from what the store knows.
public enum StatusChange: Equatable, Sendable {
  case modified
  case new
  case missing
  /// Found under another name; the path was this before.
  case renamed(from: DocumentPath)
  case conflict
  /// The current version is newer than the file, or there is no file though nobody deleted one here.
  case remoteOnly
  case unreadable(String)
}

/// One line of a status.
public struct StatusEntry: Equatable, Sendable {
  public let path: DocumentPath
  public let change: StatusChange
}

/// What differs; nothing when everything is saved and placed.
public struct StatusReport: Sendable {
  /// Ascending by path; a path may be both modified and in conflict.
  public var entries: [StatusEntry] = []
  /// Pipes, sockets and devices.
  public var notDocuments: [DocumentPath] = []
}

extension Repository {
  /// Compares working files with the store. Files that are unchanged by their times are not read.
  ///
  /// - Parameters:
  ///   - targets: documents, folders, or `nil` for the whole repository.
  ///   - rereadsEverything: reads every file, whatever its times say.
  public func status(
    _ targets: [DocumentPath?], rereadsEverything: Bool = false
  ) throws(RepositoryError) -> StatusReport {
    var plan = SavePlan(self, rereadsEverything: rereadsEverything)
    for target in targets { try plan.add(target) }
    try plan.finish()
    var report = StatusReport()
    report.notDocuments = plan.notDocuments
    var entries = plan.unreadable.map { StatusEntry(path: $0.path, change: .unreadable($0.reason)) }
    var refreshed: [DocumentPath: CachedStatus] = [:]
    for task in plan.tasks {
      do throws(RepositoryError) {
        if let change = try change(task, &refreshed, &report.notDocuments) {
          entries.append(StatusEntry(path: task.path, change: change))
        }
      } catch {
        guard let file = UnreadableFile(error, at: task.path) else { throw error }
        entries.append(StatusEntry(path: file.path, change: .unreadable(file.reason)))
      }
    }
    report.notDocuments.sort()
    entries += try remoteChanges(targets, besides: Set(entries.map(\.path)), plan.known)
    report.entries = entries.sorted { $0.path == $1.path ? "\($0.change)" < "\($1.change)" : $0.path < $1.path }
    remember(refreshed)
    if !rereadsEverything && targets.contains(nil) { keepTreeIndex(plan.known?.index, plan.readFolders) }
    return report
  }

  private func change(
    _ task: SavePlan.Task, _ refreshed: inout [DocumentPath: CachedStatus], _ notDocuments: inout [DocumentPath]
  ) throws(RepositoryError) -> StatusChange? {
    switch task {
    case .renamed(let row, _): return .renamed(from: row.path)
    case .missing(let row):
      // Where the document moved on to another place, the file is only waiting to be brought up to date.
      let rows = try row.base.first.map { (id) throws(RepositoryError) in try store.documentRows(around: id) } ?? []
      return rows.contains { $0.heads.contains { $0.record.path == row.path } } ? .missing : nil
    case .file(let path, let row):
      let view = try view(of: path)
      if row == nil, view.claimants.isEmpty, let isThere = try isThere(path) { return isThere ? .new : nil }
      guard let file = try readWorkingFile(path) else { return nil }
      notDocuments += file.leftOut(of: path)
      if view.rivals.contains(where: { $0.record.path == path && file.isEqual(to: $0.record) }) {
        refreshed[path] = CachedStatus(file)
        return nil
      }
      let base = try store.versions(Array((row?.base ?? []).prefix(1))).first
      if let base, base.record.path == path, file.isEqual(to: base.record) {
        refreshed[path] = CachedStatus(file)
        return nil
      }
      return row == nil && view.current == nil ? .new : .modified
    }
  }

  /// Whether a file that is like no version, and so needn't be read, is there and can be; `nil` where it isn't as simple as that.
  private func isThere(_ path: DocumentPath) throws(RepositoryError) -> Bool? {
    if isPackage(path) { return nil }
    return try tree.reaching(path) { () throws(WorkingTreeError) in
      do throws(WorkingTreeError) {
        guard try tree.status(of: path)?.kind == .file else { return nil }
        _ = try tree.openFile(path)
        return true
      } catch {
        if error.isAbsence { return false }
        throw error
      }
    }
  }

  /// Conflicts, and documents whose file is behind or not there.
  private func remoteChanges(
    _ targets: [DocumentPath?], besides changed: Set<DocumentPath>, _ known: KnownTree?
  ) throws(RepositoryError) -> [StatusEntry] {
    var entries: [StatusEntry] = []
    var seen: Set<DocumentPath> = []
    for target in targets {
      var paths = known?.unsettled(below: target) ?? []
      if known == nil { paths = try documents(below: target).map(\.path) }
      if let target, try view(of: target).current != nil { paths.append(target) }
      for path in paths where seen.insert(path).inserted {
        let attention = Attention(try view(of: path), try fileRow(at: path))
        if attention.hasConflict { entries.append(StatusEntry(path: path, change: .conflict)) }
        if attention.isRemoteOnly && !changed.contains(path) {
          entries.append(StatusEntry(path: path, change: .remoteOnly))
        }
      }
    }
    return entries
  }

  /// Notes what was found unchanged, so that it need not be read the next time; a store that can't be written to just reads
  /// again.
  private func remember(_ statuses: [DocumentPath: CachedStatus]) {
    guard !statuses.isEmpty, store.device != nil else { return }
    try? store.setStatuses(statuses)
  }
}
