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
      versions += try takeOver(file)
    }
    return versions
  }

  private func takeOver(_ file: PackFile) throws(RepositoryError) -> [Version] {
    var foreign = ForeignPack(file, besides: self)
    var groups: [[PackEntry]] = []
    _ = file.forEachCommittedGroup { (entries, _, _) in groups.append(entries) }
    var versions: [Version] = []
    for entries in groups {
      guard let records = foreign.records(in: entries) else { continue }
      let missing = try unknown(records)
      if missing.isEmpty { continue }
      let contents = Set(missing.compactMap { $0.version?.record.content })
      guard try isComplete(missing), let objects = try foreign.objects(in: entries, contents: contents) else {
        continue
      }
      try markUnsettled()
      try write(.none) { (transaction) throws(RepositoryError) in
        for object in objects { try copy(object, of: missing, to: transaction) }
        for record in missing { try transaction.adopt(record) }
      }
      versions += missing.compactMap(\.version)
    }
    return versions
  }

  /// Stores an object anew, against the content before it where that saves bytes.
  private func copy(
    _ object: ForeignPack.Object, of records: [IdentifiedRecord], to transaction: StoreTransaction
  ) throws(RepositoryError) {
    switch object.role {
    case .content:
      let parent = records.first { $0.version?.record.content == object.id }?.version?.record.parents.first
      let predecessor = try parent.flatMap { (id) throws(RepositoryError) in try version(id) }
      let content = try transaction.content(object.bytes, id: object.id, after: predecessor)
      if case .inline(let entry) = content { try transaction.append(entry) }
    case .part: try transaction.addPart(object.bytes, id: object.id)
    case .chunkList:
      try transaction.append(
        ObjectEntry(
          id: object.id, kind: .chunkList, encoding: .raw, byteCount: UInt64(object.bytes.count), base: nil, depth: 0,
          data: .bytes(object.bytes)))
    }
  }

  private func unknown(_ records: [IdentifiedRecord]) throws(RepositoryError) -> [IdentifiedRecord] {
    var unknown: [IdentifiedRecord] = []
    for record in records where try families(ofRecord: record.id).isEmpty {
      if !unknown.contains(where: { $0.id == record.id }) { unknown.append(record) }
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
