/// A path that one or more documents claim (R14).
public struct PathState: Hashable, Sendable {
  public let path: DocumentPath
  /// The current versions of the documents that claim it, greatest first; at least one, none a deletion.
  public let claimants: [Version]
  /// The greatest of them: what is in the working file.
  public let current: Version

  /// Creates a state from at least one claimant, in any order, or `nil` without one.
  public init?(path: DocumentPath, claimants: some Sequence<Version>) {
    let ordered = claimants.greatestFirst()
    guard let current = ordered.first else { return nil }
    self.path = path
    self.claimants = ordered
    self.current = current
  }

  /// The claimants that differ from the current version, equal ones as the greatest of them, greatest first.
  public var conflicts: [Version] { Array(claimants.shown().dropFirst()) }
}
