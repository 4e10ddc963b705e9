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

  /// The number of the rules that an automatic merge with these options records: other options are other rules.
  public var rulesNumber: UInt32 {
    switch granularity {
    case .line: MergeDriver.rulesNumber
    case .word: MergeDriver.rulesNumber + 1
    }
  }
}
