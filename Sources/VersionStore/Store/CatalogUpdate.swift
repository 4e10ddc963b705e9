import Catalog
import Hashing
import ObjectStorage
import Versioning

/// Brings the catalog up to date with what a pack holds. Everything it writes follows from packs and journal alone.
struct CatalogUpdate {
  let store: Store
  /// Is told how much is done, of how much: halfway when the records are in, then for each document.
  var told: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  private var touched: Set<Int64> = []
  /// The versions that came to a family, in their order, where nothing else did.
  private var added: [Int64: [Version]] = [:]
  /// Families that need to be computed from all of their records.
  private var whole: Set<Int64> = []
  /// Versions that were not known before, or that a new retraction names.
  private(set) var newVersions: [Version] = []

  /// Families that are new, and all their versions are in ``added``.
  private var new: Set<Int64> = []
  /// Numbers of families that are not given out yet.
  private var freeFamilies: Range<Int64> = 0..<0
  /// Whether the records are known to be new.
  private let isChecked: Bool
  private let statuses: [DocumentPath: CachedStatus]
  private let placed: [RecordID: Version]
  /// Statuses of files whose base was not set.
  private(set) var unusedStatuses: [DocumentPath: CachedStatus]

  /// - Parameters:
  ///   - isChecked: whether no version among what is added was known before.
  ///   - statuses: how working files looked whose base may be set.
  ///   - placed: versions that may become bases.
  init(
    _ store: Store, isChecked: Bool = false, statuses: [DocumentPath: CachedStatus] = [:],
    placed: [RecordID: Version] = [:]
  ) {
    self.store = store
    self.isChecked = isChecked
    self.statuses = statuses
    self.placed = placed
    unusedStatuses = statuses
  }

  private var catalog: CatalogDatabase { store.catalog }

  /// Takes in one group of entries.
  ///
  /// - Parameter isOwn: whether the pack is this device's own active one, whose journal and base marks count.
  mutating func add(
    _ items: [AbsorbedItem], of pack: Int64, operation: PackOperation, isOwn: Bool
  ) throws(RepositoryError) {
    try reserveFamilies(for: items)
    var made: [RecordID] = []
    var time = Int64.min
    for item in items {
      switch item {
      case .object(let id, let offset):
        try store.catalogued { () throws(CatalogError) in
          try catalog.insertObject(prefix: id.prefix, pack: pack, offset: offset)
        }
      case .record(let record, let offset, let isBaseMark):
        try add(record, at: RecordPlace(pack: pack, offset: offset))
        made.append(record.id)
        told(made.count / 2, items.count)
        time = max(time, record.record.wallTime)
        if isOwn && isBaseMark, let version = record.version { try setBase(version) }
      case .journal(let entry):
        if isOwn { try add(entry) }
      }
    }
    if isOwn && operation != .none && !made.isEmpty {
      try insert(operation.rawValue, at: time, made)
    }
  }

  /// Computes what is shown of every family that changed.
  mutating func finish() throws(RepositoryError) {
    for (number, family) in touched.sorted().enumerated() {
      told(touched.count + number, 2 * touched.count)
      try refresh(family)
    }
    told(2 * touched.count, 2 * touched.count)
    touched.removeAll()
    new.removeAll()
    added.removeAll()
    whole.removeAll()
  }

  /// Numbers for many new documents are taken at once.
  private mutating func reserveFamilies(for items: [AbsorbedItem]) throws(RepositoryError) {
    let count = items.reduce(0) { count, item in
      if case .record(let record, _, _) = item, record.version?.record.parents.isEmpty ?? false { return count + 1 }
      return count
    }
    if count < 2 { return }
    freeFamilies = try store.catalogued { () throws(CatalogError) in try catalog.newFamilies(count) }
  }

  private mutating func newFamily() throws(RepositoryError) -> Int64 {
    if let number = freeFamilies.popFirst() { return number }
    return try store.catalogued { () throws(CatalogError) in try catalog.newFamily() }
  }

  // MARK: Records

  private mutating func add(_ identified: IdentifiedRecord, at place: RecordPlace) throws(RepositoryError) {
    let prefix = identified.id.digest.prefix
    let isNew = isChecked && identified.version != nil
    let known = isNew ? [] : try store.families(ofRecord: identified.id)
    switch identified.record {
    case .version(let record):
      let family: Int64
      if let first = known.first { family = first } else { family = try familyOf(record, identified.id) }
      if new.contains(family) && !touched.contains(family) {
        try store.catalogued { () throws(CatalogError) in
          try catalog.insertFirstRecord(prefix: prefix, pack: place.pack, offset: place.offset, family: family)
        }
      } else {
        try insert(prefix, place, family)
      }
      if known.isEmpty {
        let version = Version(id: identified.id, record: record)
        newVersions.append(version)
        note(version, in: family)
      }
    case .removal(let removal):
      let family: Int64
      if let first = known.first {
        family = first
      } else {
        family = try self.family(joining: [removal.kept] + removal.listed)
      }
      try insert(prefix, place, family)
      if known.isEmpty { recompute(family) }
    case .retraction(let retraction):
      var families = Set(known)
      for name in retraction.names {
        let found = try store.families(ofRecord: name)
        guard !found.isEmpty else { throw .incomplete(name) }
        families.formUnion(found)
      }
      for family in families.sorted() {
        try insert(prefix, place, family)
        if known.isEmpty { recompute(family) }
      }
      // What it takes back is shown differently from now on.
      if known.isEmpty { newVersions += try store.versions(retraction.names) }
    case .device(let record):
      try store.catalogued { () throws(CatalogError) in try catalog.setDevice(record, id: identified.id) }
      try insert(prefix, place, 0)
    case .setting(let record):
      try store.catalogued { () throws(CatalogError) in try catalog.setSetting(record, id: identified.id) }
      try insert(prefix, place, 0)
    }
    store.remember(identified, at: place)
  }

  private func insert(_ prefix: UInt64, _ place: RecordPlace, _ family: Int64) throws(RepositoryError) {
    try store.catalogued { () throws(CatalogError) in
      try catalog.insertRecord(prefix: prefix, pack: place.pack, offset: place.offset, family: family)
    }
  }

  private mutating func note(_ version: Version, in family: Int64) {
    touched.insert(family)
    if !whole.contains(family) { added[family, default: []].append(version) }
  }

  private mutating func recompute(_ family: Int64) {
    touched.insert(family)
    whole.insert(family)
    added[family] = nil
  }

  /// The family of a new version: that of its parents, or of a version of the same document.
  private mutating func familyOf(_ record: VersionRecord, _ id: RecordID) throws(RepositoryError) -> Int64 {
    if !record.parents.isEmpty { return try family(joining: record.parents) }
    // Two devices that keep both sides of one conflict make one document without a common version (R14).
    if record.origin == .resolve {
      let key = "root \(record.document.hexadecimal)"
      let known = try store.catalogued { () throws(CatalogError) in try catalog.meta(key) }
      if let known, let root = ObjectID(digest: known) { return try family(joining: [RecordID(root)]) }
      try store.catalogued { () throws(CatalogError) in try catalog.setMeta(key, id.digest.digest) }
    }
    let row = try store.catalogued { () throws(CatalogError) in try catalog.document(record.document) }
    if let row { return row.family }
    let family = try newFamily()
    new.insert(family)
    return family
  }

  /// The family of all these records, joined where they were in several.
  private mutating func family(joining ids: [RecordID]) throws(RepositoryError) -> Int64 {
    var families: Set<Int64> = []
    for id in ids {
      let found = try store.families(ofRecord: id)
      guard !found.isEmpty else { throw .incomplete(id) }
      families.formUnion(found)
    }
    let ordered = families.sorted()
    guard let first = ordered.first else { throw .damaged("a record names nothing") }
    if ordered.count > 1 {
      let others = Array(ordered.dropFirst())
      var records: [RecordLocation] = []
      for family in others { records += try store.records(inFamily: family) }
      try store.catalogued { () throws(CatalogError) in
        try catalog.joinFamilies(others, with: records, into: first)
      }
      for gone in ordered.dropFirst() {
        touched.remove(gone)
        added[gone] = nil
        whole.remove(gone)
      }
      recompute(first)
    }
    return first
  }

  // MARK: What is shown

  private func refresh(_ family: Int64) throws(RepositoryError) {
    if let versions = added[family], try extend(family, by: versions) { return }
    let graph = try store.graph(ofFamily: family)
    let versionCount = graph.versions.count
    let hasRetractions = !graph.retractions.isEmpty
    let rows = graph.documents().map { state in
      DocumentRow(
        document: state.document, family: family, heads: state.heads,
        isPlain: !hasRetractions,
        hasConflict: !state.conflicts.isEmpty, hasRemovals: !graph.removals.isEmpty, versionCount: versionCount)
    }
    try store.catalogued { () throws(CatalogError) in try catalog.replaceDocuments(inFamily: family, with: rows) }
  }

  /// The everyday case: versions on top of heads, without reading the history.
  private func extend(_ family: Int64, by versions: [Version]) throws(RepositoryError) -> Bool {
    let isNew = new.contains(family)
    let rows = isNew ? [] : try store.catalogued { () throws(CatalogError) in try catalog.documents(inFamily: family) }
    guard rows.count <= 1, let first = versions.first else { return false }
    let row = rows.first
    guard row?.isPlain ?? first.record.parents.isEmpty else { return false }
    var heads = row?.heads ?? []
    var document = row?.document ?? first.record.document
    for version in versions {
      guard !version.record.isAutomatic, let next = HeadUpdate.heads(after: version, among: heads) else { return false }
      heads = next
      document = min(document, version.record.document)
    }
    let updated = DocumentRow(
      document: document, family: family, heads: heads, isPlain: true, hasConflict: heads.shown().count > 1,
      hasRemovals: row?.hasRemovals ?? false, versionCount: (row?.versionCount ?? 0) + versions.count)
    try store.catalogued { () throws(CatalogError) in
      if isNew {
        try catalog.insertFirstDocument(updated)
      } else {
        try catalog.replaceDocuments(inFamily: family, with: [updated])
      }
    }
    return true
  }

  // MARK: Journal

  private mutating func setBase(_ version: Version) throws(RepositoryError) {
    if version.record.isDeletion { return try removeFile(version.record.path) }
    try setFile(version.record.path, base: [version.id], seen: [], version: version)
  }

  private mutating func setFile(
    _ path: DocumentPath, base: [RecordID], seen: [RecordID], version: Version?
  ) throws(RepositoryError) {
    unusedStatuses[path] = nil
    let row = FileRow(
      path: path, base: base, seen: seen, status: statuses[path], content: version?.record.content,
      mode: version?.record.mode ?? 0, kind: version?.record.kind ?? .file, unplacedReason: nil, spelling: nil)
    try store.catalogued { () throws(CatalogError) in try catalog.setFile(row) }
  }

  private func removeFile(_ path: DocumentPath) throws(RepositoryError) {
    try store.catalogued { () throws(CatalogError) in try catalog.removeFile(at: path) }
  }

  private mutating func add(_ entry: JournalEntry) throws(RepositoryError) {
    switch entry {
    case .base(let path, let base, let seen):
      var version = base.first.flatMap { placed[$0] }
      if version == nil { version = try store.versions(Array(base.prefix(1))).first }
      try setFile(path, base: base, seen: seen, version: version)
    case .gone(let path):
      try removeFile(path)
    case .operation(let operation, let wallTime, let records):
      if try isKnown(operation, records) { return }
      try insert(operation, at: wallTime, records)
    case .undone(let record):
      _ = try store.catalogued { () throws(CatalogError) in try catalog.markUndone(firstRecord: record) }
    case .unplaced(let path, let reason):
      try changeFile(path) { $0.unplacedReason = reason }
    case .spelling(let path, let name):
      try changeFile(path) { $0.spelling = name }
    }
  }

  private func insert(_ operation: UInt8, at wallTime: Int64, _ records: [RecordID]) throws(RepositoryError) {
    try store.catalogued { () throws(CatalogError) in
      let sequence = try catalog.insertOperation(operation, wallTime: wallTime, records: records)
      guard sequence.isMultiple(of: 32) else { return }
      try catalog.pruneOperations(keeping: Self.listedOperations)
    }
  }

  /// So many operations are listed: those that sealing carries forward, and as many that it carried forward may follow them.
  private static let listedOperations = 2 * Store.keptOperations

  /// Whether an operation is listed already: sealing carries it forward, and the pack that it comes from may still be there.
  private func isKnown(_ operation: UInt8, _ records: [RecordID]) throws(RepositoryError) -> Bool {
    let listed = try store.catalogued { () throws(CatalogError) in
      try catalog.operations(limit: Self.listedOperations)
    }
    return listed.contains { $0.operation == operation && $0.records == records }
  }

  private func changeFile(_ path: DocumentPath, _ change: (inout FileRow) -> Void) throws(RepositoryError) {
    let found = try store.catalogued { () throws(CatalogError) in try catalog.file(at: path) }
    var row =
      found
      ?? FileRow(
        path: path, base: [], seen: [], status: nil, content: nil, mode: 0, kind: .file, unplacedReason: nil,
        spelling: nil)
    change(&row)
    try store.catalogued { () throws(CatalogError) in try catalog.setFile(row) }
  }
}

extension Record {
  /// When it was made by its device's clock.
  fileprivate var wallTime: Int64 {
    switch self {
    case .version(let record): record.wallTime
    case .removal(let record): record.wallTime
    case .retraction(let record): record.wallTime
    case .device(let record): record.wallTime
    case .setting(let record): record.wallTime
    }
  }
}
