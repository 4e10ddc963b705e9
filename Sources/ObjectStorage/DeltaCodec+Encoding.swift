public import Deflate

extension DeltaCodec {
  /// The content as a delta against `base`; it can be longer than the content where the two have little in common.
  public static func encode(
    _ new: UnsafeRawBufferPointer, base: UnsafeRawBufferPointer, deflater: Deflater
  ) -> [UInt8] {
    []
  }
}
