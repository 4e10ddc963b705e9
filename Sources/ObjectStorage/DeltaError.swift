public import Deflate

/// Why bytes are no delta of an object of the expected length against the base.
public enum DeltaError: Error, Equatable, Sendable {
  /// The delta ends before its edits do.
  case truncated
  /// A number is longer than need be or beyond what any delta holds, or an edit does nothing.
  case malformed
  /// An edit copies from outside the base.
  case outsideBase
  /// The pieces make up more or less than the expected length.
  case wrongLength
  /// The inserted bytes cannot be inflated.
  case inserted(DeflateError)
}
