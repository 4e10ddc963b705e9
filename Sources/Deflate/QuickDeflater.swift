/// Compresses many contents quickly: a place is compared with the last two whose next four bytes have the same hash, and with
/// no others.
///
/// With that, and with one look at the place after a match, the result is 1 to 2 % longer than that of zlib's level 4
/// with chains of 8, in half of its time: two candidates are one word of memory, all words together fit into the nearest
/// cache, and what a dictionary leaves in them is kept for the next content with the same dictionary.
///
/// Not for use from several threads at once. Memory: about 110 KB; with a dictionary 32 KB more, and a copy of both.
///
/// Source: RFC 1951; buckets of two as in other fast compressors.
final class QuickDeflater {
  /// The last two places of each hash, the younger one in the lower half. Only the low 16 bits of a place are kept, so one that is
  /// long past, or that was never set, points to some other place: comparing the bytes tells.
  private let places: FixedMemory<UInt32>
  private var encoder = BlockEncoder(memoryLevel: 8)

  /// What a dictionary makes of ``places``, and that dictionary.
  private var primed: FixedMemory<UInt32>?
  private var dictionary: [UInt8] = []
  /// The dictionary, and behind it the text.
  private var window = FixedMemory<UInt8>(count: 0, repeating: 0)

  /// 8,192 words are 32 KiB.
  private static let hashBitCount: UInt32 = 13
  private static let reach = 32_768
  private static let greatestLength = 258
  /// After a match of this length the next place isn't looked at for a longer one.
  private static let sufficientLength = 16

  init() {
    places = FixedMemory(count: 1 << Int(Self.hashBitCount), repeating: 0)
  }

  deinit {
    encoder.sink.deallocate()
  }

  /// The bytes as one raw deflate stream; of a dictionary the last 32 KiB count.
  func deflate(_ text: UnsafeRawBufferPointer, dictionary: UnsafeRawBufferPointer?) -> [UInt8] {
    encoder.begin(capacity: text.count / 2 + 64)
    if let start = text.baseAddress {
      if let dictionary, !dictionary.isEmpty {
        compress(text, after: UnsafeRawBufferPointer(rebasing: dictionary.suffix(Self.reach)))
      } else {
        places.start.update(repeating: 0, count: places.count)
        compress(start, 0..<text.count)
      }
    } else {
      encoder.endBlock(content: nil, byteCount: 0, isLast: true)
    }
    return encoder.end()
  }

  private func compress(_ text: UnsafeRawBufferPointer, after dictionary: UnsafeRawBufferPointer) {
    let byteCount = dictionary.count + text.count
    if window.count < byteCount { window = FixedMemory(count: byteCount + byteCount / 2, repeating: 0) }
    let bytes = UnsafeMutableRawBufferPointer(start: window.start, count: byteCount)
    bytes.copyMemory(from: dictionary)
    UnsafeMutableRawBufferPointer(rebasing: bytes[dictionary.count...]).copyMemory(from: text)
    let primed = prime(with: dictionary)
    places.start.update(from: primed.start, count: places.count)
    compress(UnsafeRawPointer(window.start), dictionary.count..<byteCount)
  }

  private func prime(with dictionary: UnsafeRawBufferPointer) -> FixedMemory<UInt32> {
    if let primed, isPrimed(with: dictionary) { return primed }
    let primed = FixedMemory<UInt32>(count: places.count, repeating: 0)
    if let start = dictionary.baseAddress {
      var place = 0
      while place + 4 <= dictionary.count {
        Self.insert(place, of: start, primed.start)
        place += 1
      }
    }
    self.dictionary = Array(dictionary)
    self.primed = primed
    return primed
  }

  private func isPrimed(with bytes: UnsafeRawBufferPointer) -> Bool {
    guard dictionary.count == bytes.count, let other = bytes.baseAddress else { return false }
    return dictionary.withUnsafeBytes { known in
      guard let one = known.baseAddress else { return false }
      return MatchSearch.commonLength(one, other, bytes.count) == bytes.count
    }
  }

  // MARK: Matches

  private struct Match {
    var length: Int
    var distance = 0
  }

  /// Writes a part of the bytes; what is before it are bytes that matches may reach into.
  private func compress(_ bytes: UnsafeRawPointer, _ text: Range<Int>) {
    let (places, end) = (places.start, text.upperBound)
    // In a local variable it can stay in registers.
    var encoder = self.encoder
    var (place, blockStart) = (text.lowerBound, text.lowerBound)
    // Four bytes are read here and at the next place.
    while place &+ 5 <= end {
      var match = Match(length: 3)
      Self.find(&match, at: place, of: bytes, end, places)
      guard match.distance > 0 else {
        encoder.addLiteral(at: &place, of: bytes, from: &blockStart)
        continue
      }
      var firstNew = place &+ 1
      if match.length < Self.sufficientLength {
        var later = Match(length: match.length)
        Self.find(&later, at: firstNew, of: bytes, end, places)
        firstNew &+= 1
        if later.distance > 0 {
          encoder.addLiteral(at: &place, of: bytes, from: &blockStart)
          match = later
        }
      }
      let isFull = encoder.add(matchOf: match.length, distance: match.distance)
      place &+= match.length
      let last = min(place &- 1, end &- 4)
      while firstNew <= last {
        Self.insert(firstNew, of: bytes, places)
        firstNew &+= 1
      }
      if isFull { encoder.end(bytes, from: &blockStart, to: place) }
    }
    while place < end { encoder.addLiteral(at: &place, of: bytes, from: &blockStart) }
    encoder.end(bytes, from: &blockStart, to: end, isLast: true)
    self.encoder = encoder
  }

  /// Takes the longer of two earlier places that match, if it is longer than what is known; enters this place.
  @inline(__always)
  private static func find(
    _ match: inout Match, at place: Int, of bytes: UnsafeRawPointer, _ end: Int, _ places: UnsafeMutablePointer<UInt32>
  ) {
    let four = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
    let bucket = hash(four)
    let word = places[bucket]
    places[bucket] = word &<< 16 | UInt32(truncatingIfNeeded: place & 0xFFFF)
    consider(place &- Int(word), four, &match, at: place, of: bytes, end)
    consider(place &- Int(word &>> 16), four, &match, at: place, of: bytes, end)
  }

  /// - Parameter distance: of which the low 16 bits count.
  @inline(__always)
  private static func consider(
    _ distance: Int, _ four: UInt32, _ match: inout Match, at place: Int, of bytes: UnsafeRawPointer, _ end: Int
  ) {
    let distance = distance & 0xFFFF
    guard distance &- 1 < min(reach, place), distance > 0,
      bytes.loadUnaligned(fromByteOffset: place &- distance, as: UInt32.self) == four
    else { return }
    let length = MatchSearch.commonLength(
      bytes + place, bytes + (place &- distance), min(end &- place, greatestLength), from: 4)
    if length > match.length { match = Match(length: length, distance: distance) }
  }

  @inline(__always)
  private static func insert(_ place: Int, of bytes: UnsafeRawPointer, _ places: UnsafeMutablePointer<UInt32>) {
    let bucket = hash(bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
    places[bucket] = places[bucket] &<< 16 | UInt32(truncatingIfNeeded: place & 0xFFFF)
  }

  @inline(__always)
  private static func hash(_ four: UInt32) -> Int {
    Int(truncatingIfNeeded: (four &* 0x9E37_79B1) &>> (32 - hashBitCount))
  }
}

extension BlockEncoder {
  /// Adds the byte at a place, which moves on, and ends the block where that is full.
  @inline(__always)
  fileprivate mutating func addLiteral(at place: inout Int, of bytes: UnsafeRawPointer, from start: inout Int) {
    let isFull = add(literal: bytes.load(fromByteOffset: place, as: UInt8.self))
    place &+= 1
    if isFull { end(bytes, from: &start, to: place) }
  }

  /// Ends a block of bytes, and begins the next one behind them.
  @inline(never)
  fileprivate mutating func end(_ bytes: UnsafeRawPointer, from start: inout Int, to end: Int, isLast: Bool = false) {
    endBlock(content: (bytes + start).assumingMemoryBound(to: UInt8.self), byteCount: end - start, isLast: isLast)
    start = end
  }
}
