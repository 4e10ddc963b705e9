internal import Hashing

extension ByteWriter {
  /// Writes a number so that the bytes order as the numbers do; 1 byte up to 240, 9 at the most.
  ///
  /// Source: SQLite4, "Variable-Length Integers", https://sqlite.org/src4/doc/trunk/www/varint.wiki.
  mutating func ordered(_ value: UInt64) {
    switch value {
    case ...240:
      u8(UInt8(value))
    case ...2287:
      u8(UInt8((value - 240) >> 8) + 241)
      u8(UInt8(truncatingIfNeeded: value - 240))
    case ...67_823:
      u8(249)
      bigEndian(value - 2288, byteCount: 2)
    default:
      let byteCount = max(3, (64 - value.leadingZeroBitCount + 7) / 8)
      u8(UInt8(247 + byteCount))
      bigEndian(value, byteCount: byteCount)
    }
  }

  /// Writes the low bytes of a number, the most significant one first.
  mutating func bigEndian(_ value: UInt64, byteCount: Int) {
    for place in stride(from: 8 * (byteCount - 1), through: 0, by: -8) {
      u8(UInt8(truncatingIfNeeded: value >> UInt64(place)))
    }
  }
}

extension ByteReader {
  /// Reads a number that ``ByteWriter/ordered(_:)`` wrote; a longer form than need be is refused.
  mutating func ordered() throws(DecodingFailure) -> UInt64 {
    let first = try u8()
    switch first {
    case ...240:
      return UInt64(first)
    case ...248:
      return 240 + UInt64(first - 241) << 8 + UInt64(try u8())
    case 249:
      return 2288 + (try bigEndian(byteCount: 2))
    default:
      let byteCount = Int(first) - 247
      let value = try bigEndian(byteCount: byteCount)
      guard value > 67_823, byteCount == 3 || value >> UInt64(8 * (byteCount - 1)) != 0 else { throw .malformedNumber }
      return value
    }
  }

  /// Reads so many bytes, at most eight, as a number, the most significant one first.
  mutating func bigEndian(byteCount: Int) throws(DecodingFailure) -> UInt64 {
    var value: UInt64 = 0
    for _ in 0..<byteCount { value = value << 8 | UInt64(try u8()) }
    return value
  }
}
