/// What can be chosen about the merge of contents.
public struct MergeOptions: Hashable, Sendable {
  /// How far conflicts of a text are looked into.
  public enum Granularity: Hashable, Sendable {
    /// A line that both sides changed is a conflict.
    case line
    /// Two edits in different sentences of one line merge.
    case word
  }

  public var granularity: Granularity

  public init(granularity: Granularity = .line) {
    self.granularity = granularity
  }
}
