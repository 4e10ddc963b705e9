import Catalog
import Hashing
import ObjectStorage
import SystemIO
public import Versioning

extension Repository {
  /// Makes the working files follow the current versions of all paths that the documents of some versions have or had.
  ///
  /// - Parameter progress: is told how many files are done, of how many.
  public func updateWorkingFiles(
    near versions: [Version], progress: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws(RepositoryError) -> PlacementReport {
    try store.withLock { () throws(RepositoryError) in
      var placement = Placement(self, continuesAfterFailure: true)
      placement.progress = progress
      try placement.run(try paths(near: versions))
      return placement.report
    }
  }

  /// Makes all working files follow the current versions of their paths.
  ///
  /// - Parameter progress: is told how many files are done, of how many.
  public func updateAllWorkingFiles(
    progress: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws(RepositoryError) -> PlacementReport {
    try store.withLock { () throws(RepositoryError) in
      let known = try KnownPaths(all: self)
      let paths = known.paths
      // This is what is done after an interruption: every folder may hold something unfinished.
      let folders = Set(paths.map { $0.folder?.bytes ?? [] }).union([[]])
      let displaced = try clearTemporaries(in: folders)
      var placement = Placement(self, continuesAfterFailure: true, known: known)
      placement.progress = progress
      try store.inBulk { () throws(RepositoryError) in try placement.run(paths) }
      var report = placement.report
      report.displaced = displaced
      return report
    }
  }

  /// Every path that the documents of some versions have or had.
  func paths(near versions: [Version]) throws(RepositoryError) -> Set<DocumentPath> {
    var paths: Set<DocumentPath> = []
    var families: Set<Int64> = []
    for version in versions { families.formUnion(try store.families(ofRecord: version.id)) }
    for family in families {
      for version in try store.graph(ofFamily: family).versions { paths.insert(version.record.path) }
    }
    return paths
  }

  func documents(
    below folder: DocumentPath?, includingDeleted: Bool = false
  ) throws(RepositoryError) -> [DocumentRow] {
    var rows: [DocumentRow] = []
    try store.catalogued { () throws(CatalogError) in
      try store.catalog.forEachDocument(below: folder?.bytes, includingDeleted: includingDeleted) {
        (row) throws(CatalogError) in rows.append(row)
      }
    }
    return rows
  }

  func fileRows(below folder: DocumentPath?) throws(RepositoryError) -> [FileRow] {
    var rows: [FileRow] = []
    try forEachFileRow(below: folder) { rows.append($0) }
    return rows
  }

  /// Makes a version's file or link complete but for its name, not durable unless asked for.
  func makeUnfinished(
    _ record: VersionRecord, at path: DocumentPath, in folder: borrowing FileDescriptor, isDurable: Bool
  ) throws(RepositoryError) -> [UInt8] {
    guard let content = record.content else { throw .noSuchDocument(path) }
    let target = record.kind == .symbolicLink ? try store.content(content) : nil
    return try tree.makeUnfinished(record, target: target, in: folder, isDurable: isDurable) {
      (file) throws(RepositoryError) in try self.writeContent(content, file)
    }
  }

  /// Puts a version's content at a path.
  ///
  /// - Parameters:
  ///   - base: the version that the file there is known to be equal to; `nil` where nothing may be there.
  ///   - rescued: gets the versions made of files that turned out to be something else.
  func put(
    _ record: VersionRecord, at path: DocumentPath, over base: Version?, _ rescued: inout [Version]
  ) throws(RepositoryError) -> PlaceOutcome {
    guard let content = record.content else { throw .noSuchDocument(path) }
    var saved: [Version] = []
    let settle: (borrowing FileDescriptor, [UInt8]) throws(RepositoryError) -> Void = {
      (folder, name) throws(RepositoryError) in
      guard let base else { return }
      try self.settle(folder, name, at: path, base: base, &saved)
    }
    defer { rescued += saved }
    let expectation: WorkingTree.Expectation = base == nil ? .nothing : .file
    if record.kind == .package {
      let manifest = try manifest(content)
      return try tree.placePackage(record, manifest, at: path, over: expectation, content: writeContent, settle: settle)
    }
    let target = record.kind == .symbolicLink ? try store.content(content) : nil
    return try tree.place(
      record, at: path, over: expectation, target: target,
      write: { (file) throws(RepositoryError) in try self.writeContent(content, file) }, settle: settle)
  }

  /// Writes content into an open file, leaving holes for long runs of zeros.
  func writeContent(_ content: ObjectID, _ file: borrowing FileDescriptor) throws(RepositoryError) {
    var writer = SparseWriter()
    try store.readContent(content) { (bytes) throws(SystemError) in
      try writer.write(bytes, to: file)
    }
    do throws(SystemError) { try writer.finish(file) } catch { throw .system(error) }
  }

  func manifest(_ content: ObjectID) throws(RepositoryError) -> PackageManifest {
    let bytes = try store.content(content)
    do throws(DecodingFailure) { return try PackageManifest(decoding: bytes) } catch {
      throw .damaged("a package's manifest can't be read (\(error))")
    }
  }

  /// Sees to it that a version holds what came out when a file was replaced or removed (R2).
  func settle(
    _ folder: borrowing FileDescriptor, _ name: [UInt8], at path: DocumentPath, base: Version,
    _ saved: inout [Version]
  ) throws(RepositoryError) {
    guard let place = DocumentPath((path.folder.map { $0.bytes + [UInt8(ascii: "/")] } ?? []) + name) else { return }
    let found = try tree.reaching(path) { () throws(WorkingTreeError) in
      base.record.kind == .package ? try tree.readPackage(place) : try tree.read(place)
    }
    guard var file = found else { return }
    ignoreTimes(of: &file, against: base)
    if file.content == base.record.content && file.kind == base.record.kind { return }
    let version = try store.write(.save) { (transaction) throws(RepositoryError) in
      let step = SaveStep(repository: self, transaction: transaction, options: SaveOptions())
      return try step.rescue(file, from: place, at: path, parents: [base])
    }
    saved.append(version)
  }
}
