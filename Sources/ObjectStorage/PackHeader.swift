import Hashing

/// The beginning of every pack.
///
///     offset  size     field
///     0       8        magic: ASCII "dverpak", then a zero byte
///     8       2        format version, little-endian: 1 to 3
///     10      1        0 active, 1 sealed
///     11      1        zero
///     12      16       the device
///     28      4        count of replaced packs, little-endian
///     32      32 each  ids of the replaced packs, strictly ascending
///             4        CRC-32C of all before, little-endian
///
/// Source: docs/format.md, "Header".
public struct PackHeader: Equatable, Sendable {
  /// The length of a header that replaces nothing.
  public static let minimumByteCount = 36

  public let isSealed: Bool
  /// The device that wrote the pack, 16 bytes.
  public let device: [UInt8]
  /// The packs that this one replaces, strictly ascending.
  public let replaces: [PackID]
  /// The format version that the pack was written in.
  public let version: UInt16

  /// - Precondition: `device` has 16 bytes. The replaced packs may come in any order.
  /// - Parameter version: else the one that is written today.
  public init(
    isSealed: Bool, device: [UInt8], replaces: [PackID] = [], version: UInt16? = nil
  ) {
    precondition(device.count == 16, "a device has 16 bytes")
    self.version = version ?? (isSealed ? PackFormat.sealedVersion : PackFormat.version)
    self.isSealed = isSealed
    self.device = device
    self.replaces = Set(replaces).sorted()
  }

  /// How long a header is that begins with some bytes; `nil` where they are fewer than any header has.
  public static func byteCount(startingWith bytes: [UInt8]) -> UInt64? {
    guard bytes.count >= minimumByteCount else { return nil }
    let replaced = bytes[28..<32].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return UInt64(minimumByteCount) + replaced * UInt64(ObjectID.byteCount)
  }

  public var byteCount: Int { Self.minimumByteCount + ObjectID.byteCount * replaces.count }
}
