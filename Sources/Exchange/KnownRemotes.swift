import Hashing
import SystemIO
public import VersionStore
import Versioning

/// The places that this device has synchronised with before, by ``RemoteURL/key(from:)``.
///
/// An empty folder at such a place is not set up again: it may be a stick that isn't plugged in.
public struct KnownRemotes {
  private let store: Store

  public init(_ store: Store) {
    self.store = store
  }

  public func contains(_ key: [UInt8]) -> Bool {
    keys.contains(Hexadecimal.encode(key))
  }

  /// Durable when it returns; nothing is written where the place is known.
  public func remember(_ key: [UInt8]) throws(RepositoryError) {
    var keys = keys
    guard let file, keys.insert(Hexadecimal.encode(key)).inserted else { return }
    try write(keys, to: file)
  }

  /// Makes the next exchange with a place the first one: for a remote that is added again.
  public func forget(_ key: [UInt8]) throws(RepositoryError) {
    var keys = keys
    guard let file, keys.remove(Hexadecimal.encode(key)) != nil else { return }
    try write(keys, to: file)
  }

  private var file: FilePath? {
    store.device.map { PrivateLayout(store.layout.privateFolder(of: $0)).knownRemotes }
  }

  private var keys: Set<String> {
    guard let file, let bytes = try? FileSystem.read(file, limit: 1 << 24) else { return [] }
    return Set(bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) })
  }

  private func write(_ keys: Set<String>, to file: FilePath) throws(RepositoryError) {
    let text = keys.sorted().map { $0 + "\n" }.joined()
    do { try AtomicFile.write(Array(text.utf8), to: file, permissions: 0o600) } catch { throw .system(error) }
  }
}
