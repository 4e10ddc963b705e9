/// What a three-way merge of contents came to.
public enum MergeOutcome: Equatable, Sendable {
  /// The merged bytes.
  case clean([UInt8])
  /// Someone has to choose.
  ///
  /// `count` is the number of places, at least 1, as `git merge-file` counts them. `regions` are these places; there are
  /// none where the contents are not text: then the whole is one conflict.
  case conflict(count: Int, regions: [MergeRegion])
  /// Someone has to choose, and no passage says where.
  case refused(MergeRefusal)

  /// The merged bytes of a clean merge.
  public var content: [UInt8]? {
    if case .clean(let content) = self { content } else { nil }
  }
}
