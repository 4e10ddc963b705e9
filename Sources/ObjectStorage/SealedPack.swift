public import Hashing

/// What sealing made: a durable pack under its final name, and where everything stands in it.
public struct SealedPack: Sendable {
  /// An object or a record, and the offset of its entry from the pack's start.
  public struct Item: Equatable, Sendable {
    /// Of a record, the digest that is its id.
    public let id: ObjectID
    public let offset: UInt64
  }

  public let id: PackID
  public let byteCount: UInt64
  /// In the order of the pack.
  public let objects: [Item]
  /// In the order of the pack.
  public let records: [Item]
}
