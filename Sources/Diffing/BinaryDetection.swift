/// Tells content that is compared by lines from content that is not.
public enum BinaryDetection {
  /// Whether there is a zero byte anywhere: such content is not text.
  ///
  /// UTF-16 and UTF-32 count as binary. Empty content is text.
  public static func isBinary(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var offset = 0
      while offset + 8 <= buffer.count {
        let word = buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        if (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0 { return true }
        offset += 8
      }
      while offset < buffer.count {
        if buffer[offset] == 0 { return true }
        offset += 1
      }
      return false
    }
  }
}
