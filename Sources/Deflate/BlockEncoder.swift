/// Collects the symbols of a block and writes it in the form that is shortest.
///
/// Source: RFC 1951, section 3.2; where blocks end, and which of equal forms is taken, follows zlib.
struct BlockEncoder {
  var sink: BitSink
  /// Literal, or length and distance: `distance << 8 | length - 3`; a literal has no distance.
  let symbols: UnsafeMutablePointer<UInt32>
  var symbolCount = 0
  /// A block has at most so many symbols.
  let capacity: Int

  /// What the stream should be, where that is all that is asked.
  private var expected: UnsafeRawBufferPointer?
  private var checkedCount = 0
  /// The stream is known to be another than expected; to go on is pointless.
  private(set) var isWrong = false

  let lengthCode: UnsafePointer<UInt8>
  let distanceCode: UnsafePointer<UInt8>
  let literalCounts: UnsafeMutablePointer<UInt32>
  let distanceCounts: UnsafeMutablePointer<UInt32>

  private let codes: DeflateCodes
  private var literals: PrefixTree
  private var distances: PrefixTree
  private var runs: PrefixTree
  private let owned: FixedMemory<UInt32>

  init(memoryLevel: Int) {
    codes = DeflateCodes.shared
    capacity = (1 << (memoryLevel + 6)) - 1
    owned = FixedMemory(count: capacity, repeating: 0)
    symbols = owned.start
    literals = PrefixTree(
      symbolCount: DeflateCodes.literalAndLengthCount, extraBits: codes.lengthExtra, from: 257, greatestLength: 15,
      fixedLengths: codes.fixedLiteralLengths)
    distances = PrefixTree(
      symbolCount: DeflateCodes.distanceCount, extraBits: codes.distanceExtra, from: 0, greatestLength: 15,
      fixedLengths: codes.fixedDistanceLengths)
    runs = PrefixTree(symbolCount: 19, extraBits: codes.runExtra, from: 0, greatestLength: 7, fixedLengths: nil)
    literalCounts = literals.frequency
    distanceCounts = distances.frequency
    lengthCode = codes.lengthCode
    distanceCode = codes.distanceCode
    sink = BitSink(capacity: 0)
  }

  /// Begins a stream.
  mutating func begin(capacity: Int, expecting expected: UnsafeRawBufferPointer? = nil) {
    sink.deallocate()
    sink = BitSink(capacity: capacity)
    self.expected = expected
    checkedCount = 0
    isWrong = false
    clear()
  }

  /// Compares what came since the last time with what is expected.
  mutating func check() {
    guard let expected, !isWrong else { return }
    isWrong = sink.byteCount > expected.count || !sink.isEqual(to: expected, in: checkedCount..<sink.byteCount)
    checkedCount = sink.byteCount
  }

  /// The stream's bytes; frees their memory.
  mutating func end() -> [UInt8] {
    let bytes = sink.bytes
    sink.deallocate()
    sink = BitSink(capacity: 0)
    expected = nil
    return bytes
  }

  /// Adds a byte; true once the block is full.
  @inline(__always)
  mutating func add(literal byte: UInt8) -> Bool {
    symbols[symbolCount] = UInt32(byte)
    symbolCount &+= 1
    literalCounts[Int(byte)] &+= 1
    return symbolCount == capacity
  }

  /// Adds a match; true once the block is full.
  @inline(__always)
  mutating func add(matchOf length: Int, distance: Int) -> Bool {
    symbols[symbolCount] = UInt32(truncatingIfNeeded: distance &<< 8 | (length &- 3))
    symbolCount &+= 1
    literalCounts[Int(lengthCode[length &- 3]) &+ 257] &+= 1
    let reach = distance &- 1
    distanceCounts[Int(distanceCode[reach < 256 ? reach : 256 &+ reach &>> 7])] &+= 1
    return symbolCount == capacity
  }

  private mutating func clear() {
    literals.clearFrequencies()
    distances.clearFrequencies()
    literalCounts[DeflateCodes.endOfBlock] = 1
    symbolCount = 0
  }

  /// Writes the block and begins the next one.
  ///
  /// `content` is what the symbols stand for, unless it isn't at hand any more; then the block isn't stored.
  mutating func endBlock(content: UnsafePointer<UInt8>?, byteCount: Int, isLast: Bool) {
    var (bits, fixedBits) = literals.build()
    let distanceBits = distances.build()
    countRuns()
    bits += distanceBits.bits + runs.build().bits
    fixedBits += distanceBits.fixedBits
    var sentRuns = 19
    while sentRuns > 4 && runs.length[Int(codes.runOrder[sentRuns - 1])] == 0 { sentRuns -= 1 }
    bits += 3 * sentRuns + 5 + 5 + 4
    let (ownSize, fixedSize) = ((bits + 3 + 7) >> 3, (fixedBits + 3 + 7) >> 3)
    let size = min(ownSize, fixedSize)
    sink.reserve(max(size, byteCount + 8) + 8)
    if let content, byteCount + 4 <= size, byteCount <= 65_535 {
      store(content, byteCount, isLast: isLast)
    } else if fixedSize == size {
      sink.append(1 << 1 | (isLast ? 1 : 0), 3)
      writeSymbols(
        codes.fixedLiteralCodes, codes.fixedLiteralLengths, codes.fixedDistanceCodes, codes.fixedDistanceLengths)
    } else {
      sink.append(2 << 1 | (isLast ? 1 : 0), 3)
      writeCodeLengths(sentRuns)
      writeSymbols(
        UnsafePointer(literals.code), UnsafePointer(literals.length), UnsafePointer(distances.code),
        UnsafePointer(distances.length))
    }
    clear()
    if isLast { sink.alignToByte() }
    check()
  }

  /// Writes a stored block; at most 65,535 bytes, or none.
  mutating func store(_ content: UnsafePointer<UInt8>?, _ byteCount: Int, isLast: Bool) {
    sink.reserve(byteCount + 8)
    sink.append(isLast ? 1 : 0, 3)
    sink.alignToByte()
    sink.append(byteCount, 16)
    sink.append(~byteCount & 0xFFFF, 16)
    if let content { sink.append(content, byteCount) }
  }

  /// Writes an empty block of fixed codes.
  mutating func writeEmptyFixedBlock() {
    sink.reserve(8)
    sink.append(1 << 1, 3)
    sink.append(0, 7)
  }

  private mutating func writeSymbols(
    _ literalCode: UnsafePointer<UInt16>, _ literalLength: UnsafePointer<UInt8>,
    _ distanceCodes: UnsafePointer<UInt16>, _ distanceLength: UnsafePointer<UInt8>
  ) {
    let (lengthBase, lengthExtra) = (codes.lengthBase, codes.lengthExtra)
    let (distanceBase, distanceExtra) = (codes.distanceBase, codes.distanceExtra)
    let (lengthCode, distanceCode) = (self.lengthCode, self.distanceCode)
    let (symbols, count) = (self.symbols, symbolCount)
    var sink = self.sink
    for index in 0..<count {
      let symbol = Int(symbols[index])
      let (low, distance) = (symbol & 0xFF, symbol &>> 8)
      if distance == 0 {
        sink.put(UInt64(literalCode[low]), Int(literalLength[low]))
      } else {
        let length = Int(lengthCode[low])
        sink.put(UInt64(literalCode[length &+ 257]), Int(literalLength[length &+ 257]))
        sink.put(UInt64(truncatingIfNeeded: low &- Int(lengthBase[length])), Int(lengthExtra[length]))
        let reach = distance &- 1
        let code = Int(distanceCode[reach < 256 ? reach : 256 &+ reach &>> 7])
        sink.put(UInt64(distanceCodes[code]), Int(distanceLength[code]))
        sink.put(UInt64(truncatingIfNeeded: reach &- Int(distanceBase[code])), Int(distanceExtra[code]))
      }
      sink.drain()
    }
    sink.append(Int(literalCode[DeflateCodes.endOfBlock]), Int(literalLength[DeflateCodes.endOfBlock]))
    self.sink = sink
  }
}

// How a block tells its code lengths.
extension BlockEncoder {
  private mutating func countRuns() {
    runs.clearFrequencies()
    for tree in [literals, distances] {
      CodeLengthRun.forEach(in: tree) { run in
        switch run.code {
        case nil: runs.frequency[run.length] &+= UInt32(run.count)
        case let code?:
          if run.sendsLength { runs.frequency[run.length] &+= 1 }
          runs.frequency[code] &+= 1
        }
      }
    }
  }

  private mutating func writeCodeLengths(_ sentRuns: Int) {
    sink.append(literals.lastSymbol + 1 - 257, 5)
    sink.append(distances.lastSymbol + 1 - 1, 5)
    sink.append(sentRuns - 4, 4)
    for rank in 0..<sentRuns { sink.append(Int(runs.length[Int(codes.runOrder[rank])]), 3) }
    let (code, length) = (runs.code, runs.length)
    for tree in [literals, distances] {
      CodeLengthRun.forEach(in: tree) { run in
        guard let repeating = run.code else {
          for _ in 0..<run.count { sink.append(Int(code[run.length]), Int(length[run.length])) }
          return
        }
        if run.sendsLength { sink.append(Int(code[run.length]), Int(length[run.length])) }
        sink.append(Int(code[repeating]), Int(length[repeating]))
        switch repeating {
        case 16: sink.append(run.count - (run.sendsLength ? 1 : 0) - 3, 2)
        case 17: sink.append(run.count - 3, 3)
        default: sink.append(run.count - 11, 7)
        }
      }
    }
  }
}

/// Equal code lengths one after another, as they are sent together.
private struct CodeLengthRun {
  let length: Int
  let count: Int
  /// The code for repeating (16, 17 or 18), or `nil` where each length is sent for itself.
  let code: Int?
  /// The length is sent before the code that repeats it.
  let sendsLength: Bool

  static func forEach(in tree: PrefixTree, _ body: (CodeLengthRun) -> Void) {
    var previous = -1
    var next = Int(tree.length[0])
    var count = 0
    var limits = next == 0 ? (138, 3) : (7, 4)
    for symbol in 0...tree.lastSymbol {
      let length = next
      next = symbol < tree.lastSymbol ? Int(tree.length[symbol + 1]) : 0xFFFF
      count += 1
      if count < limits.0 && length == next { continue }
      if count < limits.1 {
        body(CodeLengthRun(length: length, count: count, code: nil, sendsLength: false))
      } else if length != 0 {
        body(CodeLengthRun(length: length, count: count, code: 16, sendsLength: length != previous))
      } else {
        body(CodeLengthRun(length: 0, count: count, code: count <= 10 ? 17 : 18, sendsLength: false))
      }
      count = 0
      previous = length
      limits = next == 0 ? (138, 3) : length == next ? (6, 3) : (7, 4)
    }
  }
}
