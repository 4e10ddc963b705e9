public import Hashing

/// What a device merges with (R9).
public struct MergeRules {
  /// The content of a clean merge.
  public typealias Content = (content: ObjectID, size: UInt64)
  /// Merges the contents of two files, or two packages, over a base of the same kind; `nil` where it isn't clean, or a
  /// content isn't at hand.
  ///
  /// A pure function of the contents, given the number of the rules. Of the two sides the one with the smaller id comes
  /// first. Called at most once for each base and pair of heads in one run.
  public typealias ContentMerge = (_ base: Version, _ ours: Version, _ theirs: Version) -> Content?

  /// The number of the rules that merged contents follow, at least 1.
  public var number: UInt32
  /// Whether contents are combined; `false` for `--no-merge`, which merges only where each side changed something and
  /// every field changed on one side only, or alike.
  public var combinesContents: Bool
  public var mergeContents: ContentMerge
  /// The identity of an automatic merge.
  public var name: (VersionRecord) -> RecordID

  public init(
    number: UInt32, combinesContents: Bool = true, mergeContents: @escaping ContentMerge,
    name: @escaping (VersionRecord) -> RecordID = { Record.version($0).id }
  ) {
    precondition(number > 0, "0 is no number of merge rules")
    self.number = number
    self.combinesContents = combinesContents
    self.mergeContents = mergeContents
    self.name = name
  }
}
