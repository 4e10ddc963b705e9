/// A document as it is shown: versions joined by parents, or of one document id (R14).
public struct DocumentState: Hashable, Sendable {
  /// The smallest of the ids that were joined.
  public let document: DocumentID
  /// All heads, greatest first; at least one.
  public let heads: [Version]
  /// The greatest head (R10).
  public let current: Version

  /// Creates a state from at least one head, in any order, or `nil` without a head.
  public init?(document: DocumentID, heads: some Sequence<Version>) {
    let ordered = heads.greatestFirst()
    guard let current = ordered.first else { return nil }
    self.document = document
    self.heads = ordered
    self.current = current
  }

  /// The heads, equal ones as the greatest of them (R9); the current one first.
  public var shown: [Version] { heads.shown() }

  /// What differs from the current version, greatest first; deletions included.
  public var conflicts: [Version] { Array(shown.dropFirst()) }

  /// Whether all heads are deletions (R11).
  public var isDeleted: Bool { current.record.isDeletion }
}
