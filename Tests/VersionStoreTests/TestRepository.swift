import SystemIO
import TestSupport
import VersionStore
import Versioning

/// A repository in a temporary folder, with a clock that a test moves.
final class TestRepository {
  let directory: TemporaryDirectory
  let clock: TestClock
  private(set) var repository: Repository

  init(name: String = "laptop", clock: TestClock = TestClock()) throws {
    directory = try TemporaryDirectory()
    self.clock = clock
    repository = try Repository.create(at: directory.path, environment: Self.environment(name, clock)).repository
  }

  static func environment(_ name: String, _ clock: TestClock) -> StoreEnvironment {
    StoreEnvironment(now: { clock.now }, deviceName: Array(name.utf8), lockTimeoutMilliseconds: 0)
  }

  /// Opens the repository again, as another process would.
  func reopen(_ access: Store.Access = .writing) throws {
    repository = try Repository.open(
      containing: directory.path, access: access, environment: Self.environment("laptop", clock))
  }

  func write(_ text: String, to path: String) throws {
    let place = directory.path.appending(path)
    try FileSystem.makeFolders(at: place.parent)
    let file = try FileDescriptor.open(place, .writeOnly, options: [.create, .truncate])
    try file.write(Array(text.utf8))
  }

  func read(_ path: String) throws -> String? {
    do { return String(decoding: try FileSystem.read(directory.path.appending(path), limit: 1 << 20), as: UTF8.self) } catch {
      if (error as? SystemError)?.isNotFound ?? false { return nil }
      throw error
    }
  }

  func remove(_ path: String) throws { try FileSystem.remove(at: directory.path.appending(path)) }

  @discardableResult
  func saveAll(allowsMassDeletion: Bool = true) throws -> [Version] {
    clock.advance(1000)
    return try repository.save([nil], options: SaveOptions(allowsMassDeletion: allowsMassDeletion)).saved
  }

  @discardableResult
  func save(_ text: String, at path: String) throws -> Version? {
    try write(text, to: path)
    clock.advance(1000)
    return try repository.save([DocumentPath(path)], options: SaveOptions()).saved.first
  }

  func content(of version: Version) throws -> String {
    String(decoding: try repository.content(of: version, at: version.record.path), as: UTF8.self)
  }
}

/// A wall clock that stands still until it is moved.
final class TestClock: @unchecked Sendable {
  private(set) var now: Int64 = 1_764_460_800_000

  func advance(_ milliseconds: Int64) { now += milliseconds }

  func set(_ milliseconds: Int64) { now = milliseconds }
}

extension DocumentPath {
  init(_ text: String) {
    guard let path = DocumentPath(Array(text.utf8)) else { preconditionFailure("no path: \(text)") }
    self = path
  }
}
