/// The end of a sealed pack.
///
///     size  field
///     8     offset of the records section
///     8     offset of the index
///     4     object count
///     4     record count
///     4     CRC-32C of the index parts
///     4     CRC-32C of the footer's bytes so far
///     8     magic: ASCII "dverend", then a zero byte
///
/// Source: docs/format.md, "Sealed packs".
public struct PackFooter: Equatable, Sendable {
  public static let byteCount = 40
  /// The length of one item of the index.
  public static let indexItemByteCount = 12

  public let recordsOffset: UInt64
  public let indexOffset: UInt64
  public let objectCount: UInt32
  public let recordCount: UInt32
  public let indexChecksum: UInt32

  public init(
    recordsOffset: UInt64, indexOffset: UInt64, objectCount: UInt32, recordCount: UInt32, indexChecksum: UInt32
  ) {
    self.recordsOffset = recordsOffset
    self.indexOffset = indexOffset
    self.objectCount = objectCount
    self.recordCount = recordCount
    self.indexChecksum = indexChecksum
  }

  /// The length of both parts of the index.
  public var indexByteCount: UInt64 { (UInt64(objectCount) + UInt64(recordCount)) * UInt64(Self.indexItemByteCount) }
}
