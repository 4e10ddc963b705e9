public import Hashing

/// The identity of a sealed pack: the SHA-256 digest of the whole file.
///
/// Source: docs/format.md, "Identity".
public struct PackID: Hashable, Comparable, Sendable {
  public let digest: ObjectID

  public init(_ digest: ObjectID) {
    self.digest = digest
  }

  public static func < (left: PackID, right: PackID) -> Bool { left.digest < right.digest }
}

extension PackID: CustomStringConvertible {
  public var description: String { digest.hexadecimal }
}
