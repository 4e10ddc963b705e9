/// The path of a document below the repository's folder, as bytes exactly as the file system gives them (R13).
///
/// A valid path is relative and has 1 to 65,536 bytes; its components, separated by one `/`, are neither empty nor `.`
/// nor `..`, and hold no zero byte. So a path can't leave the repository's folder. Paths order by their bytes.
public struct DocumentPath: Hashable, Comparable, Sendable {
  /// The longest path, in bytes (R5).
  public static let maximumByteCount = 65_536

  public let bytes: [UInt8]

  /// Creates a path, or `nil` where the bytes are no valid path.
  @inlinable
  public init?(_ bytes: some Collection<UInt8>) {
    self.init(checking: Array(bytes))
  }

  // One loop over an array: a path is made for every record that is read.
  @usableFromInline
  init?(checking bytes: [UInt8]) {
    guard (1...Self.maximumByteCount).contains(bytes.count) else { return nil }
    var start = 0
    for place in 0...bytes.count {
      if place < bytes.count {
        if bytes[place] == 0 { return nil }
        if bytes[place] != UInt8(ascii: "/") { continue }
      }
      let count = place - start
      if count == 0 { return nil }
      if count <= 2, bytes[start..<place].allSatisfy({ $0 == UInt8(ascii: ".") }) { return nil }
      start = place + 1
    }
    self.bytes = bytes
  }

  /// The components, at least one, none empty.
  public var components: [ArraySlice<UInt8>] { bytes.split(separator: UInt8(ascii: "/")) }

  /// Whether this path is a folder on the way to the other: a proper prefix by components.
  public func isAncestor(of other: DocumentPath) -> Bool {
    other.bytes.count > bytes.count && other.bytes[bytes.count] == UInt8(ascii: "/") && other.bytes.starts(with: bytes)
  }

  public static func < (left: DocumentPath, right: DocumentPath) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
