import Catalog
import Hashing
public import ObjectStorage
import SystemIO
import Versioning

extension Store {
  /// How many operations of this device are kept for `undo` when a pack is sealed.
  static let keptOperations = 100

  /// Seals where the active pack is long. An exchange seals it anyway: before that it would only be written twice.
  func sealIfLong() throws(RepositoryError) {
    if let size = writer?.byteCount, size > activeByteCount { _ = try seal() }
  }

  /// Seals this device's active packs into one immutable pack and begins a new active one with the journal.
  ///
  /// Held under the lock. A crash in between leaves records twice, which is harmless.
  ///
  /// - Returns: `nil` where there is nothing to exchange in them.
  public func seal() throws(RepositoryError) -> SealedPack? {
    guard let device, let folder = privateLayout else { throw .readOnly(layout.store) }
    writer = nil
    try recoverDamagedPacks()
    let numbers = try activeNumbers()
    guard let last = numbers.last else { return nil }
    var sources: [PackFile] = []
    var rows: [PackName: Int64] = [:]
    for number in numbers {
      let name = PackName.active(device: device.bytes, number: number)
      sources.append(try stored { () throws(ObjectStoreError) in try PackFile.open(path(of: name), name: name) })
      let row = try catalogued { () throws(CatalogError) in try catalog.pack(named: .active(device, number)) }
      if let row { rows[name] = row.number }
    }
    guard let sealed = try sealSources(sources, rows: rows, device: device) else { return nil }
    let journal = try journalToKeep()
    let next = try stored { () throws(ObjectStoreError) in
      let next = try ActivePackWriter.create(folder: folder.active, device: device.bytes, number: last + 1)
      if journal.isEmpty { return next }
      next.begin()
      for entry in journal { _ = try next.append(.journal(entry)) }
      try next.commit(.none)
      return next
    }
    try transaction { () throws(RepositoryError) in
      try replaceRows(of: numbers, with: sealed, device: device, next: next)
    }
    forgetPacks()
    for number in numbers {
      objects.forget(.active(device: device.bytes, number: number))
      try called { () throws(SystemError) in try FileSystem.remove(at: folder.activePack(number)) }
    }
    writer = next
    return sealed
  }

  private func sealSources(
    _ sources: [PackFile], rows: [PackName: Int64], device: DeviceID
  ) throws(RepositoryError) -> SealedPack? {
    do throws(ObjectStoreError) {
      return try PackSealer.seal(
        sources, device: device.bytes, to: layout.packs,
        canonical: { (pack, entry, _) throws(ObjectStoreError) in
          guard let row = rows[pack.name],
            let record = try? self.record(at: RecordPlace(pack: row, offset: entry.offset))
          else { throw .damagedPack(pack.name, offset: entry.offset, reason: .inconsistent) }
          return (record.id.digest, record.record.encoded())
        },
        elide: { (full, predecessor) in
          guard case .version(let fields)? = try? Record(decoding: full),
            let earlier = try? Record(decoding: predecessor), case .version(let earlierFields) = earlier
          else { return nil }
          return fields.elided(against: Version(id: earlier.id, record: earlierFields), contentInEntry: nil)
        })
    } catch { throw RepositoryError(error, in: self) }
  }

  private func replaceRows(
    of numbers: [UInt64], with sealed: SealedPack, device: DeviceID, next: ActivePackWriter
  ) throws(RepositoryError) {
    // It is there already where an earlier sealing was interrupted before the active packs went.
    let isKnown = try holdsRow(sealed.id.digest)
    if !isKnown { try insertRows(of: sealed, device: device) }
    try catalogued { () throws(CatalogError) in
      for number in numbers {
        if let row = try catalog.pack(named: .active(device, number)) { try catalog.removePack(row.number) }
      }
      _ = try catalog.insertPack(.active(device, next.number), author: device, absorbedByteCount: next.byteCount)
      // As many as the journal carries forward.
      try catalog.pruneOperations(keeping: Self.keptOperations)
    }
  }

  func insertRows(of sealed: SealedPack, device: DeviceID) throws(RepositoryError) {
    let pack = try catalogued { () throws(CatalogError) in
      try catalog.insertPack(.sealed(sealed.id.digest), author: device, absorbedByteCount: sealed.byteCount)
    }
    try noteUnlogged(LogEntry.Pack(id: sealed.id.digest, byteCount: sealed.byteCount))
    for item in sealed.records {
      for family in try families(ofRecord: RecordID(item.id)) {
        try catalogued { () throws(CatalogError) in
          try catalog.insertRecord(prefix: item.id.prefix, pack: pack, offset: item.offset, family: family)
        }
      }
    }
    try catalogued { () throws(CatalogError) in
      for item in sealed.objects {
        try catalog.insertObject(prefix: item.id.prefix, pack: pack, offset: item.offset)
      }
    }
  }

  /// The bodies of the entries of a journal that says what is still to be known.
  func journalToKeep() throws(RepositoryError) -> [[UInt8]] {
    var carried = CarriedJournal()
    var others: [[UInt8]] = []
    func add(_ entry: JournalEntry) {
      if !carried.add(entry) { others.append(entry.encoded()) }
    }
    try catalogued { () throws(CatalogError) in
      try catalog.forEachFile(below: nil) { (row) throws(CatalogError) in
        if !row.base.isEmpty { add(.base(path: row.path, base: row.base, seen: row.seen)) }
        if let reason = row.unplacedReason { add(.unplaced(path: row.path, reason: reason)) }
        if let name = row.spelling { add(.spelling(path: row.path, name: name)) }
      }
      for operation in try catalog.operations(limit: Self.keptOperations).reversed() {
        add(.operation(operation.operation, wallTime: operation.wallTime, records: operation.records))
        if operation.isUndone, let first = operation.records.first { add(.undone(first)) }
      }
    }
    // A base begins a working file's row, and the others change it.
    return carried.isEmpty ? others : [carried.encoded()] + others
  }
}
