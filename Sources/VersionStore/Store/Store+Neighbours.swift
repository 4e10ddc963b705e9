import Catalog
public import Hashing
import ObjectStorage
import SystemIO
public import Versioning

/// Devices whose private folders can be read: in this store (copied, or carried around by a folder synchroniser), or in
/// another repository's store.
extension Store {
  /// Takes over what the other devices with a private folder in this store hold and no log entry brings yet.
  ///
  /// - Returns: the versions that were not known before.
  public func takeOverNeighbours() throws(RepositoryError) -> [Version] {
    let others = try Store.privateFolders(in: layout).filter { $0.0 != device }
    if others.isEmpty { return [] }
    return try withLock { () throws(RepositoryError) in
      var versions = try absorbSealedPacksWithoutLog()
      _ = try publishSealed()
      for (other, folder) in others { versions += try takeOver(from: folder, of: other) }
      return versions
    }
  }

  /// Takes in sealed packs that are in this store and that no log entry brings, and writes the log entry that does.
  ///
  /// What lacks its parents is left.
  ///
  /// - Returns: the versions that were not known before.
  public func adopt(_ packs: [(id: ObjectID, author: DeviceID)]) throws(RepositoryError) -> [Version] {
    try withLock { () throws(RepositoryError) in
      let versions = try absorbInAnyOrder(packs.map { (PackID($0.id), $0.author) })
      _ = try publishSealed()
      return versions
    }
  }

  /// Packs may stand on one another in any order: whatever lacks its parents waits for another round.
  func absorbInAnyOrder(_ packs: [(PackID, DeviceID)]) throws(RepositoryError) -> [Version] {
    var waiting = packs
    var versions: [Version] = []
    while !waiting.isEmpty {
      var missing: [(PackID, DeviceID)] = []
      for (id, author) in waiting {
        do {
          versions += try transaction { () throws(RepositoryError) in
            let versions = try absorbSealed(id, author: author)
            let size = try called { () throws(SystemError) in try FileStatus.of(packFile(id.digest)).size }
            try noteUnlogged(LogEntry.Pack(id: id.digest, byteCount: size))
            if !versions.isEmpty { try markUnsettled() }
            return versions
          }
        } catch .incomplete { missing.append((id, author)) }
      }
      if missing.count == waiting.count { break }
      waiting = missing
    }
    return versions
  }

  /// Takes over what the active packs in another device's private folder hold and this store lacks.
  ///
  /// Used for copied stores, for stores that a folder synchroniser carries around, and when another repository's store is
  /// synchronised with directly. The other folder is only read. What is damaged there, or lacks something, is left to the
  /// device that wrote it.
  ///
  /// - Returns: the versions that were not known before.
  @discardableResult
  public func takeOver(from folder: PrivateLayout, of other: DeviceID) throws(RepositoryError) -> [Version] {
    guard let entries = try? FileSystem.list(folder.active) else { return [] }
    var versions: [Version] = []
    for number in entries.compactMap({ UInt64(String(decoding: $0.name, as: UTF8.self)) }).sorted() {
      let name = PackName.active(device: other.bytes, number: number)
      guard let file = try? PackFile.open(folder.activePack(number), name: name) else { continue }
      versions += try inBulk { () throws(RepositoryError) in try takeOver(file) }
    }
    return versions
  }

  private func takeOver(_ file: PackFile) throws(RepositoryError) -> [Version] {
    var foreign = ForeignPack(file, besides: self)
    var moved: [UInt64: MovedBlob] = [:]
    var versions: [Version] = []
    var known = try KnownEntries(of: self)
    _ = try file.forEachCommittedGroup { (entries, _, _) throws(RepositoryError) in
      guard let records = foreign.records(in: entries) else { return }
      let missing = try snapshot { () throws(RepositoryError) in try unknown(records, besides: known) }
      if missing.isEmpty { return }
      let contents = Set(missing.compactMap { $0.version?.record.content })
      let found = try snapshot { () throws(RepositoryError) in
        try isComplete(missing) ? try foreign.objects(in: entries, contents: contents, known: known.objects) : nil
      }
      guard let objects = found else { return }
      try markUnsettled()
      try write(.none) { (transaction) throws(RepositoryError) in
        var copy = ForeignCopy(foreign, to: transaction, moved: moved)
        try snapshot { () throws(RepositoryError) in try copy.run(objects, missing) }
        moved = copy.moved
        known.add(missing, Set(transaction.objects.keys))
      }
      versions += missing.compactMap(\.version)
    }
    return versions
  }

  /// All that a store has, where it was empty a moment ago: then it need not be asked.
  private struct KnownEntries {
    private(set) var records: Set<RecordID>?
    private(set) var objects: Set<ObjectID>?

    init(of store: Store) throws(RepositoryError) {
      guard try store.catalogued({ () throws(CatalogError) in try store.catalog.hasNoDocuments() }) else { return }
      (records, objects) = ([], [])
    }

    mutating func add(_ records: [IdentifiedRecord], _ objects: Set<ObjectID>) {
      self.records?.formUnion(records.map(\.id))
      self.objects?.formUnion(objects)
    }
  }

  private func unknown(
    _ records: [IdentifiedRecord], besides known: KnownEntries
  ) throws(RepositoryError) -> [IdentifiedRecord] {
    var unknown: [IdentifiedRecord] = []
    var seen: Set<RecordID> = []
    for record in records where seen.insert(record.id).inserted {
      if let records = known.records, record.version != nil {
        if !records.contains(record.id) { unknown.append(record) }
      } else if try families(ofRecord: record.id).isEmpty {
        unknown.append(record)
      }
    }
    return unknown
  }

  /// Whether everything that records name is known, or among those before them.
  private func isComplete(_ records: [IdentifiedRecord]) throws(RepositoryError) -> Bool {
    var known: Set<RecordID> = []
    for record in records {
      let named: [RecordID]
      switch record.record {
      case .version(let version): named = version.parents
      case .removal(let removal): named = [removal.kept] + removal.listed
      case .retraction(let retraction): named = retraction.names
      case .device, .setting: named = []
      }
      for id in named where !known.contains(id) {
        if try families(ofRecord: id).isEmpty { return false }
      }
      known.insert(record.id)
    }
    return true
  }
}
