public import Deflate

extension DeltaCodec {
  /// The `byteCount` bytes that a delta makes of its base.
  ///
  /// Nothing is allocated before the lengths are found to agree, and then `byteCount` bytes and the dictionary.
  public static func decode(
    _ delta: UnsafeRawBufferPointer, base: UnsafeRawBufferPointer, byteCount: Int, inflater: Inflater
  ) throws(DeltaError) -> [UInt8] {
    throw .malformed
  }
}
