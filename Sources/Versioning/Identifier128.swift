import Hashing

/// An identifier of 16 bytes that orders by its bytes, most significant first.
public protocol Identifier128: Hashable, Comparable, Sendable {
  /// The first eight bytes, as a big-endian number.
  var high: UInt64 { get }
  /// The last eight bytes, as a big-endian number.
  var low: UInt64 { get }

  init(high: UInt64, low: UInt64)
}

extension Identifier128 {
  /// Creates an identifier from exactly 16 bytes, or `nil`.
  @inlinable
  public init?(bytes: some Collection<UInt8>) {
    self.init(byteArray: Array(bytes))
  }

  @usableFromInline
  init?(byteArray: [UInt8]) {
    guard byteArray.count == 16 else { return nil }
    let (high, low) = byteArray.withUnsafeBytes {
      ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
    self.init(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
  }

  /// Creates an identifier from exactly 32 hexadecimal digits, or `nil`.
  @inlinable
  public init?(hexadecimal: some Collection<UInt8>) {
    self.init(digits: Array(hexadecimal))
  }

  @usableFromInline
  init?(digits: [UInt8]) {
    guard digits.count == 32, let bytes = Hexadecimal.decode(digits) else { return nil }
    self.init(byteArray: bytes)
  }

  /// A new random identifier.
  public static func random(using generator: inout some RandomNumberGenerator) -> Self {
    Self(high: generator.next(), low: generator.next())
  }

  /// The 16 bytes.
  public var bytes: [UInt8] {
    withUnsafeBytes(of: high.bigEndian) { Array($0) } + withUnsafeBytes(of: low.bigEndian) { Array($0) }
  }

  /// The bytes as 32 lower-case hexadecimal digits.
  public var hexadecimal: String { Hexadecimal.encode(bytes) }

  public static func < (left: Self, right: Self) -> Bool {
    left.high == right.high ? left.low < right.low : left.high < right.high
  }
}
