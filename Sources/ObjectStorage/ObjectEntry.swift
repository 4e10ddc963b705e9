public import Hashing

/// A stored object: its id, how its bytes are encoded, and the encoded data.
///
/// Source: docs/format.md, "Entries".
public struct ObjectEntry: Equatable, Sendable {
  /// Where the encoded data is.
  public enum Data: Equatable, Sendable {
    /// Here: an entry to be written.
    case bytes([UInt8])
    /// At these offsets from the pack's start: an entry that was read, whose data was not copied.
    case stored(Range<UInt64>)
    /// In the block that begins at an offset, as the member of this number, from 0. Only read.
    case member(block: UInt64, number: Int)
  }

  public var id: ObjectID
  public var kind: ObjectKind
  public var encoding: ObjectEncoding
  /// The length of the object's own bytes, decoded; at most ``PackFormat/maximumObjectByteCount``.
  public var byteCount: UInt64
  /// Present exactly for the encoding `delta`, unless it is a member of a block.
  public var base: EntryReference?
  /// 0 for an object that is no delta, else one more than its base's; at most 255.
  public var depth: UInt8
  public var data: Data

  public init(
    id: ObjectID, kind: ObjectKind, encoding: ObjectEncoding, byteCount: UInt64, base: EntryReference? = nil,
    depth: UInt8 = 0, data: Data
  ) {
    self.id = id
    self.kind = kind
    self.encoding = encoding
    self.byteCount = byteCount
    self.base = base
    self.depth = depth
    self.data = data
  }

  /// The length of the encoded data; 0 for a member of a block, which has none of its own.
  public var dataByteCount: Int {
    switch data {
    case .bytes(let bytes): bytes.count
    case .stored(let range): Int(range.count)
    case .member: 0
    }
  }
}
