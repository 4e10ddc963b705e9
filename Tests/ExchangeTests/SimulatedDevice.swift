import Exchange
import Hashing
import SystemIO
import TestSupport
import VersionStore
import Versioning

/// A wall clock that stands still until it is moved.
final class SimulatedClock: @unchecked Sendable {
  private(set) var now: Int64 = 1_764_460_800_000

  func advance(_ milliseconds: Int64) { now += milliseconds }
}

/// A device with a repository of its own.
final class SimulatedDevice {
  let name: String
  let folder: FilePath
  let clock: SimulatedClock
  private(set) var repository: Repository

  init(_ name: String, in folder: FilePath, clock: SimulatedClock) throws {
    self.name = name
    self.folder = folder
    self.clock = clock
    try FileSystem.makeFolders(at: folder)
    repository = try Repository.create(at: folder, environment: Self.environment(name, clock)).repository
  }

  static func environment(_ name: String, _ clock: SimulatedClock) -> StoreEnvironment {
    StoreEnvironment(now: { clock.now }, deviceName: Array(name.utf8), lockTimeoutMilliseconds: 0)
  }

  var device: DeviceID? { repository.store.device }
  var storeFolder: FilePath { repository.store.layout.store }
  var privateFolder: PrivateLayout? { device.map { PrivateLayout(repository.store.layout.privateFolder(of: $0)) } }

  /// Opens the repository again, as another process would.
  func reopen() throws {
    repository = try Repository.open(
      containing: folder, access: .writing, environment: Self.environment(name, clock))
  }

  /// Removes the catalog and opens the repository again.
  func loseCatalog() throws {
    guard let catalog = privateFolder?.catalog else { return }
    for suffix in ["", "-wal", "-shm"] {
      try? FileSystem.remove(at: catalog.parent.appending(catalog.lastComponent + Array(suffix.utf8)))
    }
    try reopen()
  }

  // MARK: Files

  func write(_ text: String, to path: String) throws {
    let place = folder.appending(path)
    try FileSystem.makeFolders(at: place.parent)
    try FileDescriptor.open(place, .writeOnly, options: [.create, .truncate]).write(Array(text.utf8))
  }

  func read(_ path: String) -> String? {
    (try? FileSystem.read(folder.appending(path), limit: 1 << 24)).map { String(decoding: $0, as: UTF8.self) }
  }

  func remove(_ path: String) throws { try FileSystem.remove(at: folder.appending(path)) }

  @discardableResult
  func saveAll() throws -> [Version] {
    clock.advance(1000)
    return try repository.save([nil], options: SaveOptions(allowsMassDeletion: true)).saved
  }

  @discardableResult
  func save(_ text: String, at path: String) throws -> Version? {
    try write(text, to: path)
    return try saveAll().first
  }

  // MARK: Exchange

  @discardableResult
  func sync(_ remote: FilePath, options: ExchangeOptions = ExchangeOptions()) throws(ExchangeError) -> ExchangeReport {
    try ExchangeSession(repository, with: .folder(remote), options: options).run()
  }

  /// Exchanges by any remote.
  @discardableResult
  func sync(with remote: any Remote, options: ExchangeOptions = ExchangeOptions()) throws(ExchangeError)
    -> ExchangeReport
  {
    try ExchangeSession(repository, with: remote, key: Array(remote.place.utf8), options: options).run()
  }

  // MARK: What it knows

  func versionIDs() throws -> Set<RecordID> {
    Set(try repository.history(HistoryQuery(includesEverything: true)).map(\.version.id))
  }

  func conflicts() throws -> [ConflictEntry] { try repository.conflicts(nil) }

  func current(_ path: String) throws -> Version? { try repository.view(of: DocumentPath(path)).current }

  func content(of version: Version) throws -> String? {
    guard let id = version.record.content else { return nil }
    return String(decoding: try repository.store.content(id), as: UTF8.self)
  }

  /// The contents of all versions of a path.
  func contents(_ path: String) throws -> Set<String> {
    let entries = try repository.history(of: DocumentPath(path), HistoryQuery(includesEverything: true))
    return Set(try entries.compactMap { try content(of: $0.version) })
  }
}

/// Devices that share a clock and a temporary folder.
final class SimulatedWorld {
  let directory: TemporaryDirectory
  let clock = SimulatedClock()

  init() throws { directory = try TemporaryDirectory() }

  func device(_ name: String) throws -> SimulatedDevice {
    try SimulatedDevice(name, in: directory.appending(name), clock: clock)
  }

  func remote(_ name: String = "remote") -> FilePath { directory.appending(name) }
}

extension DocumentPath {
  init(_ text: String) {
    guard let path = DocumentPath(Array(text.utf8)) else { preconditionFailure("no path: \(text)") }
    self = path
  }
}

/// Files below a folder.
enum Tree {
  /// Every file's path relative to the folder with its bytes.
  static func files(below folder: FilePath) throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    try collect(folder, "", &found)
    return found
  }

  private static func collect(_ folder: FilePath, _ prefix: String, _ found: inout [String: [UInt8]]) throws {
    for entry in try FileSystem.list(folder) {
      let name = prefix + String(decoding: entry.name, as: UTF8.self)
      let path = folder.appending(entry.name)
      switch try FileStatus.of(path).kind {
      case .folder: try collect(path, name + "/", &found)
      case .file: found[name] = try FileSystem.read(path, limit: 1 << 26)
      default: break
      }
    }
  }

  static func copy(_ source: FilePath, to target: FilePath) throws {
    try FileSystem.makeFolders(at: target)
    for entry in try FileSystem.list(source) {
      let from = source.appending(entry.name)
      let to = target.appending(entry.name)
      let status = try FileStatus.of(from)
      if status.kind == .folder {
        try copy(from, to: to)
        continue
      }
      try AtomicFile.write(try FileSystem.read(from, limit: 1 << 26), to: to, isDurable: false)
      try FileSystem.setPermissions(status.permissions, at: to)
      try FileSystem.setModificationTime(
        seconds: status.modificationSeconds, nanoseconds: status.modificationNanoseconds, at: to)
    }
  }

  static func overwrite(_ path: FilePath, with bytes: [UInt8]) throws {
    try FileDescriptor.open(path, .writeOnly, options: .truncate).write(bytes)
  }

  /// The packs below a folder that holds `packs`, in the order of their names.
  static func packs(below tree: FilePath) throws -> [FilePath] {
    try files(below: tree).keys.filter { $0.hasPrefix("packs/") && !$0.contains(".dver-tmp-") }.sorted()
      .map { tree.appending($0) }
  }
}
