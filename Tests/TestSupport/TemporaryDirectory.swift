public import SystemIO

/// A fresh folder under `$TMPDIR` or `/tmp` that goes with the object, content and all.
public final class TemporaryDirectory: Sendable {
  public let path: FilePath

  public init() throws(SystemError) {
    let parent = Environment.value("TMPDIR").flatMap { FilePath(bytes: $0) } ?? FilePath("/tmp")
    let path = parent.appending("dver-test-" + String(UInt64.random(in: 0...UInt64.max), radix: 36))
    try FileSystem.makeFolder(at: path, permissions: 0o700)
    self.path = path
  }

  deinit {
    remove()
  }

  /// Removes it now; a second call does nothing.
  public func remove() {
    try? FileSystem.removeTree(at: path)
  }

  /// The path of a name in it.
  public func appending(_ name: String) -> FilePath { path.appending(name) }

  /// The path of a name in it.
  public func appending(_ name: [UInt8]) -> FilePath { path.appending(name) }

  /// Writes a file in it; the folder must be there.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) throws(SystemError) -> FilePath {
    let file = appending(name)
    try AtomicFile.write(bytes, to: file, isDurable: false)
    return file
  }

  /// The names in it, in the order of their bytes.
  public func names() throws(SystemError) -> [[UInt8]] {
    try FileSystem.list(path).map(\.name).sorted { $0.lexicographicallyPrecedes($1) }
  }
}
