/// Finds the pieces that a content has in common with a similar one.
///
/// Equal beginnings and ends are set aside first. In what is left a piece of the base is worth copying from 48 bytes
/// on: below that a match with the dictionary is shorter. Pieces are looked for where the base is expected to go on,
/// then through a table of every fourth position of the base.
struct DeltaMatcher {
  private static let leastCopy = 48
  /// With both middles this short, moved text is looked for nearby only.
  private static let shortMiddle = 4096
  private static let neighbourhood = 16 << 10

  private struct Copy {
    var newStart: Int
    var oldStart: Int
    var byteCount: Int
    var newEnd: Int { newStart + byteCount }
    var oldEnd: Int { oldStart + byteCount }
  }

  private let new: UnsafeRawPointer
  private let old: UnsafeRawPointer
  private let oldCount: Int
  /// The end of what is looked for: where the common end begins in the new content.
  private let newLimit: Int
  private var copies: [Copy]

  /// The edits that make `new` from `old`; what follows the last one is the base's end.
  static func edits(making new: UnsafeRawBufferPointer, from old: UnsafeRawBufferPointer) -> [DeltaEdit] {
    guard let newStart = new.baseAddress, let oldStart = old.baseAddress, new.count > 0, old.count > 0 else {
      guard new.count > 0 else { return [] }
      return [DeltaEdit(copyStart: 0, copyByteCount: 0, insertByteCount: new.count, next: old.count)]
    }
    let shorter = min(new.count, old.count)
    let suffix = commonEnd(newStart + new.count, oldStart + old.count, limit: shorter)
    if suffix == new.count { return [] }
    let prefix = commonStart(newStart, oldStart, limit: shorter - suffix)
    var matcher = DeltaMatcher(
      new: newStart, old: oldStart, oldCount: old.count, newLimit: new.count - suffix,
      copies: [Copy(newStart: 0, oldStart: 0, byteCount: prefix)])
    matcher.findMiddle(oldLimit: old.count - suffix)
    matcher.copies.append(Copy(newStart: new.count - suffix, oldStart: old.count - suffix, byteCount: suffix))
    return zip(matcher.copies, matcher.copies.dropFirst()).map { copy, next in
      DeltaEdit(
        copyStart: copy.oldStart, copyByteCount: copy.byteCount, insertByteCount: next.newStart - copy.newEnd,
        next: next.oldStart)
    }
  }

  private mutating func findMiddle(oldLimit: Int) {
    let start = copies[0].newEnd
    guard newLimit - start >= Self.leastCopy else { return }
    var indexed = 0..<oldCount
    if max(newLimit, oldLimit) - start < Self.shortMiddle {
      indexed = max(0, start - Self.neighbourhood)..<min(oldCount, oldLimit + Self.neighbourhood)
    }
    guard indexed.count >= Self.leastCopy else { return }
    let positions = indexed.count / 4
    let bits = min(20, max(10, Int.bitWidth - positions.leadingZeroBitCount))
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 1 << bits) { table in
      guard let table = table.baseAddress else { return }
      table.initialize(repeating: 0, count: 1 << bits)
      let shift = UInt64(64 - bits)
      fill(table, shift: shift, in: indexed)
      find(from: start, table, shift: shift)
    }
  }

  /// The table holds positions of the base plus one, 0 for none; of equal hashes the last position stays.
  private func fill(_ table: UnsafeMutablePointer<UInt32>, shift: UInt64, in range: Range<Int>) {
    var position = range.lowerBound
    let end = range.upperBound &- 12
    while position <= end {
      table[Self.hash(old + position, shift: shift)] = UInt32(truncatingIfNeeded: position &+ 1)
      position &+= 4
    }
  }

  private mutating func find(from start: Int, _ table: UnsafeMutablePointer<UInt32>, shift: UInt64) {
    var position = start
    var last = copies[0]
    var misses = 0
    while position <= newLimit &- Self.leastCopy {
      // A replacement by something of the same length leaves the base where it would be without it.
      var found = extend(newAt: position, oldAt: last.oldEnd &+ (position &- last.newEnd), after: last)
      if found == nil {
        let candidate = table[Self.hash(new + position, shift: shift)]
        if candidate > 0 { found = extend(newAt: position, oldAt: Int(candidate) &- 1, after: last) }
      }
      if let copy = found {
        copies.append(copy)
        last = copy
        position = copy.newEnd
        misses = 0
      } else {
        // Where nothing is alike for long, odd steps still meet one of every fourth position of any longer piece.
        position &+= 1 &+ 2 &* min(misses &>> 11, 15)
        misses &+= 1
      }
    }
  }

  /// The longest common piece around two positions, or `nil` where it is not worth a copy.
  @inline(__always)
  private func extend(newAt newPosition: Int, oldAt oldPosition: Int, after last: Copy) -> Copy? {
    guard oldPosition >= 0, oldPosition <= oldCount &- 8 else { return nil }
    guard Self.word(new + newPosition) == Self.word(old + oldPosition) else { return nil }
    let forward = Self.commonStart(
      new + newPosition, old + oldPosition, limit: min(newLimit &- newPosition, oldCount &- oldPosition))
    let backward = Self.commonEnd(
      new + newPosition, old + oldPosition, limit: min(newPosition &- last.newEnd, oldPosition))
    guard forward &+ backward >= Self.leastCopy else { return nil }
    return Copy(
      newStart: newPosition &- backward, oldStart: oldPosition &- backward, byteCount: forward &+ backward)
  }
}

extension DeltaMatcher {
  @inline(__always)
  private static func word(_ pointer: UnsafeRawPointer) -> UInt64 {
    UInt64(littleEndian: pointer.loadUnaligned(as: UInt64.self))
  }

  /// A hash of twelve bytes, of 64 less `shift` bits.
  @inline(__always)
  private static func hash(_ pointer: UnsafeRawPointer, shift: UInt64) -> Int {
    let first = word(pointer) &* 0x9E37_79B9_7F4A_7C15
    let second = word(pointer + 4) &* 0xC2B2_AE3D_27D4_EB4F
    return Int(truncatingIfNeeded: ((first ^ second &>> 29) &* 0xBF58_476D_1CE4_E5B9) &>> shift)
  }

  /// How many bytes from two pointers on are equal.
  @inline(__always)
  static func commonStart(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, limit: Int) -> Int {
    var count = 0
    while limit &- count >= 8 {
      let difference = word(left + count) ^ word(right + count)
      if difference != 0 { return count &+ difference.trailingZeroBitCount &>> 3 }
      count &+= 8
    }
    while count < limit,
      left.load(fromByteOffset: count, as: UInt8.self) == right.load(fromByteOffset: count, as: UInt8.self)
    {
      count &+= 1
    }
    return count
  }

  /// How many bytes up to two pointers are equal.
  @inline(__always)
  static func commonEnd(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, limit: Int) -> Int {
    var count = 0
    while limit &- count >= 8 {
      let difference = word(left - count - 8) ^ word(right - count - 8)
      if difference != 0 { return count &+ difference.leadingZeroBitCount &>> 3 }
      count &+= 8
    }
    while count < limit,
      left.load(fromByteOffset: ~count, as: UInt8.self) == right.load(fromByteOffset: ~count, as: UInt8.self)
    {
      count &+= 1
    }
    return count
  }
}
