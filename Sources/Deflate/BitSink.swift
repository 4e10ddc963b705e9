/// A growing run of bytes that bits are appended to, the lowest first.
struct BitSink {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var byteCount = 0
  private var bits: UInt64 = 0
  private var bitCount = 0

  init(capacity: Int) {
    self.capacity = capacity + 16
    start = .allocate(capacity: self.capacity)
  }

  /// Frees the memory; the sink is of no more use.
  func deallocate() {
    start.deallocate()
  }

  var bytes: [UInt8] {
    Array(UnsafeBufferPointer(start: start, count: byteCount))
  }

  /// Whether bytes already appended are those of another run at the same places, which it must have.
  func isEqual(to other: UnsafeRawBufferPointer, in range: Range<Int>) -> Bool {
    UnsafeRawBufferPointer(start: start, count: byteCount)[range].elementsEqual(other[range])
  }

  /// Makes room for so many more bytes, which must be done before they are appended.
  mutating func reserve(_ count: Int) {
    let needed = byteCount + count + 16
    guard needed > capacity else { return }
    let grown = max(needed, capacity + capacity / 2)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: grown)
    moved.update(from: start, count: byteCount)
    start.deallocate()
    start = moved
    capacity = grown
  }

  /// Appends bits; at most 56 may come between one ``drain()`` and the next.
  @inline(__always)
  mutating func put(_ value: UInt64, _ count: Int) {
    bits |= value &<< UInt64(truncatingIfNeeded: bitCount)
    bitCount &+= count
  }

  /// Moves whole bytes out.
  @inline(__always)
  mutating func drain() {
    UnsafeMutableRawPointer(start + byteCount).storeBytes(of: bits.littleEndian, as: UInt64.self)
    byteCount &+= bitCount &>> 3
    bits = bits &>> UInt64(truncatingIfNeeded: bitCount & ~7)
    bitCount &= 7
  }

  /// Appends bits and moves whole bytes out.
  mutating func append(_ value: Int, _ count: Int) {
    put(UInt64(truncatingIfNeeded: value), count)
    drain()
  }

  /// Fills the last byte with zero bits.
  mutating func alignToByte() {
    bitCount = (bitCount + 7) & ~7
    drain()
  }

  /// Appends bytes after ``alignToByte()``.
  mutating func append(_ source: UnsafePointer<UInt8>, _ count: Int) {
    (start + byteCount).update(from: source, count: count)
    byteCount += count
  }
}
