/// Why bytes are no deflate stream of the expected length.
public enum DeflateError: Error, Equatable, Sendable {
  /// The bytes break the rules of deflate, or refer to bytes before the dictionary.
  case malformed
  /// The stream has no end.
  case truncated
  /// The stream inflates to another number of bytes.
  case wrongLength
  /// Bytes follow the end of the stream.
  case trailingBytes
  /// The input or the output is longer than 2 GiB.
  case tooLong
}
