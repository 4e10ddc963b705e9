import Hashing
import SystemIO
import VersionStore
import Versioning

extension ExchangeSession {
  /// Brings the remote what it lacks, other devices' logs included: so a stick relays. This device's log comes last.
  ///
  /// - Returns: whether this device's log is there now; otherwise somebody else pushed under its identity, and it has another one.
  func sendAll() throws(ExchangeError) -> Bool {
    if options.isDryRun {
      if try stored({ () throws(RepositoryError) in try store.hasUnpublished() }) { report.sentEntries += 1 }
    } else {
      _ = try stored { () throws(RepositoryError) in try store.publish() }
    }
    let own = store.device
    for device in try stored({ () throws(RepositoryError) in try store.loggedDevices() }) where device != own {
      try send(device)
    }
    guard let own else { return true }
    try send(own)
    if options.isDryRun { return true }
    if try isOwnLogThere(own) { return true }
    return try !renewIdentity()
  }

  /// Reads back what this device pushed last (R12).
  private func isOwnLogThere(_ own: DeviceID) throws(ExchangeError) -> Bool {
    guard let newest = try stored({ () throws(RepositoryError) in try store.newestLog(of: own) }) else { return true }
    let name = RemoteName.logEntry(of: own, number: newest.number)
    switch try RemoteLog(own, on: remote).find(newest.number) {
    case .entry(_, newest.entry, _): return true
    case .entry: return false
    case .absent where report.warnings.contains(where: { if case .damagedHere = $0 { true } else { false } }):
      // It was not sent, and the report says why.
      return true
    case .absent, .damaged, .newer: throw .remote(.refused(name))
    }
  }

  /// Brings the remote what it lacks of a device's log.
  private func send(_ device: DeviceID) throws(ExchangeError) {
    guard let newest = try stored({ () throws(RepositoryError) in try store.newestLog(of: device) }) else { return }
    let state = logs[device] ?? RemoteLogState()
    if state.isRival { return }
    let start = options.checksEverything ? 1 : state.completeThrough + 1
    guard start <= newest.number else { return }
    for number in start...newest.number {
      let isThere =
        number <= state.completeThrough || (state.present.contains(number) && !state.damaged.contains(number))
      if isThere && !options.checksEverything { continue }
      guard try send(device, number, isThere: isThere, isDamaged: state.damaged.contains(number)) else { return }
    }
    logs[device, default: RemoteLogState()].completeThrough = newest.number
  }

  /// Brings the remote an entry after its packs; answers whether the next one may follow.
  private func send(
    _ device: DeviceID, _ number: UInt64, isThere: Bool, isDamaged: Bool
  ) throws(ExchangeError) -> Bool {
    guard case .entry(let entry, let id, let bytes) = try StoredLog(device, in: store).find(number),
      SHA256.hash(bytes) == id
    else {
      warn(.damagedHere(store.logFile(of: device, number: number)))
      return false
    }
    for pack in entry.packs where try !send(pack) { return false }
    let name = RemoteName.logEntry(of: device, number: number)
    var isReplacing = isDamaged
    if isThere {
      switch try RemoteLog(device, on: remote).find(number) {
      case .entry(_, id, _): return true
      case .entry:
        warn(.identityShared(device))
        return false
      case .absent: break
      case .damaged: isReplacing = true
      case .newer: return true
      }
    }
    report.sentEntries += 1
    report.sentBytes += UInt64(bytes.count)
    if options.isDryRun { return true }
    do throws(RemoteError) { try remote.put(name, bytes, isReplacing: isReplacing) } catch .refused {
      // Another entry got there first; whose it is, the next exchange finds out, or reading back does.
      if device != store.device { warn(.identityShared(device)) }
      return false
    } catch { throw .remote(error) }
    if isReplacing { noteRepair(of: name) }
    return true
  }

  /// Brings the remote a pack unless it has it; answers whether it has it now.
  private func send(_ pack: LogEntry.Pack) throws(ExchangeError) -> Bool {
    let name = RemoteName.pack(pack.id)
    if packsThere.contains(name) { return true }
    let size = try remotely { () throws(RemoteError) in try remote.head(name) }
    var isReplacing = false
    if let size {
      isReplacing = size != pack.byteCount
      if !isReplacing && options.checksEverything { isReplacing = try !hasRightHash(name, pack) }
      if !isReplacing {
        packsThere.insert(name)
        return true
      }
      warn(.damaged(name))
    }
    if let substitute = try substitute(for: pack) { return try send(substitute) }
    if options.isDryRun {
      report.sentBytes += pack.byteCount
      packsThere.insert(name)
      return true
    }
    let path = store.packFile(pack.id)
    guard let file = try? MappedFile.map(path), SHA256.hash(file.bytes) == pack.id else {
      // Bad bytes are not passed on.
      warn(.damagedHere(path))
      return false
    }
    let before = sendingByteCount
    try remotely { () throws(RemoteError) in
      try remote.put(name, file.bytes, isReplacing: isReplacing) { [progress] in
        progress(ExchangeProgress(.sending, done: before + $0))
      }
    }
    sendingByteCount += pack.byteCount
    report.sentBytes += pack.byteCount
    packsThere.insert(name)
    if isReplacing { noteRepair(of: name) }
    return true
  }

  private func hasRightHash(_ name: RemoteName, _ pack: LogEntry.Pack) throws(ExchangeError) -> Bool {
    var hasher = SHA256()
    var offset: UInt64 = 0
    while offset < pack.byteCount {
      let end = min(offset + (4 << 20), pack.byteCount)
      let piece = try remotely { () throws(RemoteError) in try remote.get(name, offset..<end) }
      if piece.isEmpty { return false }
      hasher.update(piece)
      offset += UInt64(piece.count)
    }
    return hasher.finalized() == pack.id
  }

  private func noteRepair(of name: RemoteName) {
    report.warnings.removeAll { $0 == .damaged(name) }
    warn(.repaired(name))
  }
}

extension Remote {
  /// Makes a file of bytes in an array; see ``put(_:_:isReplacing:progress:)``.
  public func put(_ name: RemoteName, _ bytes: [UInt8], isReplacing: Bool = false) throws(RemoteError) {
    var failure: RemoteError?
    bytes.withUnsafeBytes { buffer in
      do throws(RemoteError) { try put(name, buffer, isReplacing: isReplacing) { _ in } } catch { failure = error }
    }
    if let failure { throw failure }
  }
}
