import Catalog
import ObjectStorage
import SystemIO
public import Versioning

extension Store {
  /// Makes this store another device, because somebody else writes under its identity too (R12).
  ///
  /// Everything that was made under the old one stays; what no log entry brings yet is brought by the new device. A crash in
  /// between leaves the store one of the two, whole. Cost: the catalog is made anew.
  ///
  /// - Returns: the new device.
  public func forkDevice() throws(RepositoryError) -> DeviceID {
    try withLock { () throws(RepositoryError) in
      guard let old = device, let oldFolder = privateLayout else { throw .readOnly(layout.store) }
      _ = try seal()
      let journal = try journalToKeep()
      var random = SystemRandom()
      let new = DeviceID.random(using: &random)
      let folder = PrivateLayout(layout.privateFolder(of: new))
      do throws(SystemError) { try prepare(folder, like: oldFolder) } catch {
        throw RepositoryError(error, writingTo: layout.store)
      }
      try stored { () throws(ObjectStoreError) in
        let pack = try ActivePackWriter.create(folder: folder.active, device: new.bytes, number: 1)
        pack.begin()
        for entry in journal { _ = try pack.append(.journal(entry)) }
        try pack.commit(.none)
      }
      try adopt(folder, as: new, continuing: old, oldFolder)
      try rebuild()
      _ = try write(.none) { (transaction) throws(RepositoryError) in
        try transaction.add(
          .device(deviceRecord(of: new, name: deviceName, continues: old, now: transaction.now)))
      }
      return new
    }
  }

  private func prepare(_ folder: PrivateLayout, like old: PrivateLayout) throws(SystemError) {
    for path in [folder.folder, folder.active, folder.torn] { try FileSystem.makeFolders(at: path) }
    try FileSystem.setPermissions(0o700, at: folder.folder)
    try Self.copyConfiguration(from: old, to: folder)
    try FileSystem.synchronizeFolder(at: layout.privateFolders)
  }

  /// The new folder counts from the moment that it has a binding; the old one then is nobody's.
  private func adopt(
    _ folder: PrivateLayout, as new: DeviceID, continuing old: DeviceID, _ oldFolder: PrivateLayout
  ) throws(RepositoryError) {
    do {
      guard let acquired = try FileLock.acquire(at: folder.lock, timeoutMilliseconds: 0) else {
        throw RepositoryError.locked(folder.lock)
      }
      let binding = try DeviceBinding(of: folder.folder, name: deviceName, continues: old)
      try AtomicFile.write(binding.encoded(), to: folder.binding)
      lock?.release()
      lock = acquired
    } catch let error as SystemError { throw RepositoryError(error, writingTo: layout.store) } catch let error
      as RepositoryError
    { throw error } catch { throw .damaged("\(error)") }
    device = new
    privateLayout = folder
    writer = nil
    do throws(CatalogError) { catalog = try Self.openCatalog(at: folder.catalog) } catch { throw .catalog(error) }
    // Both are leftovers: without them the next opener has less to read.
    try? FileSystem.remove(at: oldFolder.binding)
    try? CatalogDatabase.delete(at: oldFolder.catalog)
  }

  /// Copies what a person configured on a device.
  static func copyConfiguration(from old: PrivateLayout, to new: PrivateLayout) throws(SystemError) {
    for (from, to) in [
      (old.remotes, new.remotes), (old.settings, new.settings), (old.knownRemotes, new.knownRemotes),
    ] {
      guard let bytes = try? FileSystem.read(from, limit: 1 << 24) else { continue }
      try AtomicFile.write(bytes, to: to, permissions: 0o600)
    }
  }
}
