import Catalog
import Hashing
import ObjectStorage
public import SystemIO
public import Versioning

/// A version in a history.
public struct HistoryEntry: Sendable {
  public let version: Version
  public let state: VersionState
  /// Whether its content is on this device.
  public let isLocal: Bool
}

/// Which versions a history is to show.
public struct HistoryQuery: Sendable {
  /// Starts from this version instead of the current one.
  public var start: Version?
  /// Also side branches, deletions and removed versions.
  public var includesEverything: Bool
  public var limit: Int?
  /// Only versions saved from and up to then, in milliseconds since 1970.
  public var since: Int64?
  public var until: Int64?

  public init(
    start: Version? = nil, includesEverything: Bool = false, limit: Int? = nil, since: Int64? = nil, until: Int64? = nil
  ) {
    self.start = start
    self.includesEverything = includesEverything
    self.limit = limit
    self.since = since
    self.until = until
  }

  var isAboutTimes: Bool { since != nil || until != nil }

  /// Whether a version is of the times asked for.
  func admits(_ version: Version) -> Bool {
    let time = version.record.wallTime
    return time >= since ?? .min && time <= until ?? .max
  }
}

extension Repository {
  // MARK: One path

  /// Everything known of what a path is; where nothing has it, of what it was.
  ///
  /// - Parameter includesFormer: also of what it was before it became what it is. Cost: all versions are looked at.
  /// - Throws: `.noSuchDocument` where no document has or had it.
  public func documentHistory(
    of path: DocumentPath, includesFormer: Bool = false
  ) throws(RepositoryError) -> DocumentHistory {
    let view = try view(of: path)
    var documents = view.claimants
    if includesFormer || documents.isEmpty { documents += try deletedDocuments(at: path) }
    if includesFormer || documents.isEmpty { documents += try formerDocuments(at: path, besides: documents) }
    guard !documents.isEmpty else { throw .noSuchDocument(path) }
    var graphs: [VersionGraph] = []
    var families: [Int64] = []
    for document in documents where !families.contains(document.family) {
      families.append(document.family)
      graphs.append(try store.graph(ofFamily: document.family))
    }
    return DocumentHistory(path: path, view: view, documents: documents, graphs: graphs)
  }

  /// The documents that had a path once and have another now. Cost: all versions are looked at.
  private func formerDocuments(
    at path: DocumentPath, besides known: [ClaimingDocument]
  ) throws(RepositoryError) -> [ClaimingDocument] {
    let known = Set(known.map(\.document))
    var rows: [DocumentRow] = []
    try store.catalogued { () throws(CatalogError) in
      try store.catalog.forEachDocument(below: nil, includingDeleted: true) { (row) throws(CatalogError) in
        if row.versionCount > 1 && !known.contains(row.document) { rows.append(row) }
      }
    }
    var found: [ClaimingDocument] = []
    for row in rows where try store.graph(ofFamily: row.family).versions.contains(where: { $0.record.path == path }) {
      found.append(ClaimingDocument(row))
    }
    return found.sorted { $0.current.isGreater(than: $1.current) }
  }

  /// The version that a person names.
  ///
  /// - Throws: `.noSuchDocument`, `.noSuchVersion`, `.nothingSaved`, `.ambiguous`. A removed version is found; its content is refused.
  public func version(_ selector: VersionSelector, at path: DocumentPath) throws(RepositoryError) -> Version {
    if let quick = try quickVersion(selector, at: path) { return quick }
    return try versionByGraph(selector, at: path)
  }

  func versionByGraph(_ selector: VersionSelector, at path: DocumentPath) throws(RepositoryError) -> Version {
    let history = try documentHistory(of: path)
    var found = history.versions(selector)
    if found.isEmpty, case .time(let limit) = selector,
      let first = history.graphs.flatMap(\.versions).map(\.record.wallTime).min(), first > limit
    {
      throw .nothingSaved(upTo: limit, path, first: first)
    }
    if found.isEmpty, case .prefix = selector {
      found = try documentHistory(of: path, includesFormer: true).versions(selector)
    }
    guard let first = found.first else { throw .noSuchVersion(selector.text, path) }
    if found.count > 1 { throw .ambiguous(selector.text, candidates: found.map(\.id).sorted()) }
    return first
  }

  /// The everyday cases, without a graph of the history: the current version, one named by the first digits of its id, and one
  /// so many steps back in a history without branches.
  private func quickVersion(_ selector: VersionSelector, at path: DocumentPath) throws(RepositoryError) -> Version? {
    let rows = try rows(claiming: path)
    let view = PathView(path: path, claimants: rows.map { ClaimingDocument($0) })
    guard view.current != nil else { return nil }
    switch selector {
    case .current: return view.current
    case .prefix(let digits):
      let families = Set(view.claimants.map(\.family))
      let found = try store.versions(withPrefix: digits, inFamilies: families)
      return found.count == 1 ? found.first : nil
    case .stepsBack(let count):
      guard rows.count == 1, (0..<Int.max).contains(count) else { return nil }
      let line = try LineReader.read(rows[0], in: store, limit: count + 1, isLocal: { _ in true })
      return line.flatMap { $0.count > count ? $0[count].version : nil }
    default: return nil
    }
  }

  /// The history of a path that one document has, and which has no branches; else `nil`.
  func line(of path: DocumentPath, _ query: HistoryQuery) throws(RepositoryError) -> [HistoryEntry]? {
    guard query.start == nil, !query.includesEverything else { return nil }
    let rows = try rows(claiming: path)
    guard rows.count == 1 else { return nil }
    guard !query.isAboutTimes else {
      let line = try LineReader.read(rows[0], in: store, limit: nil, isLocal: isLocal)
      return line.map { Array($0.filter { query.admits($0.version) }.prefix(query.limit ?? .max)) }
    }
    return try LineReader.read(rows[0], in: store, limit: query.limit, isLocal: isLocal)
  }

  /// The history of a path, newest first: every version stands before those that it descends from. Of a folder that of all
  /// documents in it.
  public func history(of path: DocumentPath, _ query: HistoryQuery) throws(RepositoryError) -> [HistoryEntry] {
    if let line = try line(of: path, query) { return line }
    return try historyByGraph(of: path, query)
  }

  func historyByGraph(of path: DocumentPath, _ query: HistoryQuery) throws(RepositoryError) -> [HistoryEntry] {
    let history: DocumentHistory
    do throws(RepositoryError) {
      history = try documentHistory(of: path, includesFormer: query.includesEverything)
    } catch {
      guard error == .noSuchDocument(path) else { throw error }
      let entries = try self.history(query, below: path)
      if entries.isEmpty { throw error }
      return entries
    }
    var versions: [Version] = []
    if query.includesEverything {
      versions = history.versions
    } else {
      let start = query.start ?? history.current
      versions = history.graph(of: start.id)?.ancestors(of: start.id) ?? []
      versions.removeAll { history.isRemoved($0.id) }
      versions.append(start)
    }
    return try entries(versions, query) { history.state(of: $0.id) }
  }

  /// The history of the whole repository, or of the documents below a folder, newest first.
  public func history(
    _ query: HistoryQuery, below folder: DocumentPath? = nil
  ) throws(RepositoryError) -> [HistoryEntry] {
    var versions: [Version] = []
    var states: [RecordID: VersionState] = [:]
    var families: Set<Int64> = []
    var rows: [DocumentRow] = []
    try store.catalogued { () throws(CatalogError) in
      try store.catalog.forEachDocument(below: folder?.bytes, includingDeleted: true) { (row) throws(CatalogError) in
        rows.append(row)
      }
    }
    for row in rows {
      for head in row.heads {
        let isCurrent = head.record.appearance == row.current.record.appearance
        states[head.id] = isCurrent ? .current : .conflict
      }
      guard families.insert(row.family).inserted else { continue }
      let graph = try store.graph(ofFamily: row.family)
      let removed = graph.removed()
      for id in removed { states[id] = .removed }
      versions += query.includesEverything ? graph.versions : graph.versions.filter { !removed.contains($0.id) }
    }
    return try entries(versions, query) { states[$0.id] ?? .history }
  }

  private func entries(
    _ versions: [Version], _ query: HistoryQuery, _ state: (Version) -> VersionState
  ) throws(RepositoryError) -> [HistoryEntry] {
    let chosen = versions.indices.filter { query.admits(versions[$0]) }
    // Logical time grows along parents; where it can't any more, parents were put in first.
    let sorted = chosen.sorted { left, right in
      let (first, second) = (versions[left].record.logicalTime, versions[right].record.logicalTime)
      return first == second ? left > right : first > second
    }
    // One look at the catalog: its locks for each version would cost as much as the rest.
    return try store.catalog.snapshot(failure: { .catalog($0) }) { () throws(RepositoryError) in
      var entries: [HistoryEntry] = []
      entries.reserveCapacity(sorted.count)
      for version in sorted.prefix(query.limit ?? .max).lazy.map({ versions[$0] }) {
        entries.append(HistoryEntry(version: version, state: state(version), isLocal: try isLocal(version)))
      }
      return entries
    }
  }

  /// Whether a version's content is on this device.
  public func isLocal(_ version: Version) throws(RepositoryError) -> Bool {
    guard let content = version.record.content else { return true }
    if store.records.contents.contains(content) { return true }
    return try store.contains(content)
  }

  // MARK: One version

  /// What there is to know of a version.
  public func details(of version: Version, at path: DocumentPath) throws(RepositoryError) -> VersionDetails {
    var history = try documentHistory(of: path)
    if history.version(version.id) == nil { history = try documentHistory(of: path, includesFormer: true) }
    let graph = history.graph(of: version.id)
    var storage: [StorageInfo] = []
    if let content = version.record.content {
      let infos = try store.stored { () throws(ObjectStoreError) in try store.objects.info(of: content) }
      storage = infos.map { info in
        StorageInfo(
          pack: info.location.pack.description, offset: info.location.offset, encoding: "\(info.entry.encoding)",
          storedByteCount: UInt64(info.entry.dataByteCount), depth: Int(info.entry.depth),
          isChunked: info.entry.kind == .chunkList)
      }
    }
    return VersionDetails(
      entry: HistoryEntry(
        version: version, state: history.state(of: version.id), isLocal: try isLocal(version)),
      children: graph?.children(of: version.id).sorted() ?? [], storage: storage)
  }

  /// Hands out a version's bytes piece by piece; they are only certain when this returns.
  ///
  /// The working file serves where it has these very bytes.
  ///
  /// - Throws: `.refused(.removedVersion)`; `.noSuchVersion` for a deletion; `.notLocal`.
  public func readContent(
    of version: Version, at path: DocumentPath, _ body: (UnsafeRawBufferPointer) throws(SystemError) -> Void
  ) throws(RepositoryError) {
    let content = try readableContent(of: version, at: path)
    guard let bytes = workingBytes(of: version.record, content) else { return try store.readContent(content, body) }
    try store.called { () throws(SystemError) in
      try bytes.withUnsafeBufferPointer { (bytes) throws(SystemError) in try body(UnsafeRawBufferPointer(bytes)) }
    }
  }

  /// A version's bytes, at most 2 GiB.
  public func content(of version: Version, at path: DocumentPath) throws(RepositoryError) -> [UInt8] {
    try store.content(readableContent(of: version, at: path))
  }

  private func readableContent(of version: Version, at path: DocumentPath) throws(RepositoryError) -> ObjectID {
    try checkNotRemoved(version)
    guard let content = version.record.content else {
      throw .noSuchVersion(Array(version.id.hexadecimal.utf8), path)
    }
    return content
  }

  /// The bytes of the file at a version's path, if they are the version's: to read and hash a file costs less than to follow a
  /// chain of deltas, and it may be the last copy where the store is damaged. Large files are left to the store, which hands
  /// them out in pieces.
  private func workingBytes(of record: VersionRecord, _ content: ObjectID) -> [UInt8]? {
    guard record.kind == .file, record.size > 0, record.size <= UInt64(WorkingTree.memoryLimit) else { return nil }
    do {
      let folder = try tree.openFolder(of: record.path)
      guard try folder.status(of: record.path.name).size == record.size,
        let file = try tree.read(record.path.name, in: folder), file.kind == .file, file.content == content
      else { return nil }
      return file.bytes
    } catch { return nil }
  }

  func checkNotRemoved(_ version: Version) throws(RepositoryError) {
    if try store.hasNoRemovals(around: version.id) { return }
    if try store.graph(around: version.id).removed().contains(version.id) {
      throw .refused(.removedVersion(version.id))
    }
  }
}

/// A version with its place in the graph and in the store.
public struct VersionDetails: Sendable {
  public let entry: HistoryEntry
  public let children: [RecordID]
  public let storage: [StorageInfo]
}

/// How a content is stored.
public struct StorageInfo: Sendable {
  public let pack: String
  public let offset: UInt64
  public let encoding: String
  public let storedByteCount: UInt64
  public let depth: Int
  public let isChunked: Bool
}

extension VersionSelector {
  /// As a person writes it.
  var text: [UInt8] {
    switch self {
    case .current: Array("current".utf8)
    case .prefix(let digits): digits
    case .stepsBack(let count): Array("~\(count)".utf8)
    case .base: Array("base".utf8)
    case .time: Array("{time}".utf8)
    }
  }
}
