internal import CZlib

/// The cyclic redundancy check of zip, gzip and PNG: polynomial 0x04C11DB7, in reflected form 0xEDB88320.
///
/// Source: RFC 1952, section 8.
public enum CRC32 {
  /// The checksum of bytes, or of all bytes so far where `continuing` is the checksum of those before.
  public static func checksum(_ bytes: UnsafeRawBufferPointer, continuing: UInt32 = 0) -> UInt32 {
    guard let start = bytes.baseAddress else { return continuing }
    return UInt32(
      truncatingIfNeeded: crc32_z(UInt(continuing), start.assumingMemoryBound(to: UInt8.self), bytes.count))
  }

  /// The checksum of bytes.
  public static func checksum(_ bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBytes { checksum($0) }
  }
}
