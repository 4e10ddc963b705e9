/// Writes the encodings of docs/format.md, "Conventions".
public struct ByteWriter: Sendable {
  public private(set) var bytes: [UInt8] = []

  public init(capacity: Int = 256) {
    bytes.reserveCapacity(capacity)
  }

  /// Begins anew in the same memory.
  public mutating func restart() { bytes.removeAll(keepingCapacity: true) }

  public mutating func u8(_ value: UInt8) { bytes.append(value) }

  public mutating func u16(_ value: UInt16) { withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) } }

  public mutating func u32(_ value: UInt32) { withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) } }

  public mutating func u64(_ value: UInt64) { withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) } }

  /// An unsigned LEB128 number in its shortest form.
  public mutating func varint(_ value: UInt64) {
    if value < 0x80 { return bytes.append(UInt8(truncatingIfNeeded: value)) }
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// A signed number.
  public mutating func zigzag(_ value: Int64) {
    varint(UInt64(bitPattern: value << 1 ^ value >> 63))
  }

  /// Bytes as they are.
  public mutating func raw(_ value: some Sequence<UInt8>) { bytes.append(contentsOf: value) }

  // What is written most often must not go through a generic function of another module.

  /// Bytes as they are.
  public mutating func raw(_ value: [UInt8]) { bytes.append(contentsOf: value) }

  /// Bytes behind their length.
  public mutating func bytes(_ value: [UInt8]) {
    varint(UInt64(value.count))
    raw(value)
  }

  /// Bytes as they are.
  public mutating func raw(_ value: UnsafeRawBufferPointer) { bytes.append(contentsOf: value) }

  /// Bytes behind their length.
  public mutating func bytes(_ value: some Collection<UInt8>) {
    varint(UInt64(value.count))
    raw(value)
  }

  /// A digest of 32 bytes.
  public mutating func id(_ value: ObjectID) { value.append(to: &bytes) }
}
