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
    try open(StorePlace(layout), access: access, environment: environment)
  }

  /// Opens a store that was found before.
  public static func open(
    _ place: StorePlace, access: Access, environment: StoreEnvironment
  ) throws(RepositoryError) -> Store {
    if let own = place.own {
      let store = try openOwn(place.layout, device: own.device, folder: own.folder, environment: environment)
      store.deviceName = own.name
      return store
    }
    switch access {
    case .reading: return try openForeign(place.layout, environment: environment)
    case .writing: return try becomeDevice(in: place.layout, environment: environment)
    }
  }

  /// All private folders, ascending by device.
  static func privateFolders(in layout: RepositoryLayout) throws(RepositoryError) -> [(DeviceID, PrivateLayout)] {
    try StorePlace.privateDevices(in: layout).map { ($0, PrivateLayout(layout.privateFolder(of: $0))) }
  }

  private static func openOwn(
    _ layout: RepositoryLayout, device: DeviceID, folder: PrivateLayout, environment: StoreEnvironment
  ) throws(RepositoryError) -> Store {
    let catalog: CatalogDatabase
    do { catalog = try openCatalog(at: folder.catalog) } catch .unusable {
      catalog = try replaceUnusableCatalog(of: folder)
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

  /// Deletes a catalog that can't be used, unless another process has made it anew meanwhile, and opens what is there then.
  ///
  /// Only under the lock: a process that is writing must not lose the catalog that it writes to. Where somebody keeps the lock
  /// for long, this one makes do with a catalog in memory.
  private static func replaceUnusableCatalog(of folder: PrivateLayout) throws(RepositoryError) -> CatalogDatabase {
    let lock = (try? FileLock.acquire(at: folder.lock, timeoutMilliseconds: quickSaveMilliseconds)) ?? nil
    defer { lock?.release() }
    do throws(CatalogError) {
      guard lock != nil else { return try CatalogDatabase(.memory, isReadOnly: false) }
      do throws(CatalogError) { return try openCatalog(at: folder.catalog) } catch {
        guard case .unusable = error else { throw error }
        try? CatalogDatabase.delete(at: folder.catalog)
        return try openCatalog(at: folder.catalog)
      }
    } catch { throw .catalog(error) }
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
