/// A fast hash over eight bytes at a time. It is no identity: whoever uses it compares the bytes, too.
struct LineHash {
  private var state: UInt64 = 0x243F_6A88_85A3_08D3

  mutating func combine(_ word: UInt64) {
    state = ((state << 5 | state >> 59) ^ word) &* 0x9E37_79B9_7F4A_7C15
  }

  /// The hash of everything combined, with its length: zero bytes at the end count.
  func finished(byteCount: Int) -> UInt64 {
    var mixed = state ^ UInt64(truncatingIfNeeded: byteCount)
    mixed = (mixed ^ mixed >> 32) &* 0xBF58_476D_1CE4_E5B9
    return mixed ^ mixed >> 29
  }

  /// The hash of a string whose length is known.
  static func hash(_ start: UnsafeRawPointer, byteCount: Int) -> UInt64 {
    var hash = LineHash()
    var offset = 0
    while offset + 8 <= byteCount {
      hash.combine(UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    if offset < byteCount {
      var word: UInt64 = 0
      for index in offset..<byteCount {
        word |= UInt64(start.load(fromByteOffset: index, as: UInt8.self)) << UInt64((index - offset) * 8)
      }
      hash.combine(word)
    }
    return hash.finished(byteCount: byteCount)
  }
}
