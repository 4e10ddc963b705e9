/// One part of a sealed pack's index: offsets of entries by the first eight bytes of their ids.
///
/// It is a view of mapped bytes: valid as long as they are.
struct PackIndex {
  private let bytes: UnsafeRawBufferPointer
  /// How many items there are.
  let count: Int

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    count = bytes.count / PackFooter.indexItemByteCount
  }

  func prefix(at place: Int) -> UInt64 {
    let start = place * PackFooter.indexItemByteCount
    return UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
  }

  func offset(at place: Int) -> UInt32 {
    let start = place * PackFooter.indexItemByteCount + 8
    return UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self))
  }

  /// The offsets of all entries whose ids begin so, ascending.
  ///
  /// - Complexity: O(log *n*)
  func offsets(prefix wanted: UInt64) -> [UInt64] {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if prefix(at: middle) < wanted { low = middle + 1 } else { high = middle }
    }
    var offsets: [UInt64] = []
    while low < count, prefix(at: low) == wanted {
      offsets.append(UInt64(offset(at: low)))
      low += 1
    }
    return offsets
  }
}
