/// Where a record lies, and the family it belongs to.
public struct RecordLocation: Hashable, Sendable {
  /// The first eight bytes of the record's id, as a big-endian number.
  public let prefix: UInt64
  /// The number of the pack.
  public let pack: Int64
  /// Where its entry begins, in bytes from the pack's beginning.
  public let offset: UInt64
  public let family: Int64

  public init(prefix: UInt64, pack: Int64, offset: UInt64, family: Int64) {
    self.prefix = prefix
    self.pack = pack
    self.offset = offset
    self.family = family
  }
}
