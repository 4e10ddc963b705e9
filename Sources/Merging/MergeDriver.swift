/// Chooses how contents are merged automatically.
///
/// The answer is a pure function of the bytes, the same on every device, and the same when the sides are swapped. Whatever
/// changes an answer gets a new ``rulesNumber``.
public enum MergeDriver {
  /// The number of these rules, which every automatic merge records.
  ///
  /// Source: docs/format.md, "Version record".
  public static let rulesNumber: UInt32 = 1

  /// Merges the contents of one document, or returns `nil` where someone has to choose.
  public static func mergeContents(base: [UInt8], ours: [UInt8], theirs: [UInt8]) -> [UInt8]? {
    guard case .clean(let content) = TextMerge.merge(base: base, ours: ours, theirs: theirs) else {
      return nil
    }
    return content
  }
}
