/// The identity of content: the SHA-256 digest of its bytes.
///
/// Equal bytes have equal IDs on every machine, whatever their compression or pack, and `sha256sum` checks any of them.
/// IDs order by digest, most significant byte first.
///
/// Source: docs/format.md, "Identity".
public struct ObjectID: Hashable, Comparable, Sendable {
  /// The length of a digest, in bytes.
  public static let byteCount = 32

  // Big-endian words keep an ID inline: a million IDs in an array are one allocation.
  private let first: UInt64
  private let second: UInt64
  private let third: UInt64
  private let fourth: UInt64

  /// Creates an ID from a digest, or `nil` unless it has exactly ``byteCount`` bytes.
  @inlinable
  public init?(digest: some Collection<UInt8>) {
    guard digest.count == Self.byteCount else { return nil }
    self.init(digestArray: Array(digest))
  }

  @usableFromInline
  init?(digestArray: [UInt8]) {
    guard let id = digestArray.withUnsafeBytes({ ObjectID(digestAt: $0) }) else { return nil }
    self = id
  }

  /// Creates an ID from the digest at the start of a buffer, or `nil` where the buffer is shorter than ``byteCount``.
  public init?(digestAt buffer: UnsafeRawBufferPointer) {
    guard buffer.count >= Self.byteCount else { return nil }
    first = UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
    second = UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    third = UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
    fourth = UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
  }

  /// Creates an ID from exactly 64 hexadecimal digits of either case, or `nil`.
  public init?(hexadecimal: some Collection<UInt8>) {
    guard hexadecimal.count == 2 * Self.byteCount, let digest = Hexadecimal.decode(hexadecimal) else { return nil }
    self.init(digest: digest)
  }

  /// The digest, ``byteCount`` bytes.
  public var digest: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.byteCount)
    append(to: &bytes)
    return bytes
  }

  /// Appends the digest to an array.
  public func append(to bytes: inout [UInt8]) {
    withUnsafeBytes(of: (first.bigEndian, second.bigEndian, third.bigEndian, fourth.bigEndian)) {
      bytes.append(contentsOf: $0)
    }
  }

  /// The first eight bytes of the digest as a big-endian number, which orders as the ID does.
  public var prefix: UInt64 { first }

  /// The digest as 64 lower-case hexadecimal digits.
  public var hexadecimal: String { Hexadecimal.encode(digest) }

  // A digest is as good as random: more of it would only cost time in every dictionary.
  public func hash(into hasher: inout Hasher) { hasher.combine(first) }

  public static func < (left: ObjectID, right: ObjectID) -> Bool {
    if left.first != right.first { return left.first < right.first }
    if left.second != right.second { return left.second < right.second }
    if left.third != right.third { return left.third < right.third }
    return left.fourth < right.fourth
  }
}

extension ObjectID: CustomStringConvertible {
  public var description: String { hexadecimal }
}
