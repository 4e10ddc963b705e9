/// How often symbols of one alphabet occur, and the prefix code made from that.
///
/// Where several codes are equally short the choice follows zlib: a heap ordered by frequency and then by the depth of
/// the tree below, and codes past the greatest length shortened from the deepest leaves up.
struct PrefixTree {
  let symbolCount: Int
  /// By node: symbols first, inner nodes behind them.
  let frequency: UnsafeMutablePointer<UInt32>
  let length: UnsafeMutablePointer<UInt8>
  let code: UnsafeMutablePointer<UInt16>
  /// The last symbol that has a code.
  private(set) var lastSymbol = -1

  private let parent: UnsafeMutablePointer<UInt16>
  /// The heap from 1 on; behind it the nodes that have left it, the root first.
  private let heap: UnsafeMutablePointer<UInt64>
  private let extraBits: UnsafePointer<UInt8>
  private let firstWithExtraBits: Int
  private let greatestLength: Int
  private let fixedLengths: UnsafePointer<UInt8>?
  private let owned: [AnyObject]

  init(
    symbolCount: Int, extraBits: UnsafePointer<UInt8>, from firstWithExtraBits: Int, greatestLength: Int,
    fixedLengths: UnsafePointer<UInt8>?
  ) {
    let nodeCount = 2 * symbolCount + 1
    let frequency = FixedMemory<UInt32>(count: nodeCount, repeating: 0)
    let length = FixedMemory<UInt8>(count: nodeCount, repeating: 0)
    let code = FixedMemory<UInt16>(count: nodeCount, repeating: 0)
    let parent = FixedMemory<UInt16>(count: nodeCount, repeating: 0)
    let heap = FixedMemory<UInt64>(count: nodeCount + 1, repeating: 0)
    owned = [frequency, length, code, parent, heap]
    self.frequency = frequency.start
    self.length = length.start
    self.code = code.start
    self.parent = parent.start
    self.heap = heap.start
    self.symbolCount = symbolCount
    self.extraBits = extraBits
    self.firstWithExtraBits = firstWithExtraBits
    self.greatestLength = greatestLength
    self.fixedLengths = fixedLengths
  }

  func clearFrequencies() {
    frequency.update(repeating: 0, count: symbolCount)
  }

  /// Chooses code lengths and codes; returns the bits of all symbols with them, and with the fixed codes.
  mutating func build() -> (bits: Int, fixedBits: Int) {
    var heapCount = 0
    lastSymbol = -1
    for symbol in 0..<symbolCount {
      if frequency[symbol] != 0 {
        heapCount += 1
        heap[heapCount] = Self.entry(frequency[symbol], depth: 0, symbol)
        lastSymbol = symbol
      } else {
        length[symbol] = 0
      }
    }
    // A code needs two symbols; such a stand-in is never sent, so its bit is not counted.
    var (bits, fixedBits) = (0, 0)
    while heapCount < 2 {
      var symbol = 0
      if lastSymbol < 2 {
        lastSymbol += 1
        symbol = lastSymbol
      }
      heapCount += 1
      frequency[symbol] = 1
      heap[heapCount] = Self.entry(1, depth: 0, symbol)
      bits -= 1
      if let fixedLengths { fixedBits -= Int(fixedLengths[symbol]) }
    }
    let order = joinNodes(heapCount)
    let counts = assignLengths(order, &bits, &fixedBits)
    assignCodes(counts)
    return (bits, fixedBits)
  }

  /// Joins the two rarest nodes until one is left; returns where the order of nodes begins in the heap's memory, the root
  /// first.
  private func joinNodes(_ count: Int) -> Int {
    var count = count
    var start = 2 * symbolCount + 1
    for index in stride(from: count / 2, through: 1, by: -1) { siftDown(index, count) }
    var node = symbolCount
    repeat {
      let rarest = heap[1]
      heap[1] = heap[count]
      count -= 1
      siftDown(1, count)
      let next = heap[1]
      start -= 2
      heap[start + 1] = rarest
      heap[start] = next
      frequency[node] = frequency[Self.node(rarest)] &+ frequency[Self.node(next)]
      parent[Self.node(rarest)] = UInt16(truncatingIfNeeded: node)
      parent[Self.node(next)] = UInt16(truncatingIfNeeded: node)
      heap[1] = Self.entry(frequency[node], depth: max(Self.depth(rarest), Self.depth(next)) &+ 1, node)
      node += 1
      siftDown(1, count)
    } while count >= 2
    start -= 1
    heap[start] = heap[1]
    return start
  }

  // An entry of the heap holds what its order depends on, frequency and depth, above the number of the node.

  @inline(__always)
  private static func entry(_ frequency: UInt32, depth: UInt64, _ node: Int) -> UInt64 {
    UInt64(frequency) &<< 32 | depth &<< 16 | UInt64(truncatingIfNeeded: node)
  }

  @inline(__always)
  private static func depth(_ entry: UInt64) -> UInt64 { entry &>> 16 & 0xFFFF }

  @inline(__always)
  private static func node(_ entry: UInt64) -> Int { Int(truncatingIfNeeded: entry & 0xFFFF) }

  /// Whether a node comes before another one, or they are equal but for their numbers.
  @inline(__always)
  private static func isRarer(_ one: UInt64, _ other: UInt64) -> Bool { one &>> 16 <= other &>> 16 }

  private func siftDown(_ index: Int, _ count: Int) {
    let node = heap[index]
    var index = index
    var child = index &<< 1
    while child <= count {
      if child < count && Self.isRarer(heap[child &+ 1], heap[child]) { child &+= 1 }
      if Self.isRarer(node, heap[child]) { break }
      heap[index] = heap[child]
      index = child
      child = child &<< 1
    }
    heap[index] = node
  }

  /// Gives each leaf its depth as length, none above the greatest; returns how many symbols have which length.
  private func assignLengths(_ order: Int, _ bits: inout Int, _ fixedBits: inout Int) -> [Int] {
    var counts = [Int](repeating: 0, count: 16)
    var excess = 0
    let end = 2 * symbolCount + 1
    length[Self.node(heap[order])] = 0
    for index in (order + 1)..<end {
      let node = Self.node(heap[index])
      var own = Int(length[Int(parent[node])]) + 1
      if own > greatestLength {
        own = greatestLength
        excess += 1
      }
      length[node] = UInt8(truncatingIfNeeded: own)
      guard node <= lastSymbol else { continue }
      counts[own] += 1
      let extra = node >= firstWithExtraBits ? Int(extraBits[node - firstWithExtraBits]) : 0
      bits += Int(frequency[node]) * (own + extra)
      if let fixedLengths { fixedBits += Int(frequency[node]) * (Int(fixedLengths[node]) + extra) }
    }
    if excess > 0 { shorten(excess, &counts, &bits) }
    return counts
  }

  private func shorten(_ excess: Int, _ counts: inout [Int], _ bits: inout Int) {
    var excess = excess
    repeat {
      var shorter = greatestLength - 1
      while counts[shorter] == 0 { shorter -= 1 }
      counts[shorter] -= 1
      counts[shorter + 1] += 2
      counts[greatestLength] -= 1
      excess -= 2
    } while excess > 0
    var index = 2 * symbolCount + 1
    for own in stride(from: greatestLength, to: 0, by: -1) {
      var left = counts[own]
      while left > 0 {
        index -= 1
        let node = Self.node(heap[index])
        guard node <= lastSymbol else { continue }
        bits += (own - Int(length[node])) * Int(frequency[node])
        length[node] = UInt8(truncatingIfNeeded: own)
        left -= 1
      }
    }
  }

  private func assignCodes(_ counts: [Int]) {
    var next = [Int](repeating: 0, count: 16)
    for own in 1...15 { next[own] = (next[own - 1] + counts[own - 1]) << 1 }
    for symbol in 0...lastSymbol where length[symbol] != 0 {
      let own = Int(length[symbol])
      code[symbol] = DeflateCodes.reversed(next[own], bits: own)
      next[own] += 1
    }
  }
}
