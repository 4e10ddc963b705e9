/// How the bytes of an object are stored.
///
/// Source: docs/format.md, "Encodings".
public enum ObjectEncoding: UInt8, Hashable, Sendable {
  /// As they are.
  case raw = 0
  /// As a raw deflate stream.
  case deflate = 1
  /// As pieces of another object's bytes and what is new.
  case delta = 2
}
