import Glibc

/// A path as the system sees it: bytes, neither decoded nor normalised.
///
/// Paths compare and order by their bytes. A path never is empty; a zero byte can only come in by ``appending(_:)``,
/// and every call then fails with `EINVAL` instead of naming another file.
public struct FilePath: Hashable, Sendable {
  public let bytes: [UInt8]

  /// Creates a path, or `nil` where the bytes are empty or hold a zero byte.
  public init?(bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
    self.bytes = bytes
  }

  /// Creates a path from the UTF-8 form of a text up to its first zero byte; nothing gives ".".
  public init(_ text: String) {
    let bytes = Array(text.utf8.prefix { $0 != 0 })
    self.bytes = bytes.isEmpty ? [.dot] : bytes
  }

  /// For bytes that are known not to be empty.
  init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Joins with one slash; the name may hold slashes itself. Nothing appended gives the same path.
  @inlinable
  public func appending(_ name: some Collection<UInt8>) -> FilePath {
    appending(nameBytes: Array(name))
  }

  // Not generic: in another module that would be compiled for no type, and slow.
  @usableFromInline
  func appending(nameBytes: [UInt8]) -> FilePath {
    let name = nameBytes.drop { $0 == .slash }
    guard !name.isEmpty else { return self }
    var joined = Self.withoutTrailingSlashes(bytes)
    joined.reserveCapacity(joined.count + 1 + name.count)
    if joined != [.slash] { joined.append(.slash) }
    joined.append(contentsOf: name)
    return FilePath(unchecked: joined)
  }

  public func appending(_ name: String) -> FilePath {
    appending(nameBytes: Array(name.utf8))
  }

  /// The folder that holds it: "a/b" gives "a", "a" gives ".", "/a" and "/" give "/".
  public var parent: FilePath {
    let trimmed = Self.withoutTrailingSlashes(bytes)
    guard let slash = trimmed.lastIndex(of: .slash) else { return FilePath(unchecked: [.dot]) }
    let head = Self.withoutTrailingSlashes(Array(trimmed[..<slash]))
    return FilePath(unchecked: head.isEmpty ? [.slash] : head)
  }

  /// The name within ``parent``; empty for the root.
  public var lastComponent: [UInt8] {
    let trimmed = Self.withoutTrailingSlashes(bytes)
    guard let slash = trimmed.lastIndex(of: .slash) else { return trimmed }
    return Array(trimmed[(slash + 1)...])
  }

  public var isAbsolute: Bool { bytes.first == .slash }

  private static func withoutTrailingSlashes(_ bytes: [UInt8]) -> [UInt8] {
    guard let last = bytes.lastIndex(where: { $0 != .slash }) else { return bytes.isEmpty ? [] : [.slash] }
    return last == bytes.count - 1 ? bytes : Array(bytes[...last])
  }
}

extension FilePath: Comparable {
  public static func < (left: FilePath, right: FilePath) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension FilePath {
  /// Calls with the path ended by a zero byte, or fails with `EINVAL` where it holds one. `errno` is the body's.
  func withCString(_ body: (UnsafePointer<CChar>) -> Int) -> Int {
    SystemIO.withCString(bytes, body)
  }
}

/// Calls with the bytes ended by a zero byte, or gives -1 and `EINVAL` where they hold one. `errno` is the body's.
func withCString(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> Int) -> Int {
  var code = EINVAL
  let result = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count + 1) { buffer in
    guard !bytes.contains(0), let start = buffer.baseAddress else { return -1 }
    _ = buffer.initialize(from: bytes)
    buffer.initializeElement(at: bytes.count, to: 0)
    let result = body(UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self))
    code = errno
    return result
  }
  errno = code
  return result
}

/// Like ``withCString(_:_:)`` for one name within a folder; "", ".", ".." and names with a slash are refused too.
func withComponent(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> Int) -> Int {
  guard !name.isEmpty, name != [.dot], name != [.dot, .dot], !name.contains(.slash) else {
    errno = EINVAL
    return -1
  }
  return withCString(name, body)
}

extension UInt8 {
  static let slash = UInt8(ascii: "/")
  static let dot = UInt8(ascii: ".")
}
