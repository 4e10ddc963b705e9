public import Deflate

/// Why bytes are no delta of an object of the expected length against the base.
public enum DeltaError: Error, Equatable, Sendable {
  /// The delta ends before its edits do.
  case truncated
  /// A number is longer than need be, or beyond 64 bits.
  case malformed
  /// An edit copies from outside the base.
  case outsideBase
  /// The pieces make up more or less than the expected length, or it is beyond what an object may have.
  case wrongLength
  /// The inserted bytes cannot be inflated.
  case inserted(DeflateError)
}
