import CZlib

/// The cyclic redundancy check with the polynomial of Castagnoli, in reflected form: 0x82F63B78.
///
/// Source: RFC 3720, appendix B.4; eight bytes a step as by Kounavis and Berry, "Novel Table Lookup-Based Algorithms for
/// High-Performance CRC Generation" (2008).
public enum CRC32C {
  /// Table `k` of 256 numbers holds the remainders of a byte followed by `k` zero bytes.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var remainder = UInt32(byte)
      for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 0 ? 0 : 0x82F6_3B78) }
      tables[byte] = remainder
    }
    for index in 256..<(8 * 256) {
      let shorter = tables[index - 256]
      tables[index] = shorter >> 8 ^ tables[Int(shorter & 0xFF)]
    }
    return tables
  }()

  /// The checksum of bytes, or of all bytes so far where `continuing` is the checksum of those before.
  public static func checksum(_ bytes: UnsafeRawBufferPointer, continuing: UInt32 = 0) -> UInt32 {
    guard let start = bytes.baseAddress else { return continuing }
    if czlib_has_crc32c() != 0 {
      return ~czlib_crc32c(~continuing, start.assumingMemoryBound(to: UInt8.self), UInt(bytes.count))
    }
    return checksumByTables(bytes, continuing: continuing)
  }

  /// The same on processors without an instruction for it.
  static func checksumByTables(_ bytes: UnsafeRawBufferPointer, continuing: UInt32 = 0) -> UInt32 {
    guard let start = bytes.baseAddress else { return continuing }
    return tables.withUnsafeBufferPointer { buffer in
      guard let table = buffer.baseAddress else { preconditionFailure("the tables are not empty") }
      var remainder = ~continuing
      var position = 0
      while bytes.count &- position >= 8 {
        let word =
          UInt64(littleEndian: start.loadUnaligned(fromByteOffset: position, as: UInt64.self)) ^ UInt64(remainder)
        remainder = step(word, table)
        position &+= 8
      }
      while position < bytes.count {
        let byte = start.load(fromByteOffset: position, as: UInt8.self)
        remainder = remainder &>> 8 ^ table[Int((remainder ^ UInt32(byte)) & 0xFF)]
        position &+= 1
      }
      return ~remainder
    }
  }

  @inline(__always)
  private static func step(_ word: UInt64, _ table: UnsafePointer<UInt32>) -> UInt32 {
    let first = table[1792 &+ Int(word & 0xFF)] ^ table[1536 &+ Int(word &>> 8 & 0xFF)]
    let second = table[1280 &+ Int(word &>> 16 & 0xFF)] ^ table[1024 &+ Int(word &>> 24 & 0xFF)]
    let third = table[768 &+ Int(word &>> 32 & 0xFF)] ^ table[512 &+ Int(word &>> 40 & 0xFF)]
    let fourth = table[256 &+ Int(word &>> 48 & 0xFF)] ^ table[Int(word &>> 56)]
    return first ^ second ^ third ^ fourth
  }
}
