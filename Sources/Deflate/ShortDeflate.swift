/// Compresses a few bytes against a dictionary, without the working memory of a compressor for long streams.
///
/// The short text is indexed and the dictionary read once, not the other way round; then the cheapest way to write the text is
/// chosen from its end back. The codes are deflate's fixed ones, which suit so few symbols.
///
/// Source: RFC 1951, section 3.2.6.
struct ShortDeflate {
  /// The longest input.
  static let byteCountLimit = 160
  /// The longest dictionary: matches reach over all of it from everywhere in the input.
  static let dictionaryByteCountLimit = 32_506
  /// A longer result may be shorter with codes of its own, which is for others to make.
  private static let bitCountLimit = 8 * 80
  private static let leastMatch = 3
  private static let greatestDistance = 32_768

  private struct Match {
    var length = 0
    var distance = 0
  }

  private let text: UnsafeRawBufferPointer
  private let dictionary: UnsafeRawBufferPointer
  /// Of each place of the text the longest match, the nearest of the longest.
  private let longest: UnsafeMutableBufferPointer<Match>

  /// The bytes as one raw deflate stream; `nil` where that is better done with codes for the very input.
  ///
  /// - Parameters:
  ///   - bytes: 1 to ``byteCountLimit`` bytes.
  ///   - dictionary: at most ``dictionaryByteCountLimit`` bytes.
  static func deflate(_ bytes: UnsafeRawBufferPointer, dictionary: UnsafeRawBufferPointer) -> [UInt8]? {
    precondition(
      1...byteCountLimit ~= bytes.count && dictionary.count <= dictionaryByteCountLimit, "outside of what is short")
    return withUnsafeTemporaryAllocation(of: Match.self, capacity: bytes.count) { longest in
      longest.initialize(repeating: Match())
      let search = ShortDeflate(text: bytes, dictionary: dictionary, longest: longest)
      search.findMatches()
      return search.write()
    }
  }

  private init(
    text: UnsafeRawBufferPointer, dictionary: UnsafeRawBufferPointer, longest: UnsafeMutableBufferPointer<Match>
  ) {
    self.text = text
    self.dictionary = dictionary
    self.longest = longest
  }

  // MARK: Matches

  private func findMatches() {
    guard text.count >= Self.leastMatch else { return }
    // Which hashes of three bytes the text has, a bit each; and by their low bits, where they begin.
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 128) { seen in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256 + Self.byteCountLimit) { places in
        seen.initialize(repeating: 0)
        places.initialize(repeating: 0)
        // Backwards, so that a chain goes forwards; a place is kept as one more, and 0 ends the chain.
        for place in stride(from: text.count - Self.leastMatch, through: 0, by: -1) {
          let hash = Self.hash(text[place], text[place + 1], text[place + 2])
          seen[hash >> 6] |= 1 << UInt64(hash & 63)
          places[256 + place] = places[hash & 255]
          places[hash & 255] = UInt8(place + 1)
        }
        scan(dictionary, before: 0, UnsafeBufferPointer(seen), UnsafeBufferPointer(places))
        scan(text, before: text.count, UnsafeBufferPointer(seen), UnsafeBufferPointer(places))
      }
    }
  }

  /// Looks in a source for what the text has.
  ///
  /// - Parameter ownCount: 0 for the dictionary; for the text itself its length: a place matches places behind it alone.
  @inline(__always)
  private func scan(
    _ source: UnsafeRawBufferPointer, before ownCount: Int, _ seen: UnsafeBufferPointer<UInt64>,
    _ places: UnsafeBufferPointer<UInt8>
  ) {
    guard source.count >= Self.leastMatch, let bytes = source.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
      return
    }
    for start in 0...(source.count - Self.leastMatch) {
      let hash = Self.hash(bytes[start], bytes[start + 1], bytes[start + 2])
      guard seen[hash >> 6] & 1 << UInt64(hash & 63) != 0 else { continue }
      var next = Int(places[hash & 255])
      while next > 0 {
        let place = next - 1
        next = Int(places[256 + place])
        if ownCount > 0 {
          if place > start { note(place, from: start, isOwn: true) }
        } else {
          note(place, from: start, isOwn: false)
        }
      }
    }
  }

  private func note(_ place: Int, from start: Int, isOwn: Bool) {
    let distance = isOwn ? place - start : dictionary.count - start + place
    guard distance <= Self.greatestDistance else { return }
    let limit = min(text.count - place, 258)
    var length = 0
    if isOwn {
      while length < limit, text[start + length] == text[place + length] { length += 1 }
    } else {
      // What goes on behind the dictionary goes on in the text.
      while length < limit {
        let from = start + length
        let byte = from < dictionary.count ? dictionary[from] : text[from - dictionary.count]
        if byte != text[place + length] { break }
        length += 1
      }
    }
    // Later ones are nearer.
    if length >= Self.leastMatch, length >= longest[place].length {
      longest[place] = Match(length: length, distance: distance)
    }
  }

  @inline(__always)
  private static func hash(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Int {
    let three = UInt32(first) | UInt32(second) << 8 | UInt32(third) << 16
    return Int((three &* 0x9E37_79B1) >> 19)
  }

  // MARK: The cheapest way

  private func write() -> [UInt8]? {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 2 * text.count + 1) { costs in
      // Bits from each place to the end, and behind these how far the first step goes.
      costs.initialize(repeating: 0)
      for place in stride(from: text.count - 1, through: 0, by: -1) {
        let match = longest[place]
        var (best, step) = (costs[place + 1] + Self.bitCount(ofLiteral: text[place]), 1)
        if match.length >= Self.leastMatch {
          let distance = DistanceSymbol(match.distance).bitCount
          for length in Self.leastMatch...match.length {
            let cost = costs[place + length] + LengthSymbol(length).bitCount + distance
            if cost < best { (best, step) = (cost, length) }
          }
        }
        costs[place] = best
        costs[text.count + 1 + place] = step
      }
      let bitCount = 3 + costs[0] + 7
      guard bitCount <= Self.bitCountLimit else { return nil }
      var writer = BitWriter(byteCount: (bitCount + 7) / 8)
      writer.append(0b011, 3)
      var place = 0
      while place < text.count {
        let step = costs[text.count + 1 + place]
        if step == 1 {
          writer.append(literal: text[place])
        } else {
          LengthSymbol(step).write(to: &writer)
          DistanceSymbol(longest[place].distance).write(to: &writer)
        }
        place += step
      }
      writer.append(0, 7)
      return writer.finished()
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
