import Hashing
import ObjectStorage
import SystemIO
import VersionStore
import Versioning

/// Packs that were compacted into others while log entries go on naming them.
extension ExchangeSession {
  /// Finds, for a pack that the remote lacks, one that replaces it: here, or among those that this and later entries of the
  /// log bring.
  ///
  /// - Returns: whether there is one here now.
  func fetchReplacement(
    of pack: ObjectID, _ log: LogSource, from number: UInt64
  ) throws(ExchangeError) -> Bool {
    if try stored({ () throws(RepositoryError) in try store.replacement(of: pack) }) != nil { return true }
    var next = number
    while next < .max, case .entry(let entry, _, _) = try log.find(next) {
      next += 1
      for later in entry.packs where try replaces(later, pack) {
        if options.isDryRun { return true }
        let name = RemoteName.pack(later.id)
        guard try bring(name, byteCount: later.byteCount, id: later.id, to: store.packFile(later.id)) else {
          warn(.damaged(name))
          continue
        }
        report.fetchedBytes += later.byteCount
        packsThere.insert(name)
        return true
      }
    }
    return false
  }

  /// Whether a pack on the remote says that it replaces another one. Only its header is read.
  private func replaces(_ later: LogEntry.Pack, _ pack: ObjectID) throws(ExchangeError) -> Bool {
    let name = RemoteName.pack(later.id)
    guard later.id != pack, try remotely({ () throws(RemoteError) in try remote.head(name) }) == later.byteCount else {
      return false
    }
    var start: [UInt8] = []
    var byteCount = UInt64(PackHeader.minimumByteCount)
    // The first piece tells how long the header is.
    for _ in 0..<2 {
      start = try remotely { () throws(RemoteError) in try remote.get(name, 0..<min(byteCount, later.byteCount)) }
      guard let whole = PackHeader.byteCount(startingWith: start), whole > UInt64(PackHeader.minimumByteCount),
        whole <= later.byteCount
      else { return false }
      byteCount = whole
    }
    let header = start.withUnsafeBytes { try? PackFormat.decodeHeader(in: $0) }
    return header?.replaces.contains(PackID(pack)) ?? false
  }

  /// What is sent in the place of a pack that was compacted; `nil` where the pack itself is here, or nothing that replaces it.
  func substitute(for pack: LogEntry.Pack) throws(ExchangeError) -> LogEntry.Pack? {
    guard store.byteCount(ofPack: pack.id) == nil,
      let id = try stored({ () throws(RepositoryError) in try store.replacement(of: pack.id) }), id != pack.id,
      let byteCount = store.byteCount(ofPack: id)
    else { return nil }
    return LogEntry.Pack(id: id, byteCount: byteCount)
  }
}
