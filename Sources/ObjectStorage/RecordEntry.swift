/// A stored record; what is in it is the business of whoever writes it.
///
/// Source: docs/format.md, "Entries".
public enum RecordEntry: Equatable, Sendable {
  /// The canonical record.
  case full([UInt8])
  /// A record against another one, whose entry begins `distance` bytes, at least 1, before the beginning of this entry.
  /// `depth` is one more than the predecessor's.
  case elided(distance: UInt64, depth: UInt8, bytes: [UInt8])
  /// One of the records of the block that begins at an offset, counted from 0: ``PackFile/recordBlock(at:)``. Only read.
  case member(block: UInt64, number: Int)

  /// How many records must be read before this one.
  public var depth: UInt8 {
    switch self {
    case .full: 0
    case .elided(_, let depth, _): depth
    // Their block is read whole, as often as a chain would be.
    case .member: 0
    }
  }
}
