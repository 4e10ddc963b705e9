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
  /// The length of one item of the list of blocks.
  public static let blockItemByteCount = 5

  public let recordsOffset: UInt64
  public let indexOffset: UInt64
  public let objectCount: UInt32
  public let recordCount: UInt32
  public let indexChecksum: UInt32
  /// How many blocks are listed behind the index; it follows from the place of the footer.
  public internal(set) var blockCount: UInt32

  public init(
    recordsOffset: UInt64, indexOffset: UInt64, objectCount: UInt32, recordCount: UInt32, indexChecksum: UInt32,
    blockCount: UInt32 = 0
  ) {
    self.blockCount = blockCount
    self.recordsOffset = recordsOffset
    self.indexOffset = indexOffset
    self.objectCount = objectCount
    self.recordCount = recordCount
    self.indexChecksum = indexChecksum
  }

  /// The length of all parts of the index.
  public var indexByteCount: UInt64 { itemsByteCount + UInt64(blockCount) * UInt64(Self.blockItemByteCount) }

  /// The length of the parts that name entries by their ids.
  var itemsByteCount: UInt64 { (UInt64(objectCount) + UInt64(recordCount)) * UInt64(Self.indexItemByteCount) }
}
