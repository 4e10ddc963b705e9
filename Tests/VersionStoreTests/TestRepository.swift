import Catalog
import Hashing
import ObjectStorage
import SystemIO
import TestSupport
import Versioning

@testable import VersionStore

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
    do {
      return String(decoding: try FileSystem.read(directory.path.appending(path), limit: 1 << 20), as: UTF8.self)
    } catch {
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

  /// Saves as `dver save` does first, as another process would.
  func saveQuickly(_ path: String, message: String = "") throws -> QuickSaveOutcome {
    try StorePlace(containing: directory.path).saveQuickly(
      DocumentPath(path), message: Array(message.utf8), environment: Self.environment("laptop", clock))
  }

  /// Writes and saves quickly; `nil` where that was declined or the file is as it was.
  func saveQuickly(_ text: String, at path: String) throws -> Version? {
    try write(text, to: path)
    clock.advance(1000)
    guard case .saved(let version) = try saveQuickly(path) else { return nil }
    return version
  }

  func content(of version: Version) throws -> String {
    String(decoding: try repository.content(of: version, at: version.record.path), as: UTF8.self)
  }
}

extension TestRepository {
  var store: Store { repository.store }

  func path(_ path: String) -> FilePath { directory.path.appending(path) }

  func write(_ bytes: [UInt8], to path: String) throws {
    try FileSystem.makeFolders(at: self.path(path).parent)
    try FileDescriptor.open(self.path(path), .writeOnly, options: [.create, .truncate]).write(bytes)
  }

  func bytes(_ path: String) throws -> [UInt8] { try FileSystem.read(self.path(path), limit: 1 << 28) }

  func status(_ path: String) throws -> FileStatus { try FileStatus.of(self.path(path)) }

  func rename(_ old: String, to new: String) throws {
    try FileSystem.makeFolders(at: path(new).parent)
    try FileSystem.rename(from: path(old), to: path(new), how: .replace)
  }

  func view(_ path: String) throws -> PathView { try repository.view(of: DocumentPath(path)) }

  func current(_ path: String) throws -> Version? { try view(path).current }

  /// What a save finds to do, without a limit on deletions, as paths.
  func savedPaths() throws -> [String] {
    try saveAll().map { String(decoding: $0.record.path.bytes, as: UTF8.self) }
  }

  /// A version as an exchange brings it: made elsewhere, not placed.
  ///
  /// - Parameter text: `nil` for a deletion.
  @discardableResult
  func receive(
    _ text: String?, at path: String, on parents: [Version], kind: VersionKind = .file, mode: UInt16 = 0o644,
    document: DocumentID? = nil
  ) throws -> Version {
    clock.advance(1000)
    return try store.write(.none) { (transaction) throws(RepositoryError) in
      let bytes = Array((text ?? "").utf8)
      var content = StoredContent.none
      if text != nil { content = try transaction.content(bytes, id: SHA256.hash(bytes), after: parents.first) }
      var record = transaction.record(
        document: document, parents: parents, path: DocumentPath(path), kind: text == nil ? .deleted : kind,
        content: content, size: UInt64(bytes.count), mode: mode, modificationTime: transaction.modificationTimeNow,
        origin: text == nil ? .delete : .save)
      record.device = DeviceID(high: 0xD2, low: 0xD2)
      return try transaction.add(record, content, isBase: false)
    }
  }

  @discardableResult
  func place(_ versions: [Version]) throws -> PlacementReport { try repository.updateWorkingFiles(near: versions) }

  func row(_ path: String) throws -> FileRow? { try repository.fileRow(at: DocumentPath(path)) }

  /// The names of unfinished files that are left in the folder of documents.
  func temporaries() throws -> [[UInt8]] {
    try directory.names().filter { $0.starts(with: RepositoryLayout.temporaryPrefix) }
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
