import Catalog
public import Hashing
import ObjectStorage
public import SystemIO
import Versioning

extension Store {
  /// Where a sealed pack lies in this store.
  public func packFile(_ id: ObjectID) -> FilePath { path(of: .sealed(PackID(id))) }

  /// Whether a sealed pack, or one that replaces it, was taken in; its hash was checked then.
  public func holdsPack(_ id: ObjectID) throws(RepositoryError) -> Bool {
    if try holdsRow(id) { return true }
    return try knownReplacement(of: id) != nil
  }

  /// Whether this device has something that no log entry brings yet.
  public func hasUnpublished() throws(RepositoryError) -> Bool {
    for number in try activeNumbers() {
      guard let device else { break }
      let name = PackName.active(device: device.bytes, number: number)
      let file = try stored { () throws(ObjectStoreError) in try PackFile.open(path(of: name), name: name) }
      var isFilled = false
      _ = file.forEachCommittedGroup { (entries, _, _) in
        if entries.contains(where: { $0.record != nil || $0.object != nil }) { isFilled = true }
      }
      if isFilled { return true }
    }
    return try !unloggedPacks().isEmpty
  }

  /// Seals what this device has made and writes its next log entry, which brings everything that no entry brings yet.
  ///
  /// The entry is durable when this returns, and after its packs. Nothing is written where there is nothing to bring.
  ///
  /// - Returns: the entry, or `nil` where there was nothing.
  @discardableResult
  public func publish() throws(RepositoryError) -> LogEntry.Head? {
    try withLock { () throws(RepositoryError) in
      guard try hasUnpublished() else { return nil }
      _ = try seal()
      return try publishSealed()
    }
  }

  func publishSealed() throws(RepositoryError) -> LogEntry.Head? {
    guard let device else { throw .readOnly(layout.store) }
    if (try? FileStatus.of(logFile(of: device, number: (try newestLog(of: device)?.number ?? 0) + 1))) != nil {
      // Written by a run that ended before the catalog knew.
      _ = try absorbLogs()
    }
    var packs = try unloggedPacks()
    if packs.isEmpty { return nil }
    let last = try newestLog(of: device)
    let number = (last?.number ?? 0) + 1
    if (try? FileStatus.of(logFile(of: device, number: number))) != nil {
      throw .damaged(
        "log entry \(number) of device \(device.hexadecimal.prefix(8)), or a pack that it brings, can't be read")
    }
    if number.isMultiple(of: LogEntry.checkpointInterval) {
      packs = try loggedPacks(of: device) + packs
      let named = Set(packs.map(\.id))
      var kept: [LogEntry.Pack] = []
      for pack in packs {
        if let replacement = try knownReplacement(of: pack.id), named.contains(replacement) { continue }
        kept.append(pack)
      }
      packs = kept
    }
    let seen = try catalogued { () throws(CatalogError) in try catalog.seenLogs() }
    let entry = LogEntry(
      device: device, number: number, previous: last?.entry, wallTime: environment.now(), packs: packs,
      heads: seen.filter { $0.device != device }
        .map { LogEntry.Head(device: $0.device, number: $0.number, entry: $0.entry) })
    let bytes = entry.encoded()
    let head = LogEntry.Head(device: device, number: number, entry: SHA256.hash(bytes))
    do throws(SystemError) {
      let folder = layout.log(of: device)
      for made in try FileSystem.makeFolders(at: folder) { try FileSystem.synchronizeFolder(at: made.parent) }
      try AtomicFile.create(bytes, at: logFile(of: device, number: number))
    } catch { throw RepositoryError(error, writingTo: layout.store) }
    try transaction { () throws(RepositoryError) in
      try catalogued { () throws(CatalogError) in
        try catalog.setSeenLog(of: device, number: number, entry: head.entry)
      }
      try noteLogged(packs)
    }
    return head
  }

  // MARK: What no log entry brings

  private static let unloggedKey = "unlogged"

  /// Sealed packs that were taken in and that no log entry in this store brings, in the order in which they came.
  func unloggedPacks() throws(RepositoryError) -> [LogEntry.Pack] {
    guard let bytes = try catalogued({ () throws(CatalogError) in try catalog.meta(Self.unloggedKey) }) else {
      return []
    }
    do throws(DecodingFailure) {
      var reader = ByteReader(bytes)
      var packs: [LogEntry.Pack] = []
      while !reader.isAtEnd { packs.append(LogEntry.Pack(id: try reader.id(), byteCount: try reader.varint())) }
      return packs
    } catch { throw .catalog(.damagedRow(table: "unlogged packs")) }
  }

  /// Notes in the catalog that a pack was taken in without a log entry.
  func noteUnlogged(_ pack: LogEntry.Pack) throws(RepositoryError) {
    let packs = try unloggedPacks()
    if packs.contains(where: { $0.id == pack.id }) { return }
    try setUnlogged(packs + [pack])
  }

  /// Notes in the catalog that a log entry brings packs.
  func noteLogged(_ logged: [LogEntry.Pack]) throws(RepositoryError) {
    let packs = try unloggedPacks()
    if packs.isEmpty { return }
    let ids = Set(logged.map(\.id))
    try setUnlogged(packs.filter { !ids.contains($0.id) })
  }

  func setUnlogged(_ packs: [LogEntry.Pack]) throws(RepositoryError) {
    var writer = ByteWriter(capacity: 40 * packs.count)
    for pack in packs {
      writer.id(pack.id)
      writer.varint(pack.byteCount)
    }
    try catalogued { () throws(CatalogError) in
      try catalog.setMeta(Self.unloggedKey, packs.isEmpty ? nil : writer.bytes)
    }
  }

  /// The packs that a device's log brings, as far as it was taken in, in order: what its last checkpoint names, and since.
  func loggedPacks(of device: DeviceID) throws(RepositoryError) -> [LogEntry.Pack] {
    guard let newest = try newestLog(of: device) else { return [] }
    var entries: [LogEntry] = []
    var number = newest.number
    while number > 0, let (entry, _) = try logEntry(of: device, number: number) {
      entries.append(entry)
      if entry.isCheckpoint { break }
      number -= 1
    }
    var packs: [LogEntry.Pack] = []
    var known: Set<ObjectID> = []
    for entry in entries.reversed() {
      for pack in entry.packs where known.insert(pack.id).inserted { packs.append(pack) }
    }
    return packs
  }
}
