/// A passage cut into words, each with a number that equal words share.
struct WordTable {
  let bytes: [UInt8]
  let ids: [Int32]
  private let offsets: [Int]

  private enum Kind {
    case letter
    case blank
    case single
  }

  /// Cuts two passages that are compared with each other.
  static func tables(old: [UInt8], new: [UInt8]) -> (old: WordTable, new: WordTable) {
    var interner = Interner(expecting: (old.count + new.count) / 4 + 16)
    return old.withUnsafeBytes { oldBuffer in
      new.withUnsafeBytes { newBuffer in
        (
          WordTable(old, oldBuffer, interner: &interner),
          WordTable(new, newBuffer, interner: &interner)
        )
      }
    }
  }

  private init(_ bytes: [UInt8], _ buffer: UnsafeRawBufferPointer, interner: inout Interner) {
    self.bytes = bytes
    var ids: [Int32] = []
    var offsets = [0]
    if let base = buffer.baseAddress {
      var start = 0
      while start < buffer.count {
        let kind = Self.kind(of: buffer[start])
        var end = start + 1
        while kind != .single, end < buffer.count, Self.kind(of: buffer[end]) == kind { end += 1 }
        let hash = LineHash.hash(base + start, byteCount: end - start)
        ids.append(interner.number(of: base + start, byteCount: end - start, hash: hash))
        offsets.append(end)
        start = end
      }
    }
    self.ids = ids
    self.offsets = offsets
  }

  /// The bytes of consecutive words.
  func bytes(ofWords words: Range<Int>) -> ArraySlice<UInt8> {
    bytes[offsets[words.lowerBound]..<offsets[words.upperBound]]
  }

  private static func kind(of byte: UInt8) -> Kind {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A, 0x80...0xFF: .letter
    case 0x20, 0x09: .blank
    default: .single
    }
  }
}
