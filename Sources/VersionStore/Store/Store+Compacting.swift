import Catalog
import Hashing
import ObjectStorage
import SystemIO
import Versioning

extension Store {
  /// Writes this device's packs anew, smaller, and puts them in the place of the old ones.
  ///
  /// Versions are saved meanwhile as ever: the lock is held for sealing the active pack and for putting each new pack in place. A
  /// crash leaves everything readable; the next run goes on. What other devices wrote is left as it is, and so is every remote.
  ///
  /// - Throws: ``RepositoryError/locked(_:)`` where an exchange, or another run, is under way.
  public func compact(
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws(RepositoryError) -> CompactReport {
    guard let device, let folder = privateLayout else { throw .readOnly(layout.store) }
    let exchange: FileLock?
    do throws(SystemError) {
      exchange = try FileLock.acquire(
        at: folder.exchangeLock, timeoutMilliseconds: environment.lockTimeoutMilliseconds)
    } catch { throw RepositoryError(error, writingTo: folder.exchangeLock) }
    guard let exchange else { throw .locked(folder.exchangeLock) }
    defer { exchange.release() }
    var report = CompactReport()
    try withLock { () throws(RepositoryError) in
      report.byteCountBefore = try packByteCount()
      try clearUnfinishedPacks()
      _ = try seal()
      _ = try absorbSealedPacksWithoutLog()
      try removeReplacedPacks()
    }
    let sources = try ownSources()
    report.packsBefore = sources.count
    report.packsAfter = sources.count
    var plan = CompactionPlan()
    for source in sources { plan.add(source, try packRecords(source)) }
    plan.close()
    for batch in plan.batches {
      guard let sealed = try compact(batch, device: device, progress: progress) else { continue }
      let isReplaced = try withLock { () throws(RepositoryError) in
        try put(sealed, inPlaceOf: batch, device: device)
      }
      if isReplaced {
        report.replaced += batch.count
        report.packsAfter += 1 - batch.count
      }
    }
    report.byteCountAfter = try packByteCount()
    return report
  }

  /// Removes what runs that were killed left half written. Whoever writes packs holds one of the locks that are held now, but
  /// for another machine's device in a folder that both see.
  private func clearUnfinishedPacks() throws(RepositoryError) {
    guard try Store.privateFolders(in: layout).count == 1 else { return }
    for entry in (try? FileSystem.list(layout.packs)) ?? []
    where entry.name.starts(with: RepositoryLayout.temporaryPrefix) {
      try? FileSystem.remove(at: layout.packs.appending(entry.name))
    }
  }

  private func packByteCount() throws(RepositoryError) -> UInt64 {
    var total: UInt64 = 0
    for row in try catalogued({ () throws(CatalogError) in try catalog.packs() }) {
      total &+= (try? FileStatus.of(path(of: PackName(row.name))))?.size ?? 0
    }
    return total
  }

  // MARK: The plan

  /// The packs that this device's log brings, in its order, those last that no entry brings.
  private func ownSealedPacks(of device: DeviceID) throws(RepositoryError) -> [PackRow] {
    let rows = try catalogued { () throws(CatalogError) in try catalog.packs() }
    var byID: [ObjectID: PackRow] = [:]
    for row in rows {
      if case .sealed(let id) = row.name { byID[id] = row }
    }
    var order: [ObjectID] = []
    var seen: Set<ObjectID> = []
    for pack in try loggedPacks(of: device) {
      // A replaced pack has left its place to the new one.
      let id = try knownReplacement(of: pack.id) ?? pack.id
      if seen.insert(id).inserted { order.append(id) }
    }
    for pack in try unloggedPacks() where seen.insert(pack.id).inserted { order.append(pack.id) }
    return order.compactMap { byID[$0] }
  }

  /// The packs that this device wrote, in order.
  func ownSources() throws(RepositoryError) -> [CompactionPlan.Source] {
    guard let device else { return [] }
    var sources: [CompactionPlan.Source] = []
    for row in try ownSealedPacks(of: device) {
      let file = try file(row.number)
      // A pack of the device that this one continues is another device's.
      guard file.header.device == device.bytes else { continue }
      sources.append(CompactionPlan.Source(file: file, row: row.number))
    }
    return sources
  }

  func packRecords(_ source: CompactionPlan.Source) throws(RepositoryError) -> [IdentifiedRecord] {
    var places: [UInt64] = []
    try stored { () throws(ObjectStoreError) in
      try source.file.forEachRecord { (entry) throws(ObjectStoreError) in places.append(entry.offset) }
    }
    var found: [IdentifiedRecord] = []
    for offset in places {
      let place = RecordPlace(pack: source.row, offset: offset)
      found.append(try records.record(at: place, in: source.file))
    }
    return found
  }

  // MARK: Writing

  private func compact(
    _ batch: [CompactionPlan.Source], device: DeviceID, progress: (Int, Int) -> Void
  ) throws(RepositoryError) -> SealedPack? {
    var packs: [[IdentifiedRecord]] = []
    for source in batch { packs.append(try packRecords(source)) }
    let order = CompactionOrder(packs)
    var replaces: [PackID] = []
    for source in batch {
      guard case .sealed(let id) = source.file.name else { continue }
      replaces += [id] + source.file.header.replaces
    }
    let records = order.records
    let objects = objects
    do throws(ObjectStoreError) {
      return try PackCompactor.compact(
        batch.map(\.file), replaces: replaces, device: device.bytes, to: layout.packs, histories: order.histories,
        neighbours: order.neighbours,
        records: records.map { PackCompactor.Record(id: $0.id.digest, bytes: $0.record.encoded()) },
        columns: { (range, offset) throws(ObjectStoreError) in Self.columns(Array(records[range]), offset) },
        from: PackCompactor.Source(
          byteCount: { (id) throws(ObjectStoreError) in try objects.contentByteCount(id) },
          read: { (id, kind) throws(ObjectStoreError) in try objects.base(id, kind) }),
        progress: progress)
    } catch { throw RepositoryError(error, in: self) }
  }

  /// The columns of some records, or `nil` where they don't decode to the very same ones.
  private static func columns(_ records: [IdentifiedRecord], _ offset: (ObjectID) -> UInt64?) -> [UInt8]? {
    let columns = RecordColumns.encode(records, contentOffset: offset)
    var contents: [UInt64: ObjectID] = [:]
    for content in records.compactMap({ $0.version?.record.content }) {
      if let place = offset(content) { contents[place] = content }
    }
    let decoded = try? RecordColumns.decode(columns, count: records.count) { contents[$0] }
    return decoded?.map(\.id) == records.map(\.id) ? columns : nil
  }

  // MARK: The switch

  /// Puts a new pack in the place of others: it is in the catalog, and brought by a log entry where one brings the others, before they go.
  ///
  /// - Returns: `false` where this is not the state that the pack was made from any more; then it is removed.
  private func put(
    _ sealed: SealedPack, inPlaceOf batch: [CompactionPlan.Source], device: DeviceID
  ) throws(RepositoryError) -> Bool {
    let rows = try catalogued { () throws(CatalogError) in try catalog.packs() }
    let isSame = batch.allSatisfy { source in
      rows.contains { $0.number == source.row && PackName($0.name) == source.file.name }
    }
    guard isSame, self.device == device else {
      // Where a catalog that was made anew meanwhile relies on it, it stays for the next run.
      if try !holdsRow(sealed.id.digest) {
        try called { () throws(SystemError) in try FileSystem.remove(at: packFile(sealed.id.digest)) }
      }
      return false
    }
    let file = try stored { () throws(ObjectStoreError) in
      try PackFile.open(packFile(sealed.id.digest), name: .sealed(sealed.id))
    }
    try transaction { () throws(RepositoryError) in
      if try !holdsRow(sealed.id.digest) { try insertRows(of: sealed, device: device) }
      try noteReplacements(by: sealed.id.digest, file.header.replaces)
      try putUnlogged(sealed, inPlaceOf: Set(file.header.replaces.map(\.digest)))
    }
    forgetPacks()
    try removeReplacedPacks()
    return true
  }

  /// What no log entry brings yet, the new pack brings: in the place of the first, since later ones may stand on it.
  private func putUnlogged(_ sealed: SealedPack, inPlaceOf replaced: Set<ObjectID>) throws(RepositoryError) {
    let packs = try unloggedPacks().filter { $0.id != sealed.id.digest }
    let new = LogEntry.Pack(id: sealed.id.digest, byteCount: sealed.byteCount)
    let place = packs.firstIndex { replaced.contains($0.id) } ?? packs.count
    let before = packs[..<place].filter { !replaced.contains($0.id) }
    try setUnlogged(before + [new] + packs[place...].filter { !replaced.contains($0.id) })
  }

  /// Removes packs of this device for which another one of it stands. Held under the lock.
  ///
  /// That one is brought by a log entry first where there may be one that brings a pack which goes.
  private func removeReplacedPacks() throws(RepositoryError) {
    guard let device else { return }
    var gone: [(id: ObjectID, replacement: ObjectID)] = []
    for pack in try sealedPacks() {
      guard let replacement = try knownReplacement(of: pack.digest) else { continue }
      let isOwn = [pack, PackID(replacement)].allSatisfy { id in
        let file = try? PackFile.open(packFile(id.digest), name: .sealed(id))
        return file?.header.device == device.bytes
      }
      guard isOwn else { continue }
      gone.append((pack.digest, replacement))
    }
    if gone.isEmpty { return }
    let ids = Set(gone.map(\.id))
    let replacements = Set(gone.map(\.replacement))
    if try !loggedDevices().isEmpty, try unloggedPacks().contains(where: { replacements.contains($0.id) }) {
      _ = try publishSealed()
    }
    // A catalog that a power cut takes back to before this would look for them in vain.
    try catalog.durably { () throws(RepositoryError) in
      try transaction { () throws(RepositoryError) in
        for id in ids {
          let row = try catalogued { () throws(CatalogError) in try catalog.pack(named: .sealed(id)) }
          if let row { try catalogued { () throws(CatalogError) in try catalog.removePack(row.number) } }
        }
        try setUnlogged(try unloggedPacks().filter { !ids.contains($0.id) })
      }
    }
    forgetPacks()
    for id in ids {
      objects.forget(.sealed(PackID(id)))
      try called { () throws(SystemError) in try FileSystem.remove(at: packFile(id)) }
    }
  }
}
