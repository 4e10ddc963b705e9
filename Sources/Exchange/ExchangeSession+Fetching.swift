import Hashing
import SystemIO
import VersionStore
import Versioning

extension ExchangeSession {
  /// How far ahead of this machine's clock another device may write before it is told, in milliseconds.
  private static let clockTolerance: Int64 = 600_000
  /// How many times a log may part from one under the same identity, within one that did.
  private static let deepestBranch = 8

  /// Brings in what the remote has and this store lacks.
  func fetchAll() throws(ExchangeError) {
    var seen: Set<DeviceID> = []
    var waiting = try stored { () throws(RepositoryError) in try store.loggedDevices() }
    for name in try remotely({ () throws(RemoteError) in try remote.list(.logs) }) {
      if let device = RemoteName.device(name) { waiting.append(device) } else { warn(.strangeName(.logs, name)) }
    }
    if let own = store.device { waiting.append(own) }
    waiting = Set(waiting).sorted()
    stalled = []
    while let device = waiting.popLast() {
      guard seen.insert(device).inserted else { continue }
      // A listing may be older than what is there: devices are known from others' entries too.
      waiting += try fetch(RemoteLog(device, on: remote)).filter { !seen.contains($0) }
    }
    for device in stalled.sorted() {
      report.warnings.removeAll { if case .notHereYet(device, _, _) = $0 { true } else { false } }
      _ = try fetch(RemoteLog(device, on: remote))
    }
    if options.isDryRun { return }
    try absorbLogs()
    try takeOverRemoteStore()
  }

  /// Brings in a log.
  ///
  /// - Returns: the devices that its new entries rely on.
  private func fetch(_ log: LogSource, depth: Int = 0) throws(ExchangeError) -> [DeviceID] {
    let newest = try stored { () throws(RepositoryError) in try store.newestLog(of: log.device) }
    var state = RemoteLogState()
    if let newest {
      switch try compare(log, with: newest, &state) {
      case .same: break
      case .behind:
        logs[log.device] = state
        return []
      case .rival(let number):
        return try fetchRival(log, differingAt: number, depth: depth)
      }
    }
    if log.device == store.device {
      guard case .entry = try log.find((newest?.number ?? 0) + 1) else {
        logs[log.device] = state
        return []
      }
      // Somebody else wrote what this device never did.
      if try !renewIdentity() { return [] }
    }
    let devices = try fetchEntries(of: log, after: newest, &state)
    logs[log.device] = state
    return devices
  }

  private enum Comparison {
    case same
    /// The remote lacks the newest entry.
    case behind
    /// The remote has another entry under a number.
    case rival(UInt64)
  }

  /// Compares the greatest entry that both have: if it is the same, all before it are.
  private func compare(
    _ log: LogSource, with newest: LogEntry.Head, _ state: inout RemoteLogState
  ) throws(ExchangeError) -> Comparison {
    var number = newest.number
    var isNewest = true
    var listed: [UInt64]?
    while true {
      switch try log.find(number) {
      case .entry(_, let id, _):
        let own = isNewest ? newest.entry : try identity(of: log.device, number)
        // Without an entry of one's own there is nothing to compare; the chain's links are checked on absorbing.
        if let own, own != id { return .rival(number) }
        if isNewest {
          state.completeThrough = number
          return .same
        }
        return .behind
      case .damaged:
        state.damaged.insert(number)
        warn(.damaged(.logEntry(of: log.device, number: number)))
      case .newer:
        state.present.insert(number)
        warn(.newerFormat(.logEntry(of: log.device, number: number)))
      case .absent: break
      }
      isNewest = false
      if listed == nil {
        let numbers = try log.numbers().filter { $0 < newest.number }.sorted()
        state.present.formUnion(numbers)
        listed = numbers
      }
      guard let next = listed?.popLast() else { return .behind }
      number = next
    }
  }

  private func identity(of device: DeviceID, _ number: UInt64) throws(ExchangeError) -> ObjectID? {
    guard case .entry(_, let id, _) = try StoredLog(device, in: store).find(number) else { return nil }
    return id
  }

  // MARK: Two logs under one identity

  /// Brings in a log that parts from this store's log of the same device, under a name of its own, and gives this store's
  /// part one too, so that it can go where the other is.
  private func fetchRival(
    _ log: LogSource, differingAt number: UInt64, depth: Int
  ) throws(ExchangeError) -> [DeviceID] {
    if log.device == store.device, try !renewIdentity() { return [] }
    logs[log.device] = RemoteLogState(isRival: true)
    warn(.identityShared(log.device))
    guard depth < Self.deepestBranch, let fork = try forkPoint(of: log, differingAt: number) else { return [] }
    let own = StoredLog(log.device, in: store)
    guard case .entry(_, let ownFirst, _) = try own.find(fork), case .entry(_, let first, _) = try log.find(fork) else {
      return []
    }
    var common: LogEntry.Head?
    if fork > 1, let entry = try identity(of: log.device, fork - 1) {
      common = LogEntry.Head(device: log.device, number: fork - 1, entry: entry)
    }
    try storeBranch(LogBranch(of: own, from: fork, first: ownFirst, common: common))
    return try fetch(LogBranch(of: log, from: fork, first: first, common: common), depth: depth + 1)
  }

  /// The number of the first entry that differs: the one whose predecessor both have.
  private func forkPoint(of log: LogSource, differingAt number: UInt64) throws(ExchangeError) -> UInt64? {
    var number = number
    while number > 1 {
      guard case .entry(let entry, _, _) = try log.find(number) else { break }
      if let own = try identity(of: log.device, number - 1), own == entry.previous { return number }
      number -= 1
    }
    guard number == 1, case .entry = try log.find(1) else {
      warn(.damaged(.logEntry(of: log.device, number: number)))
      return nil
    }
    return 1
  }

  /// Keeps the entries of a branch of this store's own log.
  private func storeBranch(_ branch: LogBranch) throws(ExchangeError) {
    if options.isDryRun { return }
    var number: UInt64 = 1
    while case .entry(_, _, let bytes) = try branch.find(number) {
      if try identity(of: branch.device, number) == nil { try place(bytes, of: branch.device, number) }
      number += 1
    }
  }

  /// Makes this store another device.
  ///
  /// - Returns: whether it is one now; a dry run only tells.
  func renewIdentity() throws(ExchangeError) -> Bool {
    guard let old = store.device else { return false }
    if options.isDryRun {
      warn(.identityShared(old))
      return false
    }
    let new = try stored { () throws(RepositoryError) in try store.forkDevice() }
    do throws(SystemError) {
      incoming = try IncomingFolder(at: PrivateLayout(store.layout.privateFolder(of: new)).incoming)
    } catch { throw .local(error, store) }
    warn(.identityRenewed(old: old, new: new))
    return true
  }

  // MARK: Entries

  /// Brings in one entry after the other, asking for each by its number.
  private func fetchEntries(
    of log: LogSource, after newest: LogEntry.Head?, _ state: inout RemoteLogState
  ) throws(ExchangeError) -> [DeviceID] {
    var devices: [DeviceID] = []
    var previous = newest?.entry
    var number = newest?.number ?? 0
    while number < .max {
      number += 1
      switch try log.find(number) {
      case .absent: return devices
      case .damaged:
        state.damaged.insert(number)
        warn(.damaged(.logEntry(of: log.device, number: number)))
        return devices
      case .newer:
        state.present.insert(number)
        warn(.newerFormat(.logEntry(of: log.device, number: number)))
        return devices
      case .entry(let entry, let id, let bytes):
        guard entry.previous == previous else {
          state.present.insert(number)
          warn(.damaged(.logEntry(of: log.device, number: number)))
          return devices
        }
        guard try fetch(entry, id, bytes, of: log) else { return devices }
        state.completeThrough = number
        previous = id
        devices += entry.heads.map(\.device)
      }
    }
    return devices
  }

  /// Brings in an entry after its packs; answers whether it is whole.
  private func fetch(
    _ entry: LogEntry, _ id: ObjectID, _ bytes: [UInt8], of log: LogSource
  ) throws(ExchangeError) -> Bool {
    for pack in entry.packs where try !fetch(pack, of: entry, log) { return false }
    let now = store.environment.now()
    let (ahead, overflow) = entry.wallTime.subtractingReportingOverflow(now)
    if !overflow, ahead > Self.clockTolerance {
      report.warnings.removeAll { if case .clock(entry.device, _) = $0 { true } else { false } }
      warn(.clock(entry.device, aheadMilliseconds: ahead))
    }
    if try identity(of: entry.device, entry.number) == id { return true }
    report.fetchedEntries += 1
    report.fetchedBytes += UInt64(bytes.count)
    if !options.isDryRun { try place(bytes, of: entry.device, entry.number) }
    return true
  }

  private func place(_ bytes: [UInt8], of device: DeviceID, _ number: UInt64) throws(ExchangeError) {
    guard let incoming else { return }
    do throws(SystemError) {
      let file = try incoming.begin()
      try file.append(bytes)
      try file.place(at: store.logFile(of: device, number: number))
    } catch { throw .local(error, store) }
  }

  // MARK: Packs

  /// Brings in a pack unless it is here; answers whether it is here now. It is placed only when its hash is right.
  private func fetch(
    _ pack: LogEntry.Pack, of entry: LogEntry, _ log: LogSource
  ) throws(ExchangeError) -> Bool {
    let name = RemoteName.pack(pack.id)
    if try stored({ () throws(RepositoryError) in try store.holdsPack(pack.id) }) { return true }
    let target = store.packFile(pack.id)
    if let mapped = try? MappedFile.map(target), SHA256.hash(mapped.bytes) == pack.id { return true }
    let size = try remotely { () throws(RemoteError) in try remote.head(name) }
    if size == nil, try fetchReplacement(of: pack.id, log, from: entry.number) { return true }
    guard let size, size >= pack.byteCount else {
      // Missing, or still being copied there by somebody.
      stalled.insert(entry.device)
      warn(.notHereYet(device: entry.device, number: entry.number, missing: name))
      return false
    }
    var isHere = false
    if size == pack.byteCount {
      isHere = options.isDryRun
      if !isHere { isHere = try bring(name, byteCount: size, id: pack.id, to: target) }
    }
    if isHere {
      report.fetchedBytes += size
      packsThere.insert(name)
      return true
    }
    warn(.damaged(name))
    return false
  }

  /// Copies a pack of the remote into the store; answers whether it is one, and of the right hash.
  func bring(
    _ name: RemoteName, byteCount: UInt64, id: ObjectID, to target: FilePath
  ) throws(ExchangeError) -> Bool {
    guard let incoming else { return false }
    let pieceByteCount: UInt64 = 4 << 20
    let file: IncomingFile
    do throws(SystemError) { file = try incoming.begin() } catch { throw .local(error, store) }
    var offset: UInt64 = 0
    while offset < byteCount {
      let end = min(offset + pieceByteCount, byteCount)
      let piece = try remotely { () throws(RemoteError) in try remote.get(name, offset..<end) }
      if piece.isEmpty { return false }
      do throws(SystemError) { try file.append(piece) } catch { throw .local(error, store) }
      offset += UInt64(piece.count)
      receivedByteCount += UInt64(piece.count)
      progress(ExchangeProgress(.receiving, done: receivedByteCount))
    }
    guard file.isPack(id) else { return false }
    do throws(SystemError) { try file.place(at: target) } catch { throw .local(error, store) }
    return true
  }
}
