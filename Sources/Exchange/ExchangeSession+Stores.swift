import Hashing
import SystemIO
import VersionStore
import Versioning

extension ExchangeSession {
  /// Where the remote is a store: takes over what its devices hold and have not pushed yet.
  func takeOverRemoteStore() throws(ExchangeError) {
    let folders = try remotely { () throws(RemoteError) in try remote.privateFolders() }
    if folders.isEmpty { return }
    let owners = Set(folders.map(\.device))
    report.newVersions += try takeOverSealedPacks(of: owners)
    for (device, folder) in folders {
      report.newVersions += try stored { () throws(RepositoryError) in try store.takeOver(from: folder, of: device) }
    }
  }

  /// Sealed packs of the store's own devices that no log entry brings yet.
  private func takeOverSealedPacks(of owners: Set<DeviceID>) throws(ExchangeError) -> [Version] {
    var found: [(id: ObjectID, author: DeviceID)] = []
    for folder in try remotely({ () throws(RemoteError) in try remote.list(.packs) }) {
      guard let folder = RemoteName.packs(folder) else { continue }
      for name in try remotely({ () throws(RemoteError) in try remote.list(folder) }) {
        guard let id = ObjectID(hexadecimal: name),
          RemoteName.pack(id).text.utf8.elementsEqual(folder.text.utf8 + [UInt8(ascii: "/")] + name)
        else { continue }
        if let author = try takeOverSealedPack(id, of: owners) { found.append((id, author)) }
      }
    }
    if found.isEmpty { return [] }
    return try stored { () throws(RepositoryError) in try store.adopt(found) }
  }

  /// Brings in a pack that one of the owners wrote; answers who.
  private func takeOverSealedPack(_ id: ObjectID, of owners: Set<DeviceID>) throws(ExchangeError) -> DeviceID? {
    let name = RemoteName.pack(id)
    if try stored({ () throws(RepositoryError) in try store.holdsPack(id) }) { return nil }
    let start = try remotely { () throws(RemoteError) in try remote.get(name, 0..<28) }
    guard start.count == 28, let author = DeviceID(bytes: start[12..<28]), owners.contains(author),
      let byteCount = try remotely({ () throws(RemoteError) in try remote.head(name) })
    else { return nil }
    guard try bring(name, byteCount: byteCount, id: id, to: store.packFile(id)) else {
      warn(.damaged(name))
      return nil
    }
    report.fetchedBytes += byteCount
    return author
  }
}
