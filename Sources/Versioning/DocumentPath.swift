/// The path of a document below the repository's folder, as bytes exactly as the file system gives them (R13).
///
/// A valid path is relative and has 1 to 65,536 bytes; its components, separated by one `/`, are neither empty nor `.`
/// nor `..`, and hold no zero byte. So a path can't leave the repository's folder. Paths order by their bytes.
public struct DocumentPath: Hashable, Comparable, Sendable {
  /// The longest path, in bytes (R5).
  public static let maximumByteCount = 65_536

  public let bytes: [UInt8]

  /// Creates a path, or `nil` where the bytes are no valid path.
  public init?(_ bytes: some Collection<UInt8>) {
    guard (1...Self.maximumByteCount).contains(bytes.count), !bytes.contains(0) else { return nil }
    let slash = UInt8(ascii: "/"), dot = UInt8(ascii: ".")
    for component in bytes.split(separator: slash, omittingEmptySubsequences: false) {
      if component.isEmpty || component.elementsEqual([dot]) || component.elementsEqual([dot, dot]) { return nil }
    }
    self.bytes = Array(bytes)
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
