/// A hash that is the same on every device, for finding what may be equal; equality is always checked too.
///
/// Source: Glenn Fowler, Landon Curt Noll, Kiem-Phong Vo, "The FNV non-cryptographic hash algorithm".
struct JSONHash {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func combine(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  mutating func combine(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes { combine(byte) }
  }

  /// Takes in the hash of a part.
  mutating func combine(_ hash: UInt64) {
    value = (value ^ hash ^ hash >> 29) &* 0x9E37_79B9_7F4A_7C15
    value ^= value >> 32
  }
}
