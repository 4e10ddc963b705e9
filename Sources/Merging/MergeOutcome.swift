/// What a three-way merge of contents came to.
public enum MergeOutcome: Equatable, Sendable {
  /// The merged bytes.
  case clean([UInt8])
  /// Someone has to choose.
  ///
  /// `count` is the number of places, at least 1, as `git merge-file` counts them. `regions` are these places; there are
  /// none where the contents are not text: then the whole is one conflict.
  case conflict(count: Int, regions: [MergeRegion])
}
