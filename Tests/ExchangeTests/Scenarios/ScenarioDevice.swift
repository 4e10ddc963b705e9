import Exchange
import SystemIO
import Versioning

@testable import VersionStore

/// A simulated device: a repository in a folder of its own, opened as the program would.
final class ScenarioDevice {
  let name: String
  let folder: FilePath
  let clock: ScenarioClock
  private var opened: Repository?

  init(_ name: String, in folder: FilePath, clock: ScenarioClock) {
    self.name = name
    self.folder = folder
    self.clock = clock
  }

  /// Makes an empty store.
  func create() throws {
    try FileSystem.makeFolders(at: folder)
    opened = try Repository.create(at: folder, environment: environment).repository
  }

  private var environment: StoreEnvironment {
    StoreEnvironment(now: { [clock] in clock.now }, deviceName: Array(name.utf8), lockTimeoutMilliseconds: 0)
  }

  var repository: Repository {
    get throws {
      if let opened { return opened }
      let repository = try Repository.open(containing: folder, access: .writing, environment: environment)
      opened = repository
      return repository
    }
  }

  /// Ends the use of the store, so that the next use opens it again.
  func close() { opened = nil }

  // MARK: Copies

  /// Copies the whole store with all files to a folder that isn't there, as `cp -a` does.
  func copy(to target: FilePath) throws {
    close()
    try Self.copy(folder, to: target)
  }

  /// Replaces the whole store by a copy.
  func replace(by source: FilePath?, _ copying: ScenarioVariation.Copying) throws {
    close()
    if (try? FileStatus.of(folder)) != nil { try FileSystem.removeTree(at: folder) }
    guard let source else { return try create() }
    try Self.copy(source, to: folder)
    if case .isUnnoticed = copying { try keepIdentity() }
  }

  private static func copy(_ source: FilePath, to target: FilePath) throws {
    let result = try ChildProcess.run(
      program: FilePath("/bin/cp"), arguments: [Array("-a".utf8), source.bytes, target.bytes])
    guard result.status == 0 else { throw ScenarioFailure("cp: \(String(decoding: result.errors, as: UTF8.self))") }
  }

  /// Makes the private folders look as if they had never been copied.
  private func keepIdentity() throws {
    for (_, folder) in try Store.privateFolders(in: RepositoryLayout(root: folder)) {
      guard let bytes = try? FileSystem.read(folder.binding, limit: 65_536),
        let old = DeviceBinding(decoding: bytes)
      else { continue }
      let new = try DeviceBinding(of: folder.folder, name: old.name, continues: old.continues)
      try AtomicFile.write(new.encoded(), to: folder.binding)
    }
  }

  // MARK: Working files

  func write(_ text: String, at path: DocumentPath) throws {
    let place = folder.appending(path.bytes)
    try FileSystem.makeFolders(at: place.parent)
    let file = try FileDescriptor.open(place, .writeOnly, options: [.create, .truncate], permissions: 0o644)
    try file.write(Array(text.utf8))
  }

  func remove(_ path: DocumentPath) throws { try FileSystem.remove(at: folder.appending(path.bytes)) }

  /// The content of a working file; `nil` where there is none.
  func read(_ path: DocumentPath) throws -> String? {
    let place = folder.appending(path.bytes)
    guard (try? FileStatus.of(place)) != nil else { return nil }
    return String(decoding: try FileSystem.read(place, limit: 1 << 24), as: UTF8.self)
  }
}
