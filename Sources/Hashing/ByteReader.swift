/// Reads the encodings of docs/format.md, "Conventions", from the front of some bytes.
///
/// Every length is checked against what is left before anything is copied.
public struct ByteReader: Sendable {
  private let bytes: [UInt8]
  private let end: Int
  /// The position of the next byte in the array that the reader was made with.
  public private(set) var offset: Int

  /// Reads a whole array.
  public init(_ bytes: [UInt8]) {
    self.init(bytes, in: 0..<bytes.count)
  }

  /// Reads a range of an array; a range beyond the array is clipped to it.
  public init(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    offset = min(max(range.lowerBound, 0), bytes.count)
    end = min(max(range.upperBound, offset), bytes.count)
  }

  public var remaining: Int { end - offset }

  public var isAtEnd: Bool { offset == end }

  public mutating func u8() throws(DecodingFailure) -> UInt8 {
    guard offset < end else { throw .truncated }
    defer { offset += 1 }
    return bytes[offset]
  }

  public mutating func u16() throws(DecodingFailure) -> UInt16 { UInt16(try littleEndian(byteCount: 2)) }

  public mutating func u32() throws(DecodingFailure) -> UInt32 { UInt32(try littleEndian(byteCount: 4)) }

  public mutating func u64() throws(DecodingFailure) -> UInt64 { try littleEndian(byteCount: 8) }

  private mutating func littleEndian(byteCount: Int) throws(DecodingFailure) -> UInt64 {
    guard remaining >= byteCount else { throw .truncated }
    var value: UInt64 = 0
    for place in 0..<byteCount { value |= UInt64(bytes[offset + place]) << UInt64(8 * place) }
    offset += byteCount
    return value
  }

  /// An unsigned LEB128 number in its shortest form.
  public mutating func varint() throws(DecodingFailure) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try u8()
      if shift == 63 && byte > 1 { throw .malformedNumber }
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 {
        if byte == 0 && shift > 0 { throw .malformedNumber }
        return value
      }
      shift += 7
      if shift > 63 { throw .malformedNumber }
    }
  }

  /// A number of at most `limit`.
  public mutating func varint(limit: UInt64) throws(DecodingFailure) -> UInt64 {
    let value = try varint()
    guard value <= limit else { throw .limitExceeded }
    return value
  }

  /// A signed number.
  public mutating func zigzag() throws(DecodingFailure) -> Int64 {
    let value = try varint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// So many bytes as they are.
  public mutating func raw(_ count: Int) throws(DecodingFailure) -> [UInt8] {
    guard count >= 0, remaining >= count else { throw .truncated }
    defer { offset += count }
    return Array(bytes[offset..<offset + count])
  }

  /// Bytes behind their length, which is at most `limit`.
  public mutating func bytes(limit: Int) throws(DecodingFailure) -> [UInt8] {
    let count = try varint(limit: UInt64(max(limit, 0)))
    return try raw(Int(count))
  }

  /// A digest of 32 bytes.
  public mutating func id() throws(DecodingFailure) -> ObjectID {
    guard let id = ObjectID(digest: try raw(ObjectID.byteCount)) else { throw .truncated }
    return id
  }

  /// Refuses bytes that are left.
  public func finish() throws(DecodingFailure) {
    guard isAtEnd else { throw .trailingBytes }
  }
}
