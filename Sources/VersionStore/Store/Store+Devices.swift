import Catalog
import Hashing
import ObjectStorage
import SystemIO
public import Versioning

extension Store {
  /// Makes this machine a device of a store: the first one, or one that continues a copied, restored or shared store (R12).
  ///
  /// What others' active packs hold beyond the sealed ones is taken over, as far as it can be read.
  static func becomeDevice(
    in layout: RepositoryLayout, environment: StoreEnvironment
  ) throws(RepositoryError) -> Store {
    let others = try privateFolders(in: layout)
    var random = SystemRandom()
    let device = DeviceID.random(using: &random)
    let folder = PrivateLayout(layout.privateFolder(of: device))
    let continued = newest(of: others)
    let name = environment.deviceName ?? continued?.binding.name ?? environment.nameOfNewDevice
    do throws(SystemError) {
      for path in [layout.packs, layout.logs, folder.folder, folder.active, folder.torn] {
        try FileSystem.makeFolders(at: path)
      }
      try FileSystem.setPermissions(0o700, at: folder.folder)
      if let earlier = continued?.folder { try copyConfiguration(from: earlier, to: folder) }
      try FileSystem.synchronizeFolder(at: folder.folder)
      try FileSystem.synchronizeFolder(at: layout.privateFolders)
    } catch { throw RepositoryError(error, writingTo: layout.store) }
    let catalog: CatalogDatabase
    do throws(CatalogError) { catalog = try openCatalog(at: folder.catalog) } catch { throw .catalog(error) }
    let store = Store(
      layout: layout, environment: environment, device: device, privateLayout: folder, catalog: catalog)
    store.deviceName = name
    try store.withLock { () throws(RepositoryError) in
      for (other, otherFolder) in others { try store.takeOver(from: otherFolder, of: other) }
      _ = try store.write(.none) { (transaction) throws(RepositoryError) in
        try transaction.add(
          .device(store.deviceRecord(of: device, name: name, continues: continued?.device, now: transaction.now)))
      }
    }
    // The binding comes last: without it the folder is nobody's, and the next opener takes over what is in it.
    do throws(SystemError) {
      let binding = try DeviceBinding(of: folder.folder, name: name, continues: continued?.device)
      try AtomicFile.write(binding.encoded(), to: folder.binding)
    } catch { throw RepositoryError(error, writingTo: layout.store) }
    return store
  }

  /// The private folder that was written to last.
  private static func newest(
    of folders: [(DeviceID, PrivateLayout)]
  ) -> (device: DeviceID, folder: PrivateLayout, binding: DeviceBinding)? {
    var newest: (device: DeviceID, folder: PrivateLayout, binding: DeviceBinding)?
    var newestTime: (Int64, UInt32) = (.min, 0)
    for (device, folder) in folders {
      guard let bytes = try? FileSystem.read(folder.binding, limit: 65_536),
        let binding = DeviceBinding(decoding: bytes), let status = try? FileStatus.of(folder.active)
      else { continue }
      let time = (status.modificationSeconds, status.modificationNanoseconds)
      if newest == nil || time > newestTime {
        newest = (device, folder, binding)
        newestTime = time
      }
    }
    return newest
  }

  func deviceRecord(
    of device: DeviceID, name: [UInt8], continues: DeviceID?, isRetired: Bool = false, now: Int64
  ) throws(RepositoryError) -> DeviceRecord {
    let earlier = try catalogued { () throws(CatalogError) in try catalog.devices() }.map(\.0)
      .filter { $0.device == device }
    return DeviceRecord(
      device: device, name: name, platform: Array(Machine.platform.utf8), continues: continues, isRetired: isRetired,
      author: self.device ?? device,
      logicalTime: .following(wallTime: now, earlier: earlier.map(\.logicalTime)), wallTime: now)
  }

  /// The name of a device as it is known here; its identity where none is.
  public func name(of device: DeviceID) throws(RepositoryError) -> [UInt8] {
    if device == self.device && !deviceName.isEmpty { return deviceName }
    let records = try catalogued { () throws(CatalogError) in try catalog.devices() }
    return records.first { $0.0.device == device }?.0.name ?? Array(device.hexadecimal.prefix(8).utf8)
  }

  /// All devices that are known here, ascending.
  public func devices() throws(RepositoryError) -> [DeviceRecord] {
    try catalogued { () throws(CatalogError) in try catalog.devices() }.map(\.0).sorted { $0.device < $1.device }
  }
}
