import Hashing
import SystemIO
import VersionStore

/// Packs of this store that are lost or damaged, and that the remote has.
extension ExchangeSession {
  /// Brings back every pack that a log entry names and that is not here as its name promises, nor anything that replaces it.
  ///
  /// Cost: reads all packs of this store. What the remote has not either is left to a check of the store to tell.
  func fetchLost() throws(ExchangeError) {
    var seen: Set<RemoteName> = []
    for device in try stored({ () throws(RepositoryError) in try store.loggedDevices() }) {
      guard let newest = try stored({ () throws(RepositoryError) in try store.newestLog(of: device) }) else { continue }
      for number in 1...newest.number {
        guard case .entry(let entry, _, _) = try StoredLog(device, in: store).find(number) else { continue }
        for pack in entry.packs where seen.insert(RemoteName.pack(pack.id)).inserted { try fetchIfLost(pack) }
      }
    }
  }

  private func fetchIfLost(_ pack: LogEntry.Pack) throws(ExchangeError) {
    let (name, path) = (RemoteName.pack(pack.id), store.packFile(pack.id))
    if let mapped = try? MappedFile.map(path), SHA256.hash(mapped.bytes) == pack.id { return }
    if try stored({ () throws(RepositoryError) in try store.replacement(of: pack.id) }) != nil { return }
    guard try remotely({ () throws(RemoteError) in try remote.head(name) }) == pack.byteCount,
      try bring(name, byteCount: pack.byteCount, id: pack.id, to: path)
    else { return }
    store.forgetPack(pack.id)
    report.fetchedBytes += pack.byteCount
    packsThere.insert(name)
    warn(.broughtBack(path))
  }
}
