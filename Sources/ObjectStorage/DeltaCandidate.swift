public import Hashing

/// An earlier object that a new one may be stored against.
public struct DeltaCandidate {
  public let id: ObjectID
  public let kind: ObjectKind
  /// Where it stands: an older pack of the same device, or the pack that is being written.
  public let location: ObjectLocation
  /// How many objects must be read before it.
  public let depth: UInt8
  /// Gives its bytes, verified.
  public let load: () throws(ObjectStoreError) -> [UInt8]

  public init(
    id: ObjectID, kind: ObjectKind, location: ObjectLocation, depth: UInt8,
    load: @escaping () throws(ObjectStoreError) -> [UInt8]
  ) {
    self.id = id
    self.kind = kind
    self.location = location
    self.depth = depth
    self.load = load
  }
}
