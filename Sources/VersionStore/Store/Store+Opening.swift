import Catalog
import Hashing
import ObjectStorage
public import SystemIO
import Versioning

extension Store {
  /// What a store is opened for.
  public enum Access: Sendable {
    /// Nothing is written but the device's own cache; nobody becomes a device by reading.
    case reading
    /// Where no private folder fits this machine, a new device is made.
    case writing
  }

  /// Makes a store in a folder, and its first device.
  ///
  /// The store is durable when this returns.
  public static func create(at root: FilePath, environment: StoreEnvironment) throws(RepositoryError) -> Store {
    let layout = RepositoryLayout(root: root)
    do {
      for folder in [layout.store, layout.packs, layout.logs, layout.privateFolders] {
        try FileSystem.makeFolders(at: folder)
      }
      try FileSystem.setPermissions(0o700, at: layout.privateFolders)
      try AtomicFile.write(RepositoryLayout.marker, to: layout.markerFile)
      try FileSystem.synchronizeFolder(at: root)
    } catch { throw RepositoryError(error, writingTo: layout.store) }
    return try open(layout, access: .writing, environment: environment)
  }

  /// Opens a store; for writing, as a device of this machine.
  ///
  /// The catalog is brought up to date, and made anew where it is missing or damaged.
  public static func open(
    _ layout: RepositoryLayout, access: Access, environment: StoreEnvironment
  ) throws(RepositoryError) -> Store {
    try checkMarker(of: layout)
    if let (device, folder, binding) = try findPrivateFolder(in: layout) {
      let store = try openOwn(layout, device: device, folder: folder, environment: environment)
      store.deviceName = binding.name
      return store
    }
    switch access {
    case .reading: return try openForeign(layout, environment: environment)
    case .writing: return try becomeDevice(in: layout, environment: environment)
    }
  }

  /// Refuses a store of another format.
  private static func checkMarker(of layout: RepositoryLayout) throws(RepositoryError) {
    let marker: [UInt8]
    do { marker = try FileSystem.read(layout.markerFile, limit: 4096) } catch {
      if error.isNotFound { throw .notARepository(layout.root) }
      throw error.isTooLarge ? .damaged("the store's marker file holds something else") : .system(error)
    }
    guard marker == RepositoryLayout.marker else {
      let isNewer = marker.starts(with: Array("dver-remote ".utf8))
      if isNewer { throw .unsupportedFormat(Array(marker.dropFirst(12).prefix { $0 > 32 })) }
      throw .damaged("the store's marker file holds something else")
    }
  }

  /// The private folder that this machine and user made, if there is one.
  private static func findPrivateFolder(
    in layout: RepositoryLayout
  ) throws(RepositoryError) -> (DeviceID, PrivateLayout, DeviceBinding)? {
    var fitting: [(device: DeviceID, folder: PrivateLayout, binding: DeviceBinding)] = []
    for (device, folder) in try privateFolders(in: layout) {
      guard let bytes = try? FileSystem.read(folder.binding, limit: 65_536),
        let binding = DeviceBinding(decoding: bytes)
      else { continue }
      let here: DeviceBinding
      do { here = try DeviceBinding(of: folder.folder, name: [], continues: nil) } catch { throw .system(error) }
      if binding.fits(here) { fitting.append((device, folder, binding)) }
    }
    // A store that became another device may have been interrupted before the old folder lost its binding.
    let continued = Set(fitting.compactMap(\.binding.continues))
    return fitting.first { !continued.contains($0.device) }
  }

  /// All private folders, ascending by device.
  static func privateFolders(in layout: RepositoryLayout) throws(RepositoryError) -> [(DeviceID, PrivateLayout)] {
    let entries: [DirectoryEntry]
    do { entries = try FileSystem.list(layout.privateFolders) } catch {
      if error.isNotFound { return [] }
      throw .system(error)
    }
    return entries.compactMap { entry in
      guard let device = DeviceID(hexadecimal: entry.name) else { return nil }
      return (device, PrivateLayout(layout.privateFolder(of: device)))
    }.sorted { $0.0 < $1.0 }
  }

  private static func openOwn(
    _ layout: RepositoryLayout, device: DeviceID, folder: PrivateLayout, environment: StoreEnvironment
  ) throws(RepositoryError) -> Store {
    let catalog: CatalogDatabase
    do { catalog = try openCatalog(at: folder.catalog) } catch .unusable {
      try? CatalogDatabase.delete(at: folder.catalog)
      do { catalog = try openCatalog(at: folder.catalog) } catch { throw .catalog(error) }
    } catch { throw .catalog(error) }
    let store = Store(
      layout: layout, environment: environment, device: device, privateLayout: folder, catalog: catalog)
    do throws(RepositoryError) { try store.refreshIfPossible() } catch {
      guard case .catalog(let cause) = error, cause.isDamage else { throw error }
      // It was deleted when the damage was met.
      do throws(CatalogError) { store.catalog = try openCatalog(at: folder.catalog) } catch { throw .catalog(error) }
      try store.refreshIfPossible()
    }
    return store
  }

  static func openCatalog(at path: FilePath) throws(CatalogError) -> CatalogDatabase {
    let isOnNetwork = (try? FileSystem.kind(ofVolumeAt: path.parent).isNetwork) ?? false
    do throws(CatalogError) {
      return try CatalogDatabase(.file(path, isOnNetwork: isOnNetwork), isReadOnly: false)
    } catch {
      guard case .system(let code, _) = error, [8, 14].contains(code & 0xFF) else { throw error }
      // It can't be written to or made: on a read-only medium the catalog is made in memory for this process.
      return try CatalogDatabase(.memory, isReadOnly: false)
    }
  }

  /// Reads a store in which this machine is no device: everything in it, into a catalog in memory.
  private static func openForeign(
    _ layout: RepositoryLayout, environment: StoreEnvironment
  ) throws(RepositoryError) -> Store {
    let catalog: CatalogDatabase
    do { catalog = try CatalogDatabase(.memory, isReadOnly: false) } catch { throw .catalog(error) }
    let store = Store(layout: layout, environment: environment, device: nil, privateLayout: nil, catalog: catalog)
    try store.absorbEverything()
    return store
  }
}

extension RepositoryError {
  /// A failed write: no space and read-only media have errors of their own.
  init(_ error: SystemError, writingTo path: FilePath) {
    self = error.isReadOnly || error.isPermission ? .readOnly(path) : .system(error)
  }
}
