import Catalog
import Hashing
public import ObjectStorage
import SystemIO
import Versioning

extension Store {
  /// Takes in a whole store: packs of all complete log entries, of devices with a private folder here, and active packs.
  func absorbEverything() throws(RepositoryError) {
    _ = try absorbLogs()
    // They may stand on what the logs bring; nothing in a log stands on them.
    _ = try absorbSealedPacksWithoutLog()
    let folders = try Store.privateFolders(in: layout)
    for (device, folder) in folders where device == self.device || self.device == nil {
      for number in try numbers(in: folder.active) { try absorbActive(device, number) }
    }
  }

  private func numbers(in folder: FilePath) throws(RepositoryError) -> [UInt64] {
    guard let entries = try? FileSystem.list(folder) else { return [] }
    return entries.compactMap { UInt64(String(decoding: $0.name, as: UTF8.self)) }.sorted()
  }

  /// Takes in what an active pack holds beyond what the catalog knows of it.
  ///
  /// - Returns: whether that was all; `false` where groups stand on something that the catalog doesn't know.
  @discardableResult
  func absorbActive(_ device: DeviceID, _ number: UInt64) throws(RepositoryError) -> Bool {
    let name = CatalogPackName.active(device, number)
    let known = try catalogued { () throws(CatalogError) in try catalog.pack(named: name) }
    let path = path(of: PackName(name))
    let size = try called { () throws(SystemError) in try FileStatus.of(path).size }
    if let known, known.absorbedByteCount == size { return true }
    return try transaction { () throws(RepositoryError) in
      let pack: Int64
      if let known {
        pack = known.number
      } else {
        pack = try catalogued { () throws(CatalogError) in
          try catalog.insertPack(name, author: device, absorbedByteCount: 0)
        }
      }
      names[pack] = PackName(name)
      files[pack] = nil
      let file = try file(pack)
      var update = CatalogUpdate(self)
      let isOwn = device == self.device
      var isWhole = true
      let end = try file.forEachReadableGroup(from: known?.absorbedByteCount ?? 0) {
        (entries, operation, end) throws(RepositoryError) in
        // Behind damage a group may stand on what can't be read any more: `verify` tells of it.
        guard let items = try readableItems(of: entries, pack: pack), try !isIncomplete(items) else {
          isWhole = false
          return
        }
        try update.add(items, of: pack, operation: operation, isOwn: isOwn)
      }
      try update.finish()
      try catalogued { () throws(CatalogError) in try catalog.setAbsorbed(pack: pack, byteCount: end) }
      return isWhole
    }
  }

  /// Decodes entries for the catalog; `nil` where one is damaged. What a newer dver wrote is not guessed at.
  private func readableItems(of entries: [PackEntry], pack: Int64) throws(RepositoryError) -> [AbsorbedItem]? {
    do throws(RepositoryError) { return try items(of: entries, pack: pack) } catch {
      if case .unsupportedFormat = error { throw error }
      return nil
    }
  }

  /// Whether records name others that are neither known nor among them.
  private func isIncomplete(_ items: [AbsorbedItem]) throws(RepositoryError) -> Bool {
    var here: Set<RecordID> = []
    for case .record(let record, _, _) in items {
      for name in record.record.named where !here.contains(name) {
        if try families(ofRecord: name).isEmpty { return true }
      }
      here.insert(record.id)
    }
    return false
  }

  /// Decodes entries of a pack for the catalog.
  func items(of entries: [PackEntry], pack: Int64) throws(RepositoryError) -> [AbsorbedItem] {
    var items: [AbsorbedItem] = []
    for entry in entries {
      let place = RecordPlace(pack: pack, offset: entry.offset)
      switch entry.content {
      case .object(let object):
        items.append(.object(object.id, offset: entry.offset))
      case .record:
        items.append(.record(try record(at: place), offset: entry.offset, isBaseMark: entry.isBaseMark))
      case .recordWithObject(_, let object):
        items.append(.object(object.id, offset: entry.offset))
        items.append(.record(try record(at: place), offset: entry.offset, isBaseMark: entry.isBaseMark))
      case .journal(let bytes):
        do throws(DecodingFailure) { items += try JournalEntry.entries(decoding: bytes).map { .journal($0) } } catch {
          throw .damaged("a journal entry can't be read (\(error))")
        }
      case .commit: break
      }
    }
    return items
  }

  /// Runs a change of the catalog as one transaction.
  func transaction<Value>(_ body: () throws(RepositoryError) -> Value) throws(RepositoryError) -> Value {
    do throws(RepositoryError) {
      return try catalog.transaction(failure: { .catalog($0) }, body)
    } catch {
      // A number that was given to a pack is free again, and what is remembered goes by these numbers.
      forgetPacks()
      throw error
    }
  }

  // MARK: Sealed packs

  /// Takes in a sealed pack whose hash was checked, and everything in it.
  ///
  /// - Returns: the versions that were not known before.
  func absorbSealed(_ id: PackID, author: DeviceID) throws(RepositoryError) -> [Version] {
    let name = CatalogPackName.sealed(id.digest)
    if try catalogued({ () throws(CatalogError) in try catalog.pack(named: name) }) != nil { return [] }
    let pack = try catalogued { () throws(CatalogError) in
      try catalog.insertPack(name, author: author, absorbedByteCount: 0)
    }
    names[pack] = .sealed(id)
    let file = try file(pack)
    try noteReplacements(by: id.digest, file.header.replaces)
    var update = CatalogUpdate(self)
    update.told = absorbing
    var objects: [(id: ObjectID, offset: UInt64)] = []
    try stored { () throws(ObjectStoreError) in
      try file.forEachObject { (entry) throws(ObjectStoreError) in
        if let object = entry.object { objects.append((object.id, entry.offset)) }
      }
    }
    // In the order of their keys, so that the catalog's tree is written from one end to the other.
    objects.sort { $0.id < $1.id }
    var items: [AbsorbedItem] = objects.map { .object($0.id, offset: $0.offset) }
    try update.add(items, of: pack, operation: .none, isOwn: false)
    var places: [UInt64] = []
    try stored { () throws(ObjectStoreError) in
      try file.forEachRecord { (entry) throws(ObjectStoreError) in places.append(entry.offset) }
    }
    var records: [IdentifiedRecord] = []
    for offset in places { records.append(try record(at: RecordPlace(pack: pack, offset: offset))) }
    // Not every writer put them in order.
    items = RecordOrder.namedFirst(records).map { .record(records[$0], offset: places[$0], isBaseMark: false) }
    try update.add(items, of: pack, operation: .none, isOwn: false)
    try update.finish()
    try catalogued { () throws(CatalogError) in
      try catalog.setAbsorbed(pack: pack, byteCount: file.byteCount)
    }
    return update.newVersions
  }

  /// Sealed packs that no log entry brings yet, of devices that have a private folder in this store.
  ///
  /// - Returns: the versions that were not known before.
  func absorbSealedPacksWithoutLog() throws(RepositoryError) -> [Version] {
    try absorbInAnyOrder(unknownPacks(of: Set(Store.privateFolders(in: layout).map(\.0))))
  }

  /// Sealed packs of some devices that are here, with what their names promise, and were not taken in.
  func unknownPacks(of owners: Set<DeviceID>) throws(RepositoryError) -> [(PackID, DeviceID)] {
    var found: [(PackID, DeviceID)] = []
    for id in try sealedPacks() where try !holdsPack(id.digest) {
      let name = PackName.sealed(id)
      guard let file = try? PackFile.open(path(of: name), name: name),
        let author = DeviceID(bytes: file.header.device), owners.contains(author), file.hasItsName()
      else { continue }
      found.append((id, author))
    }
    return found
  }

  /// The sealed packs in this store, ascending.
  public func sealedPacks() throws(RepositoryError) -> [PackID] {
    var found: [PackID] = []
    guard let folders = try? FileSystem.list(layout.packs) else { return [] }
    for folder in folders where folder.name.count == 2 {
      for entry in (try? FileSystem.list(layout.packs.appending(folder.name))) ?? [] {
        if let id = ObjectID(hexadecimal: entry.name), entry.name.starts(with: folder.name) {
          found.append(PackID(id))
        }
      }
    }
    return found.sorted()
  }
}
