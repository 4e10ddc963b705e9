/// A passage of a three-way merge by lines: which lines of the three texts belong together, and which are taken.
public struct MergeRegion: Hashable, Sendable {
  /// Where the merged lines come from.
  public enum Origin: Hashable, Sendable {
    /// The lines are alike in all three.
    case unchanged
    /// Only ours changed the lines.
    case ours
    /// Only theirs changed the lines.
    case theirs
    /// Both sides have the same lines in place of the base's.
    case both
    /// Both sides changed the lines, or neighbours, differently.
    case conflict
  }

  public let origin: Origin
  /// Lines, from 0.
  public let base: Range<Int>
  public let ours: Range<Int>
  public let theirs: Range<Int>

  public init(origin: Origin, base: Range<Int>, ours: Range<Int>, theirs: Range<Int>) {
    self.origin = origin
    self.base = base
    self.ours = ours
    self.theirs = theirs
  }
}
