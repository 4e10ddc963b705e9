/// The part of a sealed pack's index that lists its blocks, ascending: `u32` offset, `u8` members less one.
///
/// The offset of a block stands for its first member, one more for each other: that never meets another entry, since a
/// block has more bytes than members. It is a view of mapped bytes: valid as long as they are.
struct PackBlocks {
  private let bytes: UnsafeRawBufferPointer
  /// How many blocks there are.
  let count: Int

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    count = bytes.count / PackFooter.blockItemByteCount
  }

  func offset(at place: Int) -> UInt64 {
    let start = place * PackFooter.blockItemByteCount
    return UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self)))
  }

  func memberCount(at place: Int) -> Int { Int(bytes[place * PackFooter.blockItemByteCount + 4]) + 1 }

  /// The block one of whose members an offset stands for.
  ///
  /// - Complexity: O(log *n*)
  func block(holding wanted: UInt64) -> (offset: UInt64, memberCount: Int)? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if offset(at: middle) <= wanted { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let start = offset(at: low - 1)
    let members = memberCount(at: low - 1)
    return start <= wanted && wanted - start < UInt64(members) ? (start, members) : nil
  }

  func block(startingAt wanted: UInt64) -> (offset: UInt64, memberCount: Int)? {
    guard let found = block(holding: wanted), found.offset == wanted else { return nil }
    return found
  }
}
