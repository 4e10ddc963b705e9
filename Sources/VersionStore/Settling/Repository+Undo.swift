import Catalog
import Hashing
import ObjectStorage
public import Versioning

/// An operation of this device.
public struct OperationInfo: Sendable {
  public let name: String
  /// Milliseconds since 1970.
  public let wallTime: Int64
  public let records: [RecordID]
  public let versions: [Version]
  /// The documents that it was about, each once.
  public let paths: [DocumentPath]
  public let isUndone: Bool
}

/// What an undo did.
public struct UndoReport: Sendable {
  /// The operation that was taken back.
  public let operation: OperationInfo
  /// The versions made on top of what was undone.
  public let made: [Version]
  /// The records that a retraction names.
  public let retracted: [RecordID]
}

extension Repository {
  /// This device's operations, the newest first.
  public func operations(limit: Int) throws(RepositoryError) -> [OperationInfo] {
    let rows = try store.catalogued { () throws(CatalogError) in try store.catalog.operations(limit: limit) }
    var infos: [OperationInfo] = []
    for row in rows { infos.append(try info(row)) }
    return infos
  }

  private func info(_ row: OperationRow) throws(RepositoryError) -> OperationInfo {
    let operation = PackOperation(rawValue: row.operation) ?? .none
    let versions = try store.versions(row.records)
    var paths = versions.map(\.record.path)
    if paths.isEmpty { paths = try removedPaths(row.records) }
    var seen: Set<DocumentPath> = []
    let isImport = operation == .save && !versions.isEmpty && versions.allSatisfy { $0.record.origin == .import }
    return OperationInfo(
      name: isImport ? "import-history" : operation.commandName, wallTime: row.wallTime, records: row.records,
      versions: versions, paths: paths.filter { seen.insert($0).inserted }, isUndone: row.isUndone)
  }

  /// Where the documents are of which versions were removed.
  private func removedPaths(_ records: [RecordID]) throws(RepositoryError) -> [DocumentPath] {
    var paths: [DocumentPath] = []
    for id in records {
      guard case .removal(let removal) = try store.record(id) else { continue }
      if let version = try store.version(removal.kept) { paths.append(version.record.path) }
    }
    return paths
  }

  /// Takes back this device's last operation by new records, while nothing stands on it (R8).
  ///
  /// - Throws: `.refused(.stoodOn)`, `.refused(.nothingToUndo)`, `.refused(.unsavedChanges)`.
  public func undo() throws(RepositoryError) -> UndoReport {
    try store.withLock { () throws(RepositoryError) in
      let rows = try store.catalogued { () throws(CatalogError) in try store.catalog.operations(limit: 1000) }
      let last = rows.first { !$0.isUndone && PackOperation(rawValue: $0.operation)?.isUndoable ?? false }
      guard let row = last, let operation = PackOperation(rawValue: row.operation) else {
        throw .refused(.nothingToUndo)
      }
      let info = try info(row)
      let names = try retractable(row, info.versions, operation)
      for version in info.versions { try checkUnmodified(version) }
      let made = try store.write(.undo) { (transaction) throws(RepositoryError) in
        var made: [Version] = []
        if let names {
          try addRetraction(of: names, to: transaction)
        } else {
          for chain in Self.chains(of: info.versions) { made.append(try addState(before: chain, to: transaction)) }
        }
        if let first = row.records.first { try transaction.note(.undone(first)) }
        return made
      }
      var placement = Placement(self)
      try placement.run(try paths(near: info.versions + made))
      return UndoReport(operation: info, made: made, retracted: names ?? [])
    }
  }

  /// What a retraction has to name, or `nil` where an earlier state is put on top instead.
  private func retractable(
    _ row: OperationRow, _ versions: [Version], _ operation: PackOperation
  ) throws(RepositoryError) -> [RecordID]? {
    var heads: Set<RecordID> = []
    for id in row.records {
      for document in try store.documentRows(around: id) { heads.formUnion(document.heads.map(\.id)) }
    }
    let isSettling = [.resolve, .remove, .removeOther, .sync, .merge].contains(operation)
    if [.sync, .merge].contains(operation) {
      // Merges that later merges of the same exchange stand on go with those.
      let tips = versions.filter { heads.contains($0.id) }.map(\.id)
      guard let first = versions.first else { throw .refused(.nothingToUndo) }
      if tips.isEmpty { throw .refused(.stoodOn(first.record.path)) }
      return tips.sorted()
    }
    if let covered = Self.chains(of: versions).first(where: { !heads.contains($0.last.id) }) {
      throw .refused(.stoodOn(covered.last.record.path))
    }
    guard isSettling else { return nil }
    for id in row.records {
      guard case .removal(let removal) = try store.record(id) else { continue }
      guard heads.contains(removal.kept) else {
        let path = try store.version(removal.kept)?.record.path
        throw path.map { .refused(.stoodOn($0)) } ?? .refused(.nothingToUndo)
      }
    }
    return row.records.sorted()
  }

  /// Refuses where the file that an operation made has been edited since.
  private func checkUnmodified(_ version: Version) throws(RepositoryError) {
    let path = version.record.path
    guard let row = try fileRow(at: path), row.base.contains(version.id) else { return }
    _ = try checkedWorkingFile(at: path, row: row)
  }

  private func addRetraction(of names: [RecordID], to transaction: StoreTransaction) throws(RepositoryError) {
    var times: [LogicalTime] = []
    for id in names {
      switch try store.record(id) {
      case .version(let record)?: times.append(record.logicalTime)
      case .removal(let record)?: times.append(record.logicalTime)
      default: break
      }
    }
    try transaction.add(
      .retraction(
        RetractionRecord(
          names: names, device: transaction.device,
          logicalTime: .following(wallTime: transaction.now, earlier: times), wallTime: transaction.now)))
  }

  /// Versions of an operation that are made each from the one before.
  private typealias Chain = (first: Version, last: Version)

  /// The chains that the versions of an operation make up: of a save one for each version, of an import one of all.
  private static func chains(of versions: [Version]) -> [Chain] {
    var known: [RecordID: Version] = [:]
    for version in versions { known[version.id] = version }
    let covered = Set(versions.compactMap(\.record.parents.first))
    return versions.filter { !covered.contains($0.id) }.map { last in
      var first = last
      while let parent = first.record.parents.first.flatMap({ known[$0] }) { first = parent }
      return (first, last)
    }
  }

  /// A version with the state before a chain, on top of it; of a new document a deletion.
  private func addState(before chain: Chain, to transaction: StoreTransaction) throws(RepositoryError) -> Version {
    let undone = chain.last
    let earlier = try chain.first.record.parents.first.flatMap { (id) throws(RepositoryError) in try store.version(id) }
    if let earlier { try checkNotRemoved(earlier) }
    let state = earlier?.record
    let content = state?.content.map { StoredContent.present($0, byteCount: state?.size ?? 0) } ?? .none
    let record = transaction.record(
      parents: [undone], path: state?.path ?? undone.record.path, kind: state?.kind ?? .deleted, content: content,
      size: state?.size ?? 0, mode: state?.mode ?? undone.record.mode,
      modificationTime: state?.modificationTime ?? undone.record.modificationTime, origin: .undo)
    return try transaction.add(record, content, isBase: false)
  }
}

extension PackOperation {
  /// As the command line calls it.
  var commandName: String {
    switch self {
    case .none: "none"
    case .save: "save"
    case .restore: "restore"
    case .move: "mv"
    case .delete: "rm"
    case .resolve: "resolve"
    case .remove: "remove"
    case .removeOther: "remove-other"
    case .sync: "sync"
    case .undo: "undo"
    case .merge: "merge"
    case .settings: "config"
    }
  }

  var isUndoable: Bool { ![.none, .undo, .settings].contains(self) }
}
