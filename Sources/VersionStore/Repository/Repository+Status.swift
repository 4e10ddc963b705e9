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
    var findings = Findings(notDocuments: plan.notDocuments)
    var entries = plan.unreadable.map { StatusEntry(path: $0.path, change: .unreadable($0.reason)) }
    for task in plan.tasks {
      do throws(RepositoryError) {
        if let change = try change(task, &findings) {
          entries.append(StatusEntry(path: task.path, change: change))
        }
      } catch {
        guard let file = UnreadableFile(error, at: task.path) else { throw error }
        entries.append(StatusEntry(path: file.path, change: .unreadable(file.reason)))
      }
    }
    report.notDocuments = findings.notDocuments.sorted()
    entries += try remoteChanges(targets, besides: findings.current.union(entries.map(\.path)), plan.known)
    report.entries = entries.sorted { $0.path == $1.path ? "\($0.change)" < "\($1.change)" : $0.path < $1.path }
    remember(findings.refreshed)
    if !rereadsEverything && targets.contains(nil) { keepTreeIndex(plan.known?.index, plan.readFolders) }
    return report
  }

  /// What is found out while files are compared.
  private struct Findings {
    var notDocuments: [DocumentPath]
    /// Files that turned out to be as they were saved.
    var refreshed: [DocumentPath: CachedStatus] = [:]
    /// Files that have the current version's content, whoever put them there.
    var current: Set<DocumentPath> = []
  }

  private func change(_ task: SavePlan.Task, _ findings: inout Findings) throws(RepositoryError) -> StatusChange? {
    switch task {
    case .renamed(let row, _): return .renamed(from: row.path)
    case .missing(let row):
      // Where the document moved on to another place, the file is only waiting to be brought up to date.
      let rows = try row.base.first.map { (id) throws(RepositoryError) in try store.documentRows(around: id) } ?? []
      return rows.contains { $0.heads.contains { $0.record.path == row.path } } ? .missing : nil
    case .file(let path, let row):
      let view = try view(of: path)
      var known = view.rivals
      if let base = row?.base.first, !known.contains(where: { $0.id == base }) { known += try store.versions([base]) }
      known.removeAll { $0.record.path != path }
      let difference = row == nil && view.current == nil ? StatusChange.new : .modified
      if let isThere = try isThere(path, unlike: known) { return isThere ? difference : nil }
      guard let file = try readWorkingFile(path) else { return nil }
      findings.notDocuments += file.leftOut(of: path)
      if let current = view.current, file.isEqual(to: current.record) { findings.current.insert(path) }
      guard known.contains(where: { file.isEqual(to: $0.record) }) else { return difference }
      findings.refreshed[path] = CachedStatus(file)
      return nil
    }
  }

  /// Whether a file that no version is as long as, and so needn't be read, is there and can be; `nil` where it isn't as simple as
  /// that.
  private func isThere(_ path: DocumentPath, unlike known: [Version]) throws(RepositoryError) -> Bool? {
    if isPackage(path) { return nil }
    return try tree.reaching(path) { () throws(WorkingTreeError) in
      do throws(WorkingTreeError) {
        guard let status = try tree.status(of: path), status.kind == .file,
          !known.contains(where: { $0.record.kind == .file && $0.record.size == status.size })
        else { return nil }
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
