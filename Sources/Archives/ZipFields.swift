/// Little-endian numbers in bytes that come from anywhere: every access is checked.
struct ZipFields: Sendable {
  let bytes: [UInt8]

  func number(at offset: Int, _ byteCount: Int) throws(ZipError) -> UInt64 {
    guard offset >= 0, offset <= bytes.count, bytes.count - offset >= byteCount else {
      throw .malformed(offset: max(0, min(offset, bytes.count)))
    }
    var value: UInt64 = 0
    for index in (0..<byteCount).reversed() { value = value << 8 | UInt64(bytes[offset + index]) }
    return value
  }

  func short(at offset: Int) throws(ZipError) -> UInt16 {
    UInt16(truncatingIfNeeded: try number(at: offset, 2))
  }

  func word(at offset: Int) throws(ZipError) -> UInt32 {
    UInt32(truncatingIfNeeded: try number(at: offset, 4))
  }

  /// The range that begins at an offset, if the bytes hold it.
  func range(at offset: Int, _ byteCount: UInt64) throws(ZipError) -> Range<Int> {
    guard offset >= 0, offset <= bytes.count, byteCount <= UInt64(bytes.count - offset) else {
      throw .malformed(offset: max(0, min(offset, bytes.count)))
    }
    return offset..<(offset + Int(byteCount))
  }

  /// A number as an offset, if it lies within the bytes.
  func offset(_ value: UInt64, at place: Int) throws(ZipError) -> Int {
    guard value <= UInt64(bytes.count) else { throw .malformed(offset: place) }
    return Int(value)
  }
}

extension [UInt8] {
  /// Appends a number, its lowest byte first.
  mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
    for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> Number(shift)))
    }
  }

  /// Replaces bytes by a number, its lowest byte first.
  mutating func replace<Number: FixedWidthInteger>(at offset: Int, littleEndian number: Number) {
    for index in 0..<(Number.bitWidth / 8) {
      self[offset + index] = UInt8(truncatingIfNeeded: number >> Number(8 * index))
    }
  }
}

/// The signatures of the records of a zip archive.
enum ZipSignature {
  static let localHeader: UInt32 = 0x0403_4B50
  static let descriptor: UInt32 = 0x0807_4B50
  static let directoryEntry: UInt32 = 0x0201_4B50
  static let end: UInt32 = 0x0605_4B50
  static let end64: UInt32 = 0x0606_4B50
  static let locator64: UInt32 = 0x0706_4B50
}
