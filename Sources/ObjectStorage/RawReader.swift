import Hashing

/// Reads the encodings of docs/format.md, "Conventions", from mapped bytes without copying them.
struct RawReader {
  private let bytes: UnsafeRawBufferPointer
  private(set) var offset: Int
  let end: Int

  /// Reads a range; what lies beyond the buffer is clipped.
  init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) {
    self.bytes = bytes
    offset = min(max(range.lowerBound, 0), bytes.count)
    end = min(max(range.upperBound, offset), bytes.count)
  }

  var remaining: Int { end - offset }

  mutating func u8() throws(DecodingFailure) -> UInt8 {
    guard offset < end else { throw .truncated }
    defer { offset += 1 }
    return bytes[offset]
  }

  mutating func u16() throws(DecodingFailure) -> UInt16 { UInt16(littleEndian: try load()) }

  mutating func u32() throws(DecodingFailure) -> UInt32 { UInt32(littleEndian: try load()) }

  mutating func u64() throws(DecodingFailure) -> UInt64 { UInt64(littleEndian: try load()) }

  private mutating func load<T: FixedWidthInteger & BitwiseCopyable>() throws(DecodingFailure) -> T {
    let size = MemoryLayout<T>.size
    guard remaining >= size else { throw .truncated }
    defer { offset += size }
    return bytes.loadUnaligned(fromByteOffset: offset, as: T.self)
  }

  mutating func varint() throws(DecodingFailure) -> UInt64 {
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

  mutating func id() throws(DecodingFailure) -> ObjectID {
    guard let id = ObjectID(digestAt: UnsafeRawBufferPointer(rebasing: bytes[offset..<end])) else { throw .truncated }
    offset += ObjectID.byteCount
    return id
  }

  /// So many bytes, copied.
  mutating func raw(_ count: UInt64) throws(DecodingFailure) -> [UInt8] {
    guard count <= UInt64(remaining) else { throw .truncated }
    defer { offset += Int(count) }
    return Array(bytes[offset..<offset + Int(count)])
  }
}
