import Catalog
public import SystemIO
public import Versioning

/// What was written of a folder.
public struct ExportReport: Sendable {
  public var written: [Version] = []
  /// Documents that could not be written.
  public var failed: [PlacementReport.Failure] = []
}

extension Repository {
  /// Whether a path is that of a folder that documents lie in, or once lay in, and of none itself.
  public func isFolder(_ path: DocumentPath) throws(RepositoryError) -> Bool {
    guard try rows(claiming: path).isEmpty, try deletedDocuments(at: path).isEmpty else { return false }
    return try !documents(below: path, includingDeleted: true).isEmpty
  }

  /// Writes all documents of a folder into another place, as they are now or were at a time.
  ///
  /// Durable as a whole when it returns. Documents lie below the destination as they lie below the folder.
  ///
  /// - Parameters:
  ///   - folder: `nil` for the whole repository.
  ///   - time: milliseconds since 1970; of each document the greatest head among the versions saved up to then.
  ///   - destination: absolute; made where it is missing and there is something to write. What is there is never replaced.
  ///   - progress: is told how many files are done, of how many.
  /// - Throws: `.noSuchDocument` where no document is below the folder; that none was there at a time is no error.
  public func export(
    below folder: DocumentPath?, at time: Int64? = nil, to destination: FilePath,
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws(RepositoryError) -> ExportReport {
    let found: [Version]
    if let time {
      found = try self.versions(below: folder, at: time)
    } else {
      found = try currentVersions(below: folder)
    }
    var versions: [(path: DocumentPath, version: Version)] = []
    let start = folder.map { $0.bytes.count + 1 } ?? 0
    for version in found {
      if let path = DocumentPath(version.record.path.bytes.dropFirst(start)) { versions.append((path, version)) }
    }
    if versions.isEmpty {
      if let folder, time == nil { throw .noSuchDocument(folder) }
      return ExportReport()
    }
    do throws(SystemError) {
      for made in try FileSystem.makeFolders(at: destination) { try FileSystem.synchronizeFolder(at: made.parent) }
    } catch { throw .system(error) }
    var export = FolderExport(self, to: destination, checksRemovals: time != nil)
    try export.run(versions.sorted { $0.path < $1.path }, progress: progress)
    return export.report
  }

  private func currentVersions(below folder: DocumentPath?) throws(RepositoryError) -> [Version] {
    var rows: [DocumentPath: [DocumentRow]] = [:]
    for row in try documents(below: folder) { rows[row.path, default: []].append(row) }
    return rows.compactMap { path, rows in PathView(path: path, claimants: rows.map { ClaimingDocument($0) }).current }
  }

  private func versions(below folder: DocumentPath?, at time: Int64) throws(RepositoryError) -> [Version] {
    var found: [DocumentPath: Version] = [:]
    var seen: Set<DocumentPath> = []
    // Who was in the folder then may be elsewhere now.
    for row in try documents(below: nil, includingDeleted: true) where seen.insert(row.path).inserted {
      do throws(RepositoryError) {
        let version = try versionByGraph(.time(time), at: row.path)
        let path = version.record.path
        if version.record.isDeletion || !(folder?.isAncestor(of: path) ?? true) { continue }
        if let other = found[path], other.isGreater(than: version) { continue }
        found[path] = version
      } catch {
        switch error {
        case .nothingSaved, .noSuchVersion, .noSuchDocument: continue
        default: throw error
        }
      }
    }
    return Array(found.values)
  }
}
