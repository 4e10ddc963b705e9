/// Which part of the input a match may lie in, as a window of 64 KiB would have it that moves on by half.
///
/// The input is all in memory; the window only decides. What it decides changes the result: its first byte is never part
/// of a match, and a block that it no longer holds whole isn't stored.
struct SlidingWindow {
  static let size = 32_768
  /// So many bytes are known ahead, unless the input ends.
  static let lookahead = 262
  /// The greatest distance of a match.
  static let reach = size - lookahead

  let bytes: UnsafePointer<UInt8>
  var position = 0
  /// Where the window begins.
  var start = 0
  /// Where the window ends: what was read.
  var end = 0
  var blockStart = 0
  /// Where the bytes to compress now end.
  var segmentEnd = 0
  /// So many bytes before the position aren't in the hash table yet, for want of bytes behind them.
  var missing = 0

  /// Reads on, and moves the window where it is full.
  mutating func fill(_ table: MatchTable) {
    repeat {
      var room = 2 * Self.size - (end - start)
      if position - start >= Self.size + Self.reach {
        start += Self.size
        room += Self.size
      }
      guard end < segmentEnd else { return }
      end += min(room, segmentEnd - end)
      var place = position - missing
      while missing > 0 && end - position + missing >= 3 {
        _ = table.insert(bytes, place)
        place += 1
        missing -= 1
      }
    } while end - position < Self.lookahead && end < segmentEnd
  }

  /// The bytes of the block up to the position, if the window still holds its beginning.
  var block: (content: UnsafePointer<UInt8>?, byteCount: Int) {
    (blockStart >= start ? bytes + blockStart : nil, position - blockStart)
  }

  /// Forgets all bytes so far.
  mutating func forget() {
    start = position
    blockStart = position
    missing = 0
  }
}

/// Where three bytes with the same hash occurred last, and before that.
struct MatchTable {
  private let heads: UnsafeMutablePointer<Int32>
  private let previous: UnsafeMutablePointer<Int32>
  private let headCount: Int
  private let shift: Int
  private let owned: [FixedMemory<Int32>]

  init(memoryLevel: Int) {
    headCount = 1 << (memoryLevel + 7)
    shift = (memoryLevel + 7 + 2) / 3
    owned = [
      FixedMemory(count: headCount, repeating: 0), FixedMemory(count: SlidingWindow.size, repeating: 0),
    ]
    heads = owned[0].start
    previous = owned[1].start
  }

  func clear() {
    heads.update(repeating: 0, count: headCount)
  }

  /// Enters a place, and returns the last one before with the same hash, or 0.
  @inline(__always)
  func insert(_ bytes: UnsafePointer<UInt8>, _ place: Int) -> Int {
    let first = Int(bytes[place]) &<< (2 &* shift)
    let hash = (first ^ Int(bytes[place &+ 1]) &<< shift ^ Int(bytes[place &+ 2])) & (headCount &- 1)
    let last = heads[hash]
    previous[place & (SlidingWindow.size &- 1)] = last
    heads[hash] = Int32(truncatingIfNeeded: place)
    return Int(last)
  }

  /// The place before this one with the same hash, or 0 or any that is out of reach.
  @inline(__always)
  func before(_ place: Int) -> Int {
    Int(previous[place & (SlidingWindow.size &- 1)])
  }
}
