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
      for path in [layout.packs, layout.logs, folder.folder, folder.active] { try FileSystem.makeFolders(at: path) }
      try FileSystem.setPermissions(0o700, at: folder.folder)
      if let earlier = continued?.folder {
        for (from, to) in [(earlier.remotes, folder.remotes), (earlier.settings, folder.settings)] {
          guard let bytes = try? FileSystem.read(from, limit: 1 << 20) else { continue }
          try AtomicFile.write(bytes, to: to)
        }
      }
      // The binding comes last: without it the folder is nobody's.
      let binding = try DeviceBinding(of: folder.folder, name: name, continues: continued?.device)
      try AtomicFile.write(binding.encoded(), to: folder.binding)
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

  /// Takes over what the active packs in another device's private folder hold and this store lacks.
  ///
  /// Used for copied stores, for stores that a folder synchroniser carries around, and when another repository's store is
  /// synchronised with directly. The other folder is only read.
  public func takeOver(from folder: PrivateLayout, of other: DeviceID) throws(RepositoryError) {
    guard let entries = try? FileSystem.list(folder.active) else { return }
    for number in entries.compactMap({ UInt64(String(decoding: $0.name, as: UTF8.self)) }).sorted() {
      let name = PackName.active(device: other.bytes, number: number)
      guard let file = try? PackFile.open(folder.activePack(number), name: name) else { continue }
      try takeOver(file)
    }
  }

  private func takeOver(_ file: PackFile) throws(RepositoryError) {
    let foreign = ForeignPack(file)
    var groups: [[PackEntry]] = []
    _ = file.forEachCommittedGroup { (entries, _, _) in groups.append(entries) }
    for entries in groups {
      // What is damaged or lacks its parents there is left to the device that wrote it.
      guard let records = foreign.records(in: entries), try !areKnown(records) else { continue }
      try write(.none) { (transaction) throws(RepositoryError) in
        for entry in entries {
          guard let object = entry.object, try !transaction.contains(object.id) else { continue }
          try transaction.copy(object, at: entry.offset, from: file) { (id) throws(ObjectStoreError) in
            try self.objects.object(id)
          }
        }
        for record in records where try families(ofRecord: record.id).isEmpty { try transaction.adopt(record) }
      }
    }
  }

  private func areKnown(_ records: [IdentifiedRecord]) throws(RepositoryError) -> Bool {
    for record in records where try families(ofRecord: record.id).isEmpty { return false }
    return true
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

/// Decodes the records of a pack that is in no catalog.
private struct ForeignPack {
  let file: PackFile

  init(_ file: PackFile) {
    self.file = file
  }

  /// The records of a group, or `nil` where one can't be read.
  func records(in entries: [PackEntry]) -> [IdentifiedRecord]? {
    var cache = RecordCache()
    var records: [IdentifiedRecord] = []
    for entry in entries where entry.record != nil {
      guard let record = try? cache.record(at: RecordPlace(pack: 0, offset: entry.offset), in: file) else { return nil }
      records.append(record)
    }
    return records
  }
}
