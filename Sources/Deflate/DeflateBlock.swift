/// A block of a deflate stream, as far as it tells how its writer worked.
public struct DeflateBlock: Hashable, Sendable {
  public enum Kind: UInt8, Sendable {
    case stored, fixed, dynamic
  }

  public let kind: Kind
  public let isLast: Bool
  /// Literals and matches; of a stored block, that isn't known.
  public let symbolCount: Int?
  /// How many bytes the block stands for.
  public let byteCount: Int

  /// The blocks of a whole raw deflate stream, or `nil` where it isn't one.
  ///
  /// Nothing is inflated: only lengths are added up. Distances aren't checked.
  ///
  /// Source: RFC 1951, section 3.2.
  public static func blocks(of stream: UnsafeRawBufferPointer) -> [DeflateBlock]? {
    var reader = DeflateBlockReader(stream)
    return reader.readAll()
  }
}

private struct DeflateBlockReader {
  private let stream: UnsafeRawBufferPointer
  private var position = 0
  private var bits: UInt64 = 0
  private var bitCount = 0
  private let codes = DeflateCodes.shared

  init(_ stream: UnsafeRawBufferPointer) {
    self.stream = stream
  }

  mutating func readAll() -> [DeflateBlock]? {
    var blocks: [DeflateBlock] = []
    while true {
      guard let header = take(3) else { return nil }
      let isLast = header & 1 == 1
      guard let block = header >> 1 == 0 ? readStored(isLast) : readCompressed(header >> 1, isLast) else { return nil }
      blocks.append(block)
      if isLast { return position == stream.count && bitCount < 8 ? blocks : nil }
    }
  }

  /// Fills up to at least 48 bits, as far as there are any.
  @inline(__always)
  private mutating func fill() {
    while bitCount <= 48 && position < stream.count {
      bits |= UInt64(stream[position]) &<< UInt64(truncatingIfNeeded: bitCount)
      position &+= 1
      bitCount &+= 8
    }
  }

  @inline(__always)
  private mutating func take(_ count: Int) -> Int? {
    if bitCount < count {
      fill()
      guard bitCount >= count else { return nil }
    }
    let value = Int(bits & (1 &<< UInt64(truncatingIfNeeded: count) &- 1))
    bits = bits &>> UInt64(truncatingIfNeeded: count)
    bitCount &-= count
    return value
  }

  private mutating func readStored(_ isLast: Bool) -> DeflateBlock? {
    _ = take(bitCount & 7)
    guard let count = take(16), let inverse = take(16), count ^ inverse == 0xFFFF else { return nil }
    // Whole bytes that were read ahead are given back.
    position -= bitCount / 8
    (bits, bitCount) = (0, 0)
    guard stream.count - position >= count else { return nil }
    position += count
    return DeflateBlock(kind: .stored, isLast: isLast, symbolCount: nil, byteCount: count)
  }

  private mutating func readCompressed(_ type: Int, _ isLast: Bool) -> DeflateBlock? {
    let literals: PrefixDecoder
    let distances: PrefixDecoder
    if type == 1 {
      let lengths = UnsafeBufferPointer(start: codes.fixedLiteralLengths, count: 288)
      literals = PrefixDecoder(lengths: Array(lengths))
      distances = PrefixDecoder(lengths: [UInt8](repeating: 5, count: 30))
    } else {
      guard type == 2, let lengths = readCodeLengths() else { return nil }
      literals = PrefixDecoder(lengths: lengths.literals)
      distances = PrefixDecoder(lengths: lengths.distances)
    }
    var (symbolCount, byteCount) = (0, 0)
    while let symbol = decode(literals), symbol < 286 {
      if symbol == DeflateCodes.endOfBlock {
        return DeflateBlock(
          kind: type == 1 ? .fixed : .dynamic, isLast: isLast, symbolCount: symbolCount, byteCount: byteCount)
      }
      symbolCount &+= 1
      guard symbol > 256 else {
        byteCount &+= 1
        continue
      }
      let length = symbol &- 257
      guard let extra = take(Int(codes.lengthExtra[length])), let distance = decode(distances),
        distance < 30, take(Int(codes.distanceExtra[distance])) != nil
      else { return nil }
      byteCount &+= Int(codes.lengthBase[length]) &+ extra &+ 3
    }
    return nil
  }

  @inline(__always)
  private mutating func decode(_ decoder: PrefixDecoder) -> Int? {
    fill()
    guard let entry = decoder.entry(bits), entry.length <= bitCount else { return nil }
    bits = bits &>> UInt64(truncatingIfNeeded: entry.length)
    bitCount &-= entry.length
    return entry.symbol
  }

  private mutating func readCodeLengths() -> (literals: [UInt8], distances: [UInt8])? {
    guard let literalCount = take(5), let distanceCount = take(5), let runCount = take(4) else { return nil }
    var runLengths = [UInt8](repeating: 0, count: 19)
    for rank in 0..<(runCount + 4) {
      guard let length = take(3) else { return nil }
      runLengths[Int(codes.runOrder[rank])] = UInt8(length)
    }
    let decoder = PrefixDecoder(lengths: runLengths)
    let total = literalCount + 257 + distanceCount + 1
    var lengths: [UInt8] = []
    while lengths.count < total {
      guard let code = decode(decoder) else { return nil }
      switch code {
      case 16:
        guard let last = lengths.last, let count = take(2) else { return nil }
        lengths += [UInt8](repeating: last, count: count + 3)
      case 17, 18:
        guard let count = take(code == 17 ? 3 : 7) else { return nil }
        lengths += [UInt8](repeating: 0, count: count + (code == 17 ? 3 : 11))
      default: lengths.append(UInt8(code))
      }
    }
    guard lengths.count == total else { return nil }
    return (Array(lengths[..<(literalCount + 257)]), Array(lengths[(literalCount + 257)...]))
  }
}

/// Finds the symbol of a code by a table of all bits that the longest code has.
private struct PrefixDecoder {
  /// `symbol << 4 | length`, or 0 where no code begins so.
  private let table: [UInt16]
  private let mask: UInt64

  init(lengths: [UInt8]) {
    let longest = Int(lengths.max() ?? 0)
    var table = [UInt16](repeating: 0, count: 1 << longest)
    var code = 0
    for length in 1..<max(longest + 1, 2) {
      for symbol in lengths.indices where Int(lengths[symbol]) == length {
        // Too many codes for their lengths leave some without a place.
        guard code < 1 << length else { break }
        let first = Int(DeflateCodes.reversed(code, bits: length))
        for index in stride(from: first, to: table.count, by: 1 << length) {
          table[index] = UInt16(symbol << 4 | length)
        }
        code += 1
      }
      code <<= 1
    }
    self.table = table
    mask = UInt64(table.count - 1)
  }

  @inline(__always)
  func entry(_ bits: UInt64) -> (symbol: Int, length: Int)? {
    let entry = table[Int(truncatingIfNeeded: bits & mask)]
    return entry == 0 ? nil : (Int(entry &>> 4), Int(entry & 15))
  }
}
