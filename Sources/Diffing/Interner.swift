/// Numbers byte strings: equal strings get the same number, in the order of their first appearance.
///
/// The strings are not copied: whoever uses it keeps the memory alive until it is done.
struct Interner {
  /// The number of distinct strings seen.
  private(set) var count = 0

  private struct Entry {
    let start: UnsafeRawPointer
    let byteCount: Int
    let hash: UInt64
  }

  private var entries: [Entry] = []
  // Open addressing: an entry's number plus one, zero where the slot is free.
  private var slots: [Int32]

  init(expecting expected: Int) {
    var capacity = 64
    while capacity < expected &* 2 && capacity < 1 << 20 { capacity *= 2 }
    slots = [Int32](repeating: 0, count: capacity)
    entries.reserveCapacity(min(expected, 1 << 16))
  }

  /// Returns the number of a string whose hash, by ``LineHash``, is known.
  mutating func number(of start: UnsafeRawPointer, byteCount: Int, hash: UInt64) -> Int32 {
    if entries.count &* 2 >= slots.count { grow() }
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      let entry = entries[Int(slots[slot]) - 1]
      if entry.hash == hash && entry.byteCount == byteCount
        && Self.areEqual(entry.start, start, byteCount: byteCount)
      {
        return slots[slot] - 1
      }
      slot = (slot + 1) & mask
    }
    let number = Int32(entries.count)
    entries.append(Entry(start: start, byteCount: byteCount, hash: hash))
    slots[slot] = number + 1
    count = entries.count
    return number
  }

  private mutating func grow() {
    let capacity = slots.count * 2
    var larger = [Int32](repeating: 0, count: capacity)
    for (number, entry) in entries.enumerated() {
      var slot = Int(truncatingIfNeeded: entry.hash) & (capacity - 1)
      while larger[slot] != 0 { slot = (slot + 1) & (capacity - 1) }
      larger[slot] = Int32(number) + 1
    }
    slots = larger
  }

  private static func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, byteCount: Int) -> Bool {
    var offset = 0
    while offset + 8 <= byteCount {
      if a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        != b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      {
        return false
      }
      offset += 8
    }
    while offset < byteCount {
      if a.load(fromByteOffset: offset, as: UInt8.self) != b.load(fromByteOffset: offset, as: UInt8.self) {
        return false
      }
      offset += 1
    }
    return true
  }
}
