public import Hashing

/// The identity of a record (a version, removal, retraction …): the SHA-256 digest of its canonical encoding.
///
/// Source: docs/format.md, "Identity".
public struct RecordID: Hashable, Comparable, Sendable {
  public let digest: ObjectID

  public init(_ digest: ObjectID) {
    self.digest = digest
  }

  /// The digest as 64 lower-case hexadecimal digits.
  public var hexadecimal: String { digest.hexadecimal }

  public static func < (left: RecordID, right: RecordID) -> Bool { left.digest < right.digest }
}
