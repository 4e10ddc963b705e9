public import Hashing

/// Something wrong in a pack.
public struct PackDamage: Error, Equatable, Sendable {
  public enum Reason: Equatable, Sendable {
    /// The file does not hash to its name.
    case hash
    /// An entry, or another part, is not what the format demands.
    case format(PackFormatError)
    /// The index does not agree with the entries.
    case index
    /// An object does not decode to its id.
    case object(ObjectID, ObjectStoreError)
  }

  public let pack: PackName
  /// In bytes from the pack's start; `nil` where it is the whole pack.
  public let offset: UInt64?
  public let reason: Reason

  public init(pack: PackName, offset: UInt64? = nil, reason: Reason) {
    self.pack = pack
    self.offset = offset
    self.reason = reason
  }
}

extension PackDamage.Reason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .hash: "it does not hash to its name"
    case .format(let error): "\(error)"
    case .index: "the index does not agree with the entries"
    case .object(let id, let error):
      switch error {
      case .notFound(let missing): "object \(id.hexadecimal) stands on \(missing.hexadecimal), which is missing"
      default: "object \(id.hexadecimal) is not what its id promises"
      }
    }
  }
}
