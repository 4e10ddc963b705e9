/// Where an object or record stands: a pack, and the offset of the entry from the pack's start.
public struct ObjectLocation: Hashable, Sendable {
  public let pack: PackName
  public let offset: UInt64

  public init(pack: PackName, offset: UInt64) {
    self.pack = pack
    self.offset = offset
  }
}
