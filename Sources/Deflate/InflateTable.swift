/// What the bits ahead of a deflate stream mean: a table of the codes of one alphabet, with further ones for long codes.
///
/// An item says in bits 0 to 7 how many bits it takes, extra bits included, in bits 8 to 11 how many of them are the code,
/// from bit 16 on its value: a literal, the least length or distance, the place of a further table.
///
/// Source: RFC 1951, 3.2.2; the shape of the tables after zlib's `inflate_table` and libdeflate.
struct InflateTable {
  static let isLiteral: UInt32 = 1 << 12
  static let isEnd: UInt32 = 1 << 13
  /// The value is the place of a further table, which takes as many bits as bits 8 to 11 say.
  static let isFurther: UInt32 = 1 << 14
  static let isInvalid: UInt32 = 1 << 15
  static let valueShift: UInt32 = 16
  static let longestCode = 15

  private let items: UnsafeMutablePointer<UInt32>
  private let capacity: Int
  private let greatestRootBits: Int
  /// How many bits the first table takes.
  private(set) var rootBits = 0

  init(capacity: Int, greatestRootBits: Int) {
    self.capacity = capacity
    self.greatestRootBits = greatestRootBits
    items = .allocate(capacity: capacity)
    items.initialize(repeating: 0, count: capacity)
  }

  /// Frees the memory; nothing may be done with the table after.
  func deallocate() { items.deallocate() }

  @inline(__always)
  func item(_ place: UInt64) -> UInt32 { items[Int(truncatingIfNeeded: place)] }

  /// Fills the table.
  ///
  /// - Parameters:
  ///   - lengths: of the code of each symbol, 0 for none, at most ``longestCode``.
  ///   - symbols: what each symbol means: an item without the code's length.
  /// - Returns: `false` unless the codes are complete, with two at least.
  mutating func fill(_ lengths: UnsafeBufferPointer<UInt8>, symbols: [UInt32]) -> Bool {
    guard lengths.count <= symbols.count else { return false }
    return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: lengths.count + 2 * (Self.longestCode + 1)) {
      memory in
      guard let start = memory.baseAddress else { return false }
      let counts = UnsafeMutableBufferPointer(start: start, count: Self.longestCode + 1)
      let places = UnsafeMutableBufferPointer(start: start + counts.count, count: counts.count)
      let sorted = UnsafeMutableBufferPointer(start: start + 2 * counts.count, count: lengths.count)
      guard let longest = Self.sort(lengths, counts, places, into: sorted) else { return false }
      return symbols.withUnsafeBufferPointer { symbols in
        fill(UnsafeBufferPointer(counts), longest: longest, lengths, UnsafeBufferPointer(sorted), symbols)
      }
    }
  }

  /// Sorts the symbols by the lengths of their codes, and counts these.
  ///
  /// - Returns: the greatest length, or `nil` where the codes are not complete.
  private static func sort(
    _ lengths: UnsafeBufferPointer<UInt8>, _ counts: UnsafeMutableBufferPointer<UInt16>,
    _ places: UnsafeMutableBufferPointer<UInt16>, into sorted: UnsafeMutableBufferPointer<UInt16>
  ) -> Int? {
    counts.initialize(repeating: 0)
    places.initialize(repeating: 0)
    sorted.initialize(repeating: 0)
    for length in lengths { counts[Int(length)] &+= 1 }
    guard Int(counts[0]) < lengths.count else { return nil }
    counts[0] = 0
    var left = 1
    var longest = 0
    for length in 1...longestCode {
      left = left << 1 - Int(counts[length])
      if left < 0 { return nil }
      if counts[length] > 0 { longest = length }
      if length < longestCode { places[length + 1] = places[length] + counts[length] }
    }
    guard left == 0 else { return nil }
    for symbol in lengths.indices where lengths[symbol] > 0 {
      let length = Int(lengths[symbol])
      sorted[Int(places[length])] = UInt16(symbol)
      places[length] += 1
    }
    return longest
  }

  private mutating func fill(
    _ counts: UnsafeBufferPointer<UInt16>, longest: Int, _ lengths: UnsafeBufferPointer<UInt8>,
    _ sorted: UnsafeBufferPointer<UInt16>, _ symbols: UnsafeBufferPointer<UInt32>
  ) -> Bool {
    rootBits = min(longest, greatestRootBits)
    let rootMask = 1 << rootBits - 1
    var end = 1 << rootBits
    guard end <= capacity else { return false }
    // Codes come bit by bit with their first bit first: so they are counted up from their other end.
    var code = 0
    var further: (root: Int, place: Int, bits: Int) = (-1, 0, 0)
    var place = 0
    for length in 1...longest {
      for number in 0..<Int(counts[length]) {
        let symbol = symbols[Int(sorted[place])]
        place += 1
        if length <= rootBits {
          put(symbol, length, from: code, step: 1 << length, end: end)
        } else {
          if code & rootMask != further.root {
            let bits = Self.furtherBits(length, used: number, counts, rootBits: rootBits, longest: longest)
            further = (code & rootMask, end, bits)
            end += 1 << bits
            guard end <= capacity else { return false }
            items[further.root] =
              UInt32(further.place) << Self.valueShift | UInt32(bits) << 8 | Self.isFurther | UInt32(rootBits)
          }
          let start = further.place + code >> rootBits
          put(symbol, length - rootBits, from: start, step: 1 << (length - rootBits), end: end)
        }
        var bit = 1 << (length - 1)
        while code & bit != 0 { bit >>= 1 }
        code = bit == 0 ? 0 : code & (bit - 1) + bit
      }
    }
    return true
  }

  @inline(__always)
  private func put(_ symbol: UInt32, _ length: Int, from start: Int, step: Int, end: Int) {
    let item = symbol + UInt32(length) | UInt32(length) << 8
    var place = start
    while place < end {
      items[place] = item
      place += step
    }
  }

  /// How many bits a table takes that begins with a code of some length, the `used`-th of that length.
  private static func furtherBits(
    _ length: Int, used: Int, _ counts: UnsafeBufferPointer<UInt16>, rootBits: Int, longest: Int
  ) -> Int {
    var bits = length - rootBits
    var left = 1 << bits - (Int(counts[length]) - used)
    while bits + rootBits < longest, left > 0 {
      bits += 1
      left = left << 1 - Int(counts[bits + rootBits])
    }
    return bits
  }
}

/// What the symbols of deflate's alphabets mean, as items of ``InflateTable`` without the lengths of their codes.
///
/// Source: RFC 1951, 3.2.5 and 3.2.7.
enum InflateSymbols {
  /// Literals, the end of a block, lengths.
  static let literals: [UInt32] = {
    var items = (0..<256).map { UInt32($0) << InflateTable.valueShift | InflateTable.isLiteral }
    items.append(InflateTable.isEnd)
    var least: UInt32 = 3
    for place in 0..<28 {
      let extra = place < 8 ? 0 : UInt32(place - 4) / 4
      items.append(least << InflateTable.valueShift | extra)
      least += 1 << extra
    }
    items.append(258 << InflateTable.valueShift)
    return items + [InflateTable.isInvalid, InflateTable.isInvalid]
  }()

  static let distances: [UInt32] = {
    var items: [UInt32] = []
    var least: UInt32 = 1
    for place in 0..<30 {
      let extra = place < 4 ? 0 : UInt32(place - 2) / 2
      items.append(least << InflateTable.valueShift | extra)
      least += 1 << extra
    }
    return items + [InflateTable.isInvalid, InflateTable.isInvalid]
  }()

  /// Lengths of codes, and how they are repeated.
  static let lengths: [UInt32] = (0..<19).map { UInt32($0) << InflateTable.valueShift }
}
