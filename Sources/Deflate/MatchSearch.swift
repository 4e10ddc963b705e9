/// The search for matches, step by step as zlib makes it.
///
/// Source: "deflate.c" of zlib 1.2.13: longest match, greedy and lazy evaluation.
struct MatchSearch {
  private let table: MatchTable
  private let goodLength: Int
  private let lazyLength: Int
  private let niceLength: Int
  private let chainLength: Int

  /// The greatest length of a match.
  private static let greatest = 258
  /// A match of three bytes farther away than this is worth less than three literals.
  private static let farForThree = 4096

  init(_ settings: DeflateSettings, _ table: MatchTable) {
    self.table = table
    goodLength = settings.goodLength
    lazyLength = settings.lazyLength
    niceLength = settings.niceLength
    chainLength = settings.chainLength
  }

  /// Takes each match at once, up to the end of the segment; the last block stays open.
  func compressGreedily(_ window: inout SlidingWindow, _ encoder: inout BlockEncoder) {
    let bytes = window.bytes
    var place = window.position
    var (start, end) = (window.start, window.end)
    while true {
      if end &- place < SlidingWindow.lookahead {
        window.position = place
        window.fill(table)
        (start, end) = (window.start, window.end)
        if end == place { break }
      }
      let ahead = end &- place
      let head = ahead >= 3 ? table.insert(bytes, place) : 0
      var match = (length: 2, place: 0)
      if head > start && place &- head <= SlidingWindow.reach {
        match = longestMatch(bytes, place, ahead, head, longerThan: 2, otherwise: 0, start)
      }
      let isFull: Bool
      if match.length >= 3 {
        isFull = encoder.add(matchOf: match.length, distance: place &- match.place)
        let next = place &+ match.length
        if match.length <= lazyLength && end &- next >= 3 {
          for inner in (place &+ 1)..<next { _ = table.insert(bytes, inner) }
        }
        place = next
      } else {
        isFull = encoder.add(literal: bytes[place])
        place &+= 1
      }
      if isFull && endBlock(&window, &encoder, place) { return }
    }
  }

  /// Takes a match unless there is a longer one a byte later, up to the end of the segment; the last block stays open.
  func compressLazily(_ window: inout SlidingWindow, _ encoder: inout BlockEncoder) {
    let bytes = window.bytes
    var place = window.position
    var (start, end) = (window.start, window.end)
    var match = (length: 2, place: 0)
    var hasLiteral = false
    while true {
      if end &- place < SlidingWindow.lookahead {
        window.position = place
        window.fill(table)
        (start, end) = (window.start, window.end)
        if end == place { break }
      }
      let ahead = end &- place
      let head = ahead >= 3 ? table.insert(bytes, place) : 0
      let before = match
      match.length = 2
      // A match that reaches to the end can't be bettered.
      if head > start && before.length < lazyLength && before.length < ahead && place &- head <= SlidingWindow.reach {
        match = longestMatch(bytes, place, ahead, head, longerThan: before.length, otherwise: before.place, start)
        if match.length == 3 && place &- match.place > Self.farForThree { match.length = 2 }
      }
      if before.length >= 3 && match.length <= before.length {
        let isFull = encoder.add(matchOf: before.length, distance: place &- 1 &- before.place)
        let next = place &- 1 &+ before.length
        let last = min(next &- 1, end &- 3)
        place &+= 1
        while place <= last {
          _ = table.insert(bytes, place)
          place &+= 1
        }
        place = next
        hasLiteral = false
        match.length = 2
        if isFull && endBlock(&window, &encoder, place) { return }
      } else {
        if hasLiteral && encoder.add(literal: bytes[place &- 1]) && endBlock(&window, &encoder, place) { return }
        hasLiteral = true
        place &+= 1
      }
    }
    if hasLiteral { _ = encoder.add(literal: bytes[place &- 1]) }
  }

  /// Ends a block that is full; true where the stream is already wrong.
  @inline(never)
  private func endBlock(_ window: inout SlidingWindow, _ encoder: inout BlockEncoder, _ place: Int) -> Bool {
    window.position = place
    encoder.endBlock(window, isLast: false)
    window.blockStart = place
    return encoder.isWrong
  }

  /// The longest match of those in the chain that is longer than one at hand, or that one; the nearest of equally long.
  @inline(__always)
  private func longestMatch(
    _ bytes: UnsafePointer<UInt8>, _ place: Int, _ ahead: Int, _ head: Int, longerThan length: Int,
    otherwise otherPlace: Int, _ start: Int
  ) -> (length: Int, place: Int) {
    let scan = UnsafeRawPointer(bytes + place)
    let greatest = min(Self.greatest, ahead)
    let enough = min(niceLength, ahead)
    let limit = max(start, place &- SlidingWindow.reach)
    var best = (length: length, place: otherPlace)
    var chain = length >= goodLength ? chainLength &>> 2 : chainLength
    let first = scan.loadUnaligned(as: UInt16.self)
    var last = scan.loadUnaligned(fromByteOffset: length &- 1, as: UInt16.self)
    var candidate = head
    repeat {
      let other = UnsafeRawPointer(bytes + candidate)
      if other.loadUnaligned(fromByteOffset: best.length &- 1, as: UInt16.self) == last
        && other.loadUnaligned(as: UInt16.self) == first
      {
        let common = Self.commonLength(scan, other, greatest)
        if common > best.length {
          best = (common, candidate)
          if common >= enough { break }
          last = scan.loadUnaligned(fromByteOffset: common &- 1, as: UInt16.self)
        }
      }
      candidate = table.before(candidate)
      chain &-= 1
    } while candidate > limit && chain != 0
    return best
  }

  /// How many bytes are equal, of which so many are known to be.
  @inline(__always)
  static func commonLength(
    _ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ greatest: Int, from known: Int = 0
  ) -> Int {
    var count = known
    while count &+ 8 <= greatest {
      let difference =
        one.loadUnaligned(fromByteOffset: count, as: UInt64.self)
        ^ other.loadUnaligned(fromByteOffset: count, as: UInt64.self)
      if difference != 0 { return count &+ UInt64(littleEndian: difference).trailingZeroBitCount &>> 3 }
      count &+= 8
    }
    while count < greatest
      && one.load(fromByteOffset: count, as: UInt8.self) == other.load(fromByteOffset: count, as: UInt8.self)
    {
      count &+= 1
    }
    return count
  }
}
