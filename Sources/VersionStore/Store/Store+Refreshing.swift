import Catalog
import Hashing
import ObjectStorage
import SystemIO
import Versioning

extension Store {
  /// Runs something as the only writer of this device. May be nested.
  ///
  /// - Throws: ``RepositoryError/locked(_:)`` where another process holds the lock for longer than the environment
  ///   allows to wait.
  public func withLock<Value>(
    _ body: () throws(RepositoryError) -> Value
  ) throws(RepositoryError) -> Value {
    guard let folder = privateLayout else { throw .readOnly(layout.store) }
    if lockDepth == 0 {
      let acquired = try folder.acquireLock(environment)
      do throws(SystemError) { try suspendQuickSaves(in: folder) } catch {
        acquired.release()
        throw RepositoryError(error, writingTo: folder.recent)
      }
      lock = acquired
    }
    lockDepth += 1
    defer {
      lockDepth -= 1
      if lockDepth == 0 {
        writer = nil
        // Only now: a body goes by numbers that a new catalog may give to something else.
        if isCatalogDamaged { try? rebuild() }
        // The saves to come leave the catalog alone for a while: so its log needn't lie there.
        if caughtUpGroupCount >= RecentSaves.groupCountLimit / 4 { catalog.emptyLog() }
        lock?.release()
        lock = nil
      }
    }
    if lockDepth == 1 {
      try attachCatalog()
      try refreshOrRebuild()
      if let recentState { try takeOver(recentState, in: folder) }
    }
    return try body()
  }

  /// How long a reader waits for the lock of somebody who may only be in the midst of a quick save.
  static let quickSaveMilliseconds = 100

  /// Brings the catalog up to date where nobody else is writing; a reader otherwise sees the last finished state.
  func refreshIfPossible() throws(RepositoryError) {
    guard try isBehind(), let folder = privateLayout else { return }
    do {
      guard let acquired = try FileLock.acquire(at: folder.lock, timeoutMilliseconds: Self.quickSaveMilliseconds) else {
        // Whoever has the lock for long has brought the catalog up to date by now, or is making it anew, or stands still:
        // then this process has one of its own.
        return try isBehind() ? rebuildInMemory() : ()
      }
      defer { acquired.release() }
      try attachCatalog()
      try refreshOrRebuild()
      let recent = RecentSaves(folder)
      if let state = recent.state(), let caughtUp = try takeOver(state, in: folder) { try? recent.set(caughtUp) }
    } catch let error as SystemError {
      guard error.isRefusedWrite else { throw .system(error) }
      try rebuildInMemory()
    } catch let error as RepositoryError {
      guard error.isRefusedWrite else { throw error }
      try rebuildInMemory()
    } catch { throw .damaged("\(error)") }
  }

  /// Opens the catalog again, under the lock, where it was deleted or made anew since, or where this process had one of its own
  /// in memory: the next process must see what this one writes, above all which packs went.
  private func attachCatalog() throws(RepositoryError) {
    guard let folder = privateLayout, catalog.isInMemory || catalog.isDetached else { return }
    let former = catalog
    do throws(RepositoryError) {
      do throws(CatalogError) { catalog = try Store.openCatalog(at: folder.catalog) } catch {
        guard error.isDamage else { throw .catalog(error) }
        try rebuild()
      }
      if former.isInMemory && catalog.isInMemory { catalog = former } else { forgetPacks() }
      try refreshOrRebuild()
    } catch {
      guard former.isInMemory && error.isRefusedWrite else { throw error }
      catalog = former
      forgetPacks()
    }
  }

  /// Brings the catalog up to date under the lock; a damaged one is made anew.
  private func refreshOrRebuild() throws(RepositoryError) {
    do throws(RepositoryError) { try refresh() } catch {
      guard case .catalog = error, isCatalogDamaged else { throw error }
      try rebuild()
    }
  }

  /// The numbers of this device's active packs, ascending.
  func activeNumbers() throws(RepositoryError) -> [UInt64] {
    guard let folder = privateLayout else { return [] }
    let entries: [DirectoryEntry]
    do { entries = try FileSystem.list(folder.active) } catch {
      if error.isNotFound { return [] }
      throw .system(error)
    }
    return entries.compactMap { entry in
      let number = UInt64(String(decoding: entry.name, as: UTF8.self))
      return number.flatMap { Array("\($0)".utf8) == entry.name ? $0 : nil }
    }.sorted()
  }

  /// Whether an active pack holds more, or others are there, than the catalog knows.
  func isBehind() throws(RepositoryError) -> Bool {
    guard let device, let folder = privateLayout else { return false }
    guard try isComplete() else { return true }
    let numbers = try activeNumbers()
    let packs = try catalogued { () throws(CatalogError) in try catalog.packs() }
    let rows = packs.filter { $0.name.isActive(of: device) }
    guard rows.count == numbers.count else { return true }
    for number in numbers {
      let row = rows.first { $0.name == .active(device, number) }
      let size = try called { () throws(SystemError) in try FileStatus.of(folder.activePack(number)).size }
      if row?.absorbedByteCount != size { return true }
    }
    return try hasLostReplacement(packs, limit: Self.checkedPackCount)
  }

  /// Who only reads looks for so many packs; more are looked for under the lock.
  private static let checkedPackCount = 64

  /// Takes in what the active packs hold beyond what the catalog knows, or makes the catalog anew.
  func refresh() throws(RepositoryError) {
    guard let device else { return }
    let numbers = try activeNumbers()
    let packs = try catalogued { () throws(CatalogError) in try catalog.packs() }
    let rows = packs.filter { $0.name.isActive(of: device) }
    let isForeign = rows.contains { row in !numbers.contains { row.name == .active(device, $0) } }
    let isWhole = try isComplete()
    if isForeign || !isWhole || hasLeftover(numbers, rows, of: device) { return try rebuild() }
    if try hasLostReplacement(packs, limit: .max) { return try rebuild() }
    if try hasMissedSealing(numbers, rows, of: device) { return try rebuild() }
    for number in numbers where try !absorbActive(device, number) {
      // A power cut can take more from the catalog than from the packs: the groups stand on what it took.
      return try rebuild()
    }
  }

  /// Whether a pack that was sealed is still there, since the run that sealed it ended before it went: its journal is older
  /// than that of the pack after it, which is known already.
  private func hasLeftover(_ numbers: [UInt64], _ rows: [PackRow], of device: DeviceID) -> Bool {
    guard let newest = numbers.last, rows.contains(where: { $0.name == .active(device, newest) }) else { return false }
    return numbers.contains { number in !rows.contains { $0.name == .active(device, number) } }
  }

  /// Whether a pack that the catalog names has gone, and one that is there in its place isn't known: what the catalog knew of a
  /// `compact` was lost. Found out once.
  private func hasLostReplacement(_ packs: [PackRow], limit: Int) throws(RepositoryError) -> Bool {
    if hasLookedForPacks { return false }
    let sealed = packs.compactMap { row -> ObjectID? in
      if case .sealed(let id) = row.name { id } else { nil }
    }
    if sealed.count > limit { return false }
    for id in sealed where byteCount(ofPack: id) == nil {
      if try replacement(of: id) != nil { return true }
    }
    hasLookedForPacks = true
    return false
  }

  /// Whether no active pack is known, and there were some before the one that is there, of which a sealed one isn't known either.
  private func hasMissedSealing(
    _ numbers: [UInt64], _ rows: [PackRow], of device: DeviceID
  ) throws(RepositoryError) -> Bool {
    guard rows.isEmpty, let first = numbers.first, first > 1 else { return false }
    return try !unknownPacks(of: [device]).isEmpty
  }

  private static let completeKey = "complete"

  /// Whether the catalog was made whole once, and for this device: a catalog of another store may lie in its place.
  private func isComplete() throws(RepositoryError) -> Bool {
    let made = try catalogued { () throws(CatalogError) in try catalog.meta(Self.completeKey) }
    return made != nil && made == device?.bytes
  }

  /// Deletes the catalog and makes it anew from packs and journal.
  public func rebuild() throws(RepositoryError) {
    isCatalogDamaged = false
    files = [:]
    names = [:]
    records.forget()
    let catalogIsFile = privateLayout.map { (try? FileStatus.of($0.catalog)) != nil } ?? false
    if let folder = privateLayout, catalogIsFile {
      do throws(SystemError) { try CatalogDatabase.delete(at: folder.catalog) } catch {
        guard error.isReadOnly || error.isPermission else { throw .system(error) }
        return try rebuildInMemory()
      }
      do { catalog = try Store.openCatalog(at: folder.catalog) } catch { throw .catalog(error) }
    } else {
      return try rebuildInMemory()
    }
    try fill()
  }

  private func rebuildInMemory() throws(RepositoryError) {
    files = [:]
    names = [:]
    records.forget()
    do throws(CatalogError) { catalog = try CatalogDatabase(.memory, isReadOnly: false) } catch {
      throw .catalog(error)
    }
    try fill()
  }

  private func fill() throws(RepositoryError) {
    try absorbEverything()
    try catalogued { () throws(CatalogError) in try catalog.setMeta(Self.completeKey, device?.bytes ?? [1]) }
  }
}

extension PrivateLayout {
  /// Waits for the device's lock for as long as the environment allows.
  func acquireLock(_ environment: StoreEnvironment, isBrief: Bool = false) throws(RepositoryError) -> FileLock {
    let acquired: FileLock?
    do {
      acquired = try FileLock.acquire(
        at: lock, timeoutMilliseconds: environment.lockTimeoutMilliseconds, isBrief: isBrief)
    } catch { throw RepositoryError(error, writingTo: lock) }
    guard let acquired else { throw .locked(lock) }
    return acquired
  }
}

extension CatalogPackName {
  func isActive(of device: DeviceID) -> Bool {
    if case .active(device, _) = self { return true }
    return false
  }
}

extension SystemError {
  /// Whether it is a write that the medium, its fullness or its permissions refuse: what is there can be read all the same.
  fileprivate var isRefusedWrite: Bool { isReadOnly || isPermission || isNoSpace || isTooLarge }
}

extension RepositoryError {
  /// The same of what the catalog's library says.
  fileprivate var isRefusedWrite: Bool {
    switch self {
    case .system(let error): error.isRefusedWrite
    case .readOnly: true
    case .catalog(.full): true
    // SQLITE_READONLY, SQLITE_IOERR, SQLITE_CANTOPEN.
    case .catalog(.system(let code, _)): [8, 10, 14].contains(code & 0xFF)
    default: false
    }
  }
}
