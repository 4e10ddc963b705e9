/// Inflates whole raw deflate streams whose length is known, about three times as fast as zlib, which takes a stream piece by
/// piece.
///
/// What it takes is a valid stream, and what comes out is what zlib makes of it. Whatever is out of the ordinary it leaves to
/// zlib, which tells what is wrong: incomplete codes too, which are allowed where they have one symbol.
///
/// Source: RFC 1951; refilling by words and whole streams at once after libdeflate.
struct FastInflater {
  /// More than any codes of 286 literals and lengths need, with 10 bits in the first table (1,334).
  private var literals = InflateTable(capacity: 1536, greatestRootBits: 10)
  /// Likewise of 30 distances with 8 bits (402).
  private var distances = InflateTable(capacity: 512, greatestRootBits: 8)
  private var lengths = InflateTable(capacity: 128, greatestRootBits: 7)
  /// Whether the tables hold deflate's fixed codes.
  private var isFixed = false

  /// Frees the memory; nothing may be done after.
  func deallocate() {
    literals.deallocate()
    distances.deallocate()
    lengths.deallocate()
  }

  /// Fills `output`.
  ///
  /// - Returns: `false` where the stream is left to zlib, or is none of this length; the output is undefined then.
  mutating func inflate(
    _ stream: UnsafeRawBufferPointer, dictionary: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard stream.count > 0, let start = output.baseAddress, output.count > 0 else { return false }
    var input = BitSource(stream)
    var sink = InflateSink(start: start, count: output.count, dictionary: dictionary)
    while true {
      input.refill()
      let isLast = input.take(1) == 1
      let isGood =
        switch input.take(2) {
        case 0: input.copyStored(to: &sink)
        case 1: useFixedCodes() && inflateBlock(&input, &sink)
        case 2: readCodes(&input) && inflateBlock(&input, &sink)
        default: false
        }
      guard isGood else { return false }
      if isLast { return sink.isFull && input.isAtEnd }
    }
  }

  // MARK: Codes

  private mutating func useFixedCodes() -> Bool {
    if isFixed { return true }
    isFixed = true
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 288) { codes in
      for symbol in 0..<288 { codes[symbol] = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8 }
      guard literals.fill(UnsafeBufferPointer(codes), symbols: InflateSymbols.literals) else { return false }
      for symbol in 0..<32 { codes[symbol] = 5 }
      return distances.fill(UnsafeBufferPointer(rebasing: codes[..<32]), symbols: InflateSymbols.distances)
    }
  }

  /// The order in which the lengths of the codes of lengths are given.
  private static let lengthOrder: [Int] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  /// Reads the codes of a block.
  private mutating func readCodes(_ input: inout BitSource) -> Bool {
    isFixed = false
    let literalCount = Int(input.take(5)) + 257
    let distanceCount = Int(input.take(5)) + 1
    let lengthCount = Int(input.take(4)) + 4
    guard literalCount <= 286, distanceCount <= 30 else { return false }
    // The longest repetition may go beyond the last one, which is found out after.
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 286 + 30 + 138) { codes in
      codes.initialize(repeating: 0)
      for place in 0..<lengthCount {
        input.refill()
        codes[Self.lengthOrder[place]] = UInt8(truncatingIfNeeded: input.take(3))
      }
      guard lengths.fill(UnsafeBufferPointer(rebasing: codes[..<19]), symbols: InflateSymbols.lengths) else {
        return false
      }
      codes.update(repeating: 0)
      guard readLengths(literalCount + distanceCount, &input, into: codes), codes[256] > 0 else { return false }
      let literal = UnsafeBufferPointer(rebasing: codes[..<literalCount])
      let distance = UnsafeBufferPointer(rebasing: codes[literalCount..<literalCount + distanceCount])
      return literals.fill(literal, symbols: InflateSymbols.literals)
        && distances.fill(distance, symbols: InflateSymbols.distances)
    }
  }

  private func readLengths(
    _ count: Int, _ input: inout BitSource, into codes: UnsafeMutableBufferPointer<UInt8>
  ) -> Bool {
    let mask = UInt64(1) << UInt64(lengths.rootBits) - 1
    var place = 0
    while place < count {
      input.refill()
      let item = lengths.item(input.bits & mask)
      input.drop(UInt64(item & 0xFF))
      let symbol = item >> InflateTable.valueShift
      guard symbol >= 16 else {
        codes[place] = UInt8(truncatingIfNeeded: symbol)
        place += 1
        continue
      }
      guard symbol != 16 || place > 0 else { return false }
      let repeated = symbol == 16 ? codes[place - 1] : 0
      let times = Int(symbol == 16 ? 3 + input.take(2) : symbol == 17 ? 3 + input.take(3) : 11 + input.take(7))
      for offset in 0..<times { codes[place + offset] = repeated }
      place += times
    }
    return place == count
  }

  // MARK: Blocks

  private func inflateBlock(_ input: inout BitSource, _ sink: inout InflateSink) -> Bool {
    // As long as all of it is here, it stays in registers.
    var bits = input
    var out = sink
    defer {
      input = bits
      sink = out
    }
    let literalMask = UInt64(1) << UInt64(literals.rootBits) - 1
    let distanceMask = UInt64(1) << UInt64(distances.rootBits) - 1
    while true {
      bits.refill()
      var item = literals.item(bits.bits & literalMask)
      if item & InflateTable.isLiteral != 0 {
        // Two short codes, and what follows them, are there for certain.
        guard out.put(item) else { return false }
        bits.drop(UInt64(item & 0xFF))
        item = literals.item(bits.bits & literalMask)
        if item & InflateTable.isLiteral != 0 {
          guard out.put(item) else { return false }
          bits.drop(UInt64(item & 0xFF))
          continue
        }
        bits.refill()
      }
      if item & (InflateTable.isFurther | InflateTable.isEnd | InflateTable.isInvalid) != 0 {
        if item & InflateTable.isFurther != 0 { item = bits.further(item, literals) }
        if item & InflateTable.isEnd != 0 {
          bits.drop(UInt64(item & 0xFF))
          return !bits.isOverrun
        }
        guard item & InflateTable.isInvalid == 0 else { return false }
        if item & InflateTable.isLiteral != 0 {
          guard out.put(item) else { return false }
          bits.drop(UInt64(item & 0xFF))
          continue
        }
      }
      let count = bits.number(item)
      var far = distances.item(bits.bits & distanceMask)
      if far & InflateTable.isFurther != 0 { far = bits.further(far, distances) }
      guard far & InflateTable.isInvalid == 0 else { return false }
      guard out.copy(count, distance: bits.number(far)), !bits.isOverrun else { return false }
    }
  }
}

/// The bits of a deflate stream; behind its end come zeros, which count as an overrun once they are used.
private struct BitSource {
  private var next: UnsafeRawPointer
  private let end: UnsafeRawPointer
  /// The bits ahead, the next one lowest.
  private(set) var bits: UInt64 = 0
  private var count: UInt64 = 0
  /// How many bytes that are not there were put into the bits.
  private var missing: UInt64 = 0

  /// - Precondition: there are bytes.
  init(_ stream: UnsafeRawBufferPointer) {
    guard let start = stream.baseAddress else { preconditionFailure("a stream has bytes") }
    next = start
    end = start + stream.count
  }

  /// Makes sure of 56 bits.
  @inline(__always)
  mutating func refill() {
    if end - next >= 8 {
      bits |= UInt64(littleEndian: next.loadUnaligned(as: UInt64.self)) &<< count
      next += Int(truncatingIfNeeded: (63 &- count) &>> 3)
      count |= 56
    } else {
      refillAtEnd()
    }
  }

  @inline(never)
  private mutating func refillAtEnd() {
    while count < 56 {
      if next < end {
        bits |= UInt64(next.load(as: UInt8.self)) &<< count
        next += 1
      } else {
        missing += 1
      }
      count += 8
    }
  }

  @inline(__always)
  mutating func drop(_ number: UInt64) {
    bits &>>= number
    count &-= number
  }

  @inline(__always)
  mutating func take(_ number: UInt64) -> UInt64 {
    let value = bits & (1 &<< number &- 1)
    drop(number)
    return value
  }

  /// The value of an item, with its extra bits.
  @inline(__always)
  mutating func number(_ item: UInt32) -> Int {
    let total = UInt64(item & 0xFF)
    let extra = bits & (1 &<< total &- 1)
    drop(total)
    return Int(item >> InflateTable.valueShift) &+ Int(truncatingIfNeeded: extra &>> UInt64(item >> 8 & 15))
  }

  /// The item of a code that is longer than the first table's.
  @inline(__always)
  mutating func further(_ item: UInt32, _ table: InflateTable) -> UInt32 {
    drop(UInt64(item & 0xFF))
    let mask = UInt64(1) &<< UInt64(item >> 8 & 15) &- 1
    return table.item(UInt64(item >> InflateTable.valueShift) &+ bits & mask)
  }

  /// Whether bits behind the end were used.
  @inline(__always)
  var isOverrun: Bool { missing &* 8 > count }

  /// Whether nothing is left but the rest of a byte.
  var isAtEnd: Bool { !isOverrun && next == end && count / 8 == missing }

  /// Copies a stored block.
  mutating func copyStored(to sink: inout InflateSink) -> Bool {
    drop(count & 7)
    refill()
    let length = take(16)
    guard take(16) == length ^ 0xFFFF, !isOverrun else { return false }
    // What was taken ahead goes back.
    next -= Int(count / 8 - missing)
    (bits, count, missing) = (0, 0, 0)
    guard end - next >= Int(length), sink.put(UnsafeRawBufferPointer(start: next, count: Int(length))) else {
      return false
    }
    next += Int(length)
    return true
  }
}

/// Where inflated bytes go: memory that is filled from its beginning.
private struct InflateSink {
  private let start: UnsafeMutableRawPointer
  private var next: UnsafeMutableRawPointer
  private let end: UnsafeMutableRawPointer
  /// What precedes the first byte.
  private let dictionary: UnsafeRawBufferPointer

  init(start: UnsafeMutableRawPointer, count: Int, dictionary: UnsafeRawBufferPointer) {
    self.start = start
    self.dictionary = dictionary
    next = start
    end = start + count
  }

  var isFull: Bool { next == end }

  @inline(__always)
  mutating func put(_ literal: UInt32) -> Bool {
    guard next < end else { return false }
    next.storeBytes(of: UInt8(truncatingIfNeeded: literal >> InflateTable.valueShift), as: UInt8.self)
    next += 1
    return true
  }

  mutating func put(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard end - next >= bytes.count else { return false }
    UnsafeMutableRawBufferPointer(start: next, count: bytes.count).copyMemory(from: bytes)
    next += bytes.count
    return true
  }

  /// Repeats bytes that came before.
  @inline(__always)
  mutating func copy(_ count: Int, distance: Int) -> Bool {
    guard end - next >= count else { return false }
    guard next - start >= distance else { return copyFromDictionary(count, distance) }
    let target = next
    let source = UnsafeRawPointer(target - distance)
    next += count
    if distance >= 8, end - next >= 8 {
      // Up to seven bytes too many, which are written again.
      var place = 0
      repeat {
        (target + place).storeBytes(of: (source + place).loadUnaligned(as: UInt64.self), as: UInt64.self)
        place &+= 8
      } while place < count
    } else {
      for place in 0..<count {
        (target + place).storeBytes(of: (source + place).load(as: UInt8.self), as: UInt8.self)
      }
    }
    return true
  }

  @inline(never)
  private mutating func copyFromDictionary(_ count: Int, _ distance: Int) -> Bool {
    let before = distance - (next - start)
    guard before <= dictionary.count, let known = dictionary.baseAddress else { return false }
    let first = min(before, count)
    next.copyMemory(from: known + (dictionary.count - before), byteCount: first)
    next += first
    return first == count || copy(count - first, distance: distance)
  }
}
