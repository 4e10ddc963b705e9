/// Compresses a few bytes against a dictionary, without the working memory of a compressor for long streams.
///
/// The short text is indexed and the dictionary read once, not the other way round; then the cheapest way to write the text is
/// chosen from its end back. The codes are deflate's fixed ones, which suit so few symbols.
///
/// Source: RFC 1951, section 3.2.6.
struct ShortDeflate {
  /// The longest input.
  static let byteCountLimit = 160
  /// How much of a longer dictionary is worth reading for so short a text.
  static let reach = 12_288
  /// The longest dictionary: matches reach over all of it from everywhere in the input.
  static let dictionaryByteCountLimit = 32_506
  /// A longer result may be shorter with codes of its own, which is for others to make.
  private static let bitCountLimit = 8 * 80
  private static let leastMatch = 3

  private struct Match {
    var length = 0
    var distance = 0
  }

  /// Two that are worth a thought: what is longest, and of these nearest, and what is nearest.
  private struct Matches {
    var longest = Match()
    var nearest = Match()
  }

  private let text: UnsafeRawBufferPointer
  private let dictionary: UnsafeRawBufferPointer
  /// Of each place of the text.
  private let matches: UnsafeMutableBufferPointer<Matches>

  /// The bytes as one raw deflate stream; `nil` where that is better done with codes for the very input.
  ///
  /// - Parameters:
  ///   - bytes: 1 to ``byteCountLimit`` bytes.
  ///   - dictionary: at most ``dictionaryByteCountLimit`` bytes.
  static func deflate(_ bytes: UnsafeRawBufferPointer, dictionary: UnsafeRawBufferPointer) -> [UInt8]? {
    precondition(
      1...byteCountLimit ~= bytes.count && dictionary.count <= dictionaryByteCountLimit, "outside of what is short")
    return withUnsafeTemporaryAllocation(of: Matches.self, capacity: bytes.count) { matches in
      matches.initialize(repeating: Matches())
      let search = ShortDeflate(text: bytes, dictionary: dictionary, matches: matches)
      search.findMatches()
      return search.write()
    }
  }

  private init(
    text: UnsafeRawBufferPointer, dictionary: UnsafeRawBufferPointer, matches: UnsafeMutableBufferPointer<Matches>
  ) {
    self.text = text
    self.dictionary = dictionary
    self.matches = matches
  }

  // MARK: Matches

  /// From farther away three bytes are hardly shorter to write than by themselves.
  private static let nearByteCount = 2048

  private func findMatches() {
    guard text.count >= Self.leastMatch else { return }
    // Which hashes of three bytes the text has, a bit each; and by their low bits, where they begin.
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 128) { seen in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256 + Self.byteCountLimit) { places in
        seen.initialize(repeating: 0)
        places.initialize(repeating: 0)
        // A place is kept as one more, and 0 ends the chain.
        for place in 0...(text.count - Self.leastMatch) {
          let three = UInt32(text[place]) | UInt32(text[place + 1]) << 8 | UInt32(text[place + 2]) << 16
          let hash = Self.hash(three)
          seen[hash >> 6] |= 1 << UInt64(hash & 63)
          places[256 + place] = places[hash & 255]
          places[hash & 255] = UInt8(place + 1)
        }
        guard let seen = UnsafePointer(seen.baseAddress), let places = UnsafePointer(places.baseAddress) else { return }
        // From near to far: of equal matches the first is the shortest to write.
        scan(text, isOwn: true, seen, places)
        scan(dictionary, isOwn: false, seen, places)
      }
    }
  }

  /// Looks in a source, from its end back, for what the text has.
  ///
  /// - Parameter isOwn: the source is the text itself, where a place matches only what is before it.
  @inline(__always)
  private func scan(
    _ source: UnsafeRawBufferPointer, isOwn: Bool, _ seen: UnsafePointer<UInt64>, _ places: UnsafePointer<UInt8>
  ) {
    guard let bytes = source.baseAddress else { return }
    // Four bytes are read at a time.
    var start = source.count - 4
    // A text in which everything repeats would be compared at every place.
    var comparisonsLeft = isOwn ? Int.max : Self.comparisonLimit
    while start >= 0, comparisonsLeft > 0 {
      let hash = Self.hash(bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self))
      if seen[hash &>> 6] & (1 &<< UInt64(truncatingIfNeeded: hash & 63)) != 0 {
        var next = Int(places[hash & 255])
        while next > 0 {
          let place = next &- 1
          next = Int(places[256 &+ place])
          if isOwn && place <= start { continue }
          comparisonsLeft &-= 1
          note(place, from: start, in: source, isOwn: isOwn)
        }
      }
      start &-= 1
    }
  }

  /// How many places are compared at most with those of the dictionary; the text's own are few.
  private static let comparisonLimit = 16_384

  @inline(__always)
  private func note(_ place: Int, from start: Int, in source: UnsafeRawBufferPointer, isOwn: Bool) {
    let distance = (isOwn ? 0 : dictionary.count) + place - start
    let known = max(matches[place].longest.length, distance > Self.nearByteCount ? Self.leastMatch : 0)
    let limit = min(text.count - place, source.count - start)
    // Nearly always it isn't longer, and then differs here.
    guard known < limit, source[start + known] == text[place + known] else { return }
    var length = 0
    while length < limit, source[start + length] == text[place + length] { length += 1 }
    guard length > known, length >= Self.leastMatch else { return }
    let match = Match(length: length, distance: distance)
    if matches[place].nearest.length == 0 { matches[place].nearest = match }
    matches[place].longest = match
  }

  /// The hash of the low three bytes: the factor shifts the fourth one out.
  @inline(__always)
  private static func hash(_ four: UInt32) -> Int {
    Int(truncatingIfNeeded: (four &* 0x3779_B100) &>> 19)
  }

  // MARK: The cheapest way

  /// One step of the way: a byte, or a match with a length of its own.
  private struct Step {
    /// From here to the end.
    var bitCount = 0
    var match = Match(length: 1)
  }

  private func write() -> [UInt8]? {
    withUnsafeTemporaryAllocation(of: Step.self, capacity: text.count + 1) { steps in
      steps.initialize(repeating: Step())
      for place in stride(from: text.count - 1, through: 0, by: -1) {
        steps[place].bitCount = steps[place + 1].bitCount + Self.bitCount(ofLiteral: text[place])
        let (nearest, longest) = (matches[place].nearest, matches[place].longest)
        improve(place, by: nearest, from: Self.leastMatch, steps)
        if longest.length > nearest.length { improve(place, by: longest, from: nearest.length + 1, steps) }
      }
      let bitCount = 3 + steps[0].bitCount + 7
      guard bitCount <= Self.bitCountLimit else { return nil }
      var writer = BitWriter(byteCount: (bitCount + 7) / 8)
      // The last block, with fixed codes.
      writer.append(0b011, 3)
      var place = 0
      while place < text.count {
        let match = steps[place].match
        if match.length == 1 {
          writer.append(literal: text[place])
        } else {
          LengthSymbol(match.length).write(to: &writer)
          DistanceSymbol(match.distance).write(to: &writer)
        }
        place += match.length
      }
      writer.append(0, 7)
      return writer.finished()
    }
  }

  /// Takes a match, or the beginning of it, where that is a cheaper way to the end.
  private func improve(
    _ place: Int, by match: Match, from least: Int, _ steps: UnsafeMutableBufferPointer<Step>
  ) {
    guard match.length >= least else { return }
    let distance = DistanceSymbol(match.distance).bitCount
    for length in least...match.length {
      let bitCount = steps[place + length].bitCount + LengthSymbol(length).bitCount + distance
      if bitCount < steps[place].bitCount {
        steps[place] = Step(bitCount: bitCount, match: Match(length: length, distance: match.distance))
      }
    }
  }

  private static func bitCount(ofLiteral byte: UInt8) -> Int { byte < 144 ? 8 : 9 }
}

/// Bits in the order of deflate, the lowest of a byte first.
private struct BitWriter {
  private var bytes: [UInt8] = []
  private var bits: UInt64 = 0
  private var bitCount = 0

  init(byteCount: Int) { bytes.reserveCapacity(byteCount) }

  /// Appends the low bits of a value, at most 32.
  mutating func append(_ value: Int, _ count: Int) {
    bits |= UInt64(truncatingIfNeeded: value) << UInt64(bitCount)
    bitCount += count
    while bitCount >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      bitCount -= 8
    }
  }

  /// Appends a code, whose highest bit comes first.
  mutating func append(code: Int, _ count: Int) {
    append(Int(UInt16(truncatingIfNeeded: code << (16 - count)).bitSwapped), count)
  }

  mutating func append(literal byte: UInt8) {
    if byte < 144 { append(code: 0x30 + Int(byte), 8) } else { append(code: 0x190 + Int(byte) - 144, 9) }
  }

  mutating func finished() -> [UInt8] {
    if bitCount > 0 { append(0, 8 - bitCount) }
    return bytes
  }
}

extension UInt16 {
  /// The same bits from the other end.
  fileprivate var bitSwapped: UInt16 {
    var (value, result) = (self, UInt16(0))
    for _ in 0..<16 {
      result = result << 1 | value & 1
      value >>= 1
    }
    return result
  }
}

/// A length of 3 to 258 bytes as its code and the bits behind it.
private struct LengthSymbol {
  /// Less 256.
  private let code: Int
  private let extra: Int
  private let extraBitCount: Int

  init(_ length: Int) {
    let value = length - 3
    if value < 8 || value == 255 {
      (code, extra, extraBitCount) = (value == 255 ? 29 : 1 + value, 0, 0)
    } else {
      let bits = Int.bitWidth - 1 - value.leadingZeroBitCount - 2
      (code, extra, extraBitCount) = (1 + 4 * bits + (value >> bits), value & ((1 << bits) - 1), bits)
    }
  }

  private var codeBitCount: Int { code < 24 ? 7 : 8 }
  var bitCount: Int { codeBitCount + extraBitCount }

  func write(to writer: inout BitWriter) {
    writer.append(code: code < 24 ? code : 0xC0 + code - 24, codeBitCount)
    writer.append(extra, extraBitCount)
  }
}

/// A distance of 1 to 32,768 bytes as its code and the bits behind it.
private struct DistanceSymbol {
  private let code: Int
  private let extra: Int
  private let extraBitCount: Int

  init(_ distance: Int) {
    let value = distance - 1
    if value < 4 {
      (code, extra, extraBitCount) = (value, 0, 0)
    } else {
      let bits = Int.bitWidth - 1 - value.leadingZeroBitCount - 1
      (code, extra, extraBitCount) = (2 * bits + (value >> bits), value & ((1 << bits) - 1), bits)
    }
  }

  var bitCount: Int { 5 + extraBitCount }

  func write(to writer: inout BitWriter) {
    writer.append(code: code, 5)
    writer.append(extra, extraBitCount)
  }
}
