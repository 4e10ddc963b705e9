/// A place in a deflate stream where its writer let go of all it had until then: no match reaches over it.
public struct DeflateFlush: Hashable, Sendable {
  /// What the writer puts there.
  public enum Kind: UInt8, Sendable {
    /// An empty block of fixed codes.
    case partial
    /// An empty stored block, which ends at a byte.
    case sync
    /// Like ``sync``, and nothing before it is referred to later.
    case full
  }

  public let kind: Kind
  /// How many bytes of the content come before it.
  public let position: Int

  public init(_ kind: Kind, at position: Int) {
    self.kind = kind
    self.position = position
  }
}
