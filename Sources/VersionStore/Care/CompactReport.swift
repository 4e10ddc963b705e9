/// What compacting did.
public struct CompactReport: Sendable {
  /// Sealed packs of this device.
  public var packsBefore = 0
  public var packsAfter = 0
  /// The bytes of all packs in the store that are sealed.
  public var byteCountBefore: UInt64 = 0
  public var byteCountAfter: UInt64 = 0
  /// Packs that were replaced.
  public var replaced = 0
}
