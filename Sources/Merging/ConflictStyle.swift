/// What stands between conflict markers.
public enum ConflictStyle: Hashable, Sendable {
  /// Both sides, as narrow as possible: lines that both share stand outside.
  case merge
  /// Both sides and between them the base, as wide as the changes.
  case diff3
  /// Both sides and the base; only the first and last lines that both sides share stand outside.
  case zdiff3
}
