/// Why bytes from outside are no valid encoding.
public enum DecodingFailure: Error, Equatable, Sendable {
  /// The bytes end before the value does.
  case truncated
  /// A variable-length number is longer than need be, or than 64 bits.
  case malformedNumber
  /// A length, count or number is beyond what the format allows.
  case limitExceeded
  /// A field has a value that the format doesn't know or allow.
  case invalidValue
  /// Bytes are left over.
  case trailingBytes
  /// A newer format.
  case unsupportedFormat(UInt64)
}
