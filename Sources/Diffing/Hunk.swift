/// One place where two sequences differ: the elements of `old` were replaced by those of `new`.
///
/// Either range may be empty, never both. Between two hunks lies at least one common element.
public struct Hunk: Hashable, Sendable {
  /// The replaced positions, counted from 0.
  public let old: Range<Int>
  /// The positions that took their place.
  public let new: Range<Int>

  public init(old: Range<Int>, new: Range<Int>) {
    self.old = old
    self.new = new
  }
}
