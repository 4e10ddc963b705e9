import Catalog
public import Hashing
import ObjectStorage
public import SystemIO
import Versioning

extension Store {
  /// Writes one group: everything that the body adds becomes durable together, or nothing of it.
  func write<Value>(
    _ operation: PackOperation, _ body: (StoreTransaction) throws(RepositoryError) -> Value
  ) throws(RepositoryError) -> Value {
    try withLock { () throws(RepositoryError) in
      guard let device else { throw .readOnly(layout.store) }
      let (writer, pack) = try activeWriter(of: device)
      let transaction = StoreTransaction(self, device: device, writer: writer, pack: pack)
      let value: Value
      do throws(RepositoryError) { value = try body(transaction) } catch {
        transaction.abandon()
        throw error
      }
      try transaction.commit(operation)
      return value
    }
  }

  /// The writer of the active pack with the greatest number, and that pack's number in the catalog.
  func activeWriter(of device: DeviceID) throws(RepositoryError) -> (ActivePackWriter, Int64) {
    guard let folder = privateLayout else { throw .readOnly(layout.store) }
    let number = try activeNumbers().last
    if let open = writer, let number, !open.isBroken, open.number == number {
      return (open, try packNumber(.active(device, number)))
    }
    let opened: ActivePackWriter
    do {
      if let number {
        // What the catalog has taken in ends with a commit; a tail behind it is torn, since refreshing took in the rest.
        let name = CatalogPackName.active(device, number)
        let known = try catalogued { () throws(CatalogError) in try catalog.pack(named: name) }?.absorbedByteCount
        opened = try ActivePackWriter.open(
          folder: folder.active, device: device.bytes, number: number, tornFolder: folder.torn,
          knownByteCount: known ?? 0)
      } else {
        opened = try ActivePackWriter.create(folder: folder.active, device: device.bytes, number: 1)
      }
    } catch let error as ObjectStoreError {
      // A damaged pack is not written on: the next one is begun.
      guard case .damagedPack = error else { throw RepositoryError(error, in: self) }
      try beginNextActivePack()
      return try activeWriter(of: device)
    } catch let error as RepositoryError { throw error } catch { throw .damaged("\(error)") }
    writer = opened
    return (opened, try packNumber(.active(device, opened.number)))
  }

  /// The number of a pack in the catalog, made where it has none.
  private func packNumber(_ name: CatalogPackName) throws(RepositoryError) -> Int64 {
    if let row = try catalogued({ () throws(CatalogError) in try catalog.pack(named: name) }) { return row.number }
    guard case .active(let author, _) = name else { throw .damaged("a sealed pack is not written to") }
    let start = writer?.byteCount ?? 0
    let number = try catalogued { () throws(CatalogError) in
      try catalog.insertPack(name, author: author, absorbedByteCount: start)
    }
    names[number] = PackName(name)
    return number
  }

  /// Begins another active pack after the last one could not be written to.
  func beginNextActivePack() throws(RepositoryError) {
    guard let device, let folder = privateLayout else { throw .readOnly(layout.store) }
    let next = (try activeNumbers().last ?? 0) + 1
    do { writer = try ActivePackWriter.create(folder: folder.active, device: device.bytes, number: next) } catch {
      throw RepositoryError(error, in: self)
    }
  }

  /// Whether content of this identity is stored.
  public func contains(_ id: ObjectID) throws(RepositoryError) -> Bool {
    for place in try catalogued({ () throws(CatalogError) in try catalog.objects(prefix: id.prefix) }) {
      if (try? entry(at: RecordPlace(pack: place.pack, offset: place.offset)))?.object?.id == id { return true }
    }
    return false
  }

  /// How much of mapped packs may be in memory for having been checked.
  private static let checkedByteCountLimit: UInt64 = 16 << 20

  /// Whether content of this identity is stored as a blob or a chunk list, of which archives may be put together.
  func containsPart(_ id: ObjectID) throws(RepositoryError) -> Bool {
    for place in try catalogued({ () throws(CatalogError) in try catalog.objects(prefix: id.prefix) }) {
      let found = try? entry(at: RecordPlace(pack: place.pack, offset: place.offset))
      guard let entry = found, let object = entry.object else { continue }
      // The parts of a large content are looked for one after another, and each is checked whole.
      checkedByteCount += entry.byteCount
      if checkedByteCount > Self.checkedByteCountLimit {
        try file(place.pack).releaseMemory()
        checkedByteCount = 0
      }
      if object.id == id && object.kind != .archive { return true }
    }
    return false
  }

  /// Whether content of this identity is stored with all that it is put together from.
  func containsWhole(_ id: ObjectID) throws(RepositoryError) -> Bool {
    try stored { () throws(ObjectStoreError) in try objects.containsContent(id) }
  }

  /// The bytes of content, checked against their identity.
  ///
  /// - Parameter limit: the most bytes to bring into memory.
  public func content(_ id: ObjectID, limit: UInt64 = 1 << 31) throws(RepositoryError) -> [UInt8] {
    do throws(ObjectStoreError) { return try objects.content(id, limit: limit) } catch {
      if case .notFound = error { throw .notLocal(id) }
      throw .objects(error)
    }
  }

  /// Hands out content piece by piece; its identity is checked at the end, so the caller must not rely on the pieces before
  /// this returns.
  public func readContent(
    _ id: ObjectID, _ body: (UnsafeRawBufferPointer) throws(SystemError) -> Void
  ) throws(RepositoryError) {
    do throws(ObjectStoreError) { try objects.writeContent(id, to: body) } catch {
      switch error {
      case .notFound: throw .notLocal(id)
      case .destination(let cause): throw .system(cause)
      default: throw .objects(error)
      }
    }
  }
}
