/// Compresses bytes to raw deflate streams that are the same for ever, on every machine and with every library.
///
/// With the settings of zlib's levels the result is, bit for bit, what zlib (1.2.5.1 to 1.3.1) makes of the same bytes, given
/// to it at once. So the stream of another program that uses zlib can be made again from its content. What comes out is
/// part of a format: a change of it needs a new ``version``.
///
/// Not for use from several threads at once. Memory: about 330 KB at memory level 8.
///
/// Source: RFC 1951; the search for matches and the choice of blocks as in "deflate.c" and "trees.c" of zlib 1.2.13.
public final class ReproducibleDeflater {
  /// The number of the rules by which bytes are compressed.
  public static let version: UInt8 = 1

  public let settings: DeflateSettings
  private let table: MatchTable
  private var encoder: BlockEncoder

  public init(_ settings: DeflateSettings = DeflateSettings(level: 6)) {
    self.settings = settings
    table = MatchTable(memoryLevel: settings.memoryLevel)
    encoder = BlockEncoder(memoryLevel: settings.memoryLevel)
  }

  deinit {
    encoder.sink.deallocate()
  }

  /// The bytes as one raw deflate stream.
  ///
  /// Flushes are in the order of their positions, none past the end of the bytes, of which there are less than 2 GiB.
  public func deflate(_ bytes: UnsafeRawBufferPointer, flushes: [DeflateFlush] = []) -> [UInt8] {
    encoder.begin(capacity: bytes.count / 2 + 64)
    compress(bytes, flushes)
    return encoder.end()
  }

  /// Whether the bytes come out as a given stream; ends at the first block that doesn't fit.
  public func makes(
    _ stream: UnsafeRawBufferPointer, of bytes: UnsafeRawBufferPointer, flushes: [DeflateFlush] = []
  ) -> Bool {
    encoder.begin(capacity: stream.count + 64, expecting: stream)
    compress(bytes, flushes)
    encoder.check()
    let isEqual = !encoder.isWrong && encoder.sink.byteCount == stream.count
    _ = encoder.end()
    return isEqual
  }

  private func compress(_ bytes: UnsafeRawBufferPointer, _ flushes: [DeflateFlush]) {
    precondition(bytes.count <= Int(Int32.max), "longer than one deflate stream may be")
    table.clear()
    // A byte that is never read stands in for an empty input, which has no address.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1) { spare in
      spare.initialize(repeating: 0)
      let start = bytes.baseAddress ?? UnsafeRawPointer(spare.baseAddress)
      guard let start else { return }
      var window = SlidingWindow(bytes: start.assumingMemoryBound(to: UInt8.self))
      for flush in flushes {
        precondition(window.position <= flush.position && flush.position <= bytes.count, "no such place")
        window.segmentEnd = flush.position
        compress(&window, isLast: false)
        if encoder.isWrong { return }
        self.flush(flush.kind, &window)
      }
      window.segmentEnd = bytes.count
      compress(&window, isLast: true)
    }
  }

  private func compress(_ window: inout SlidingWindow, isLast: Bool) {
    switch settings.search {
    case .none: store(&window, isLast: isLast)
    case .greedy: MatchSearch(settings, table).compressGreedily(&window, &encoder)
    case .lazy: MatchSearch(settings, table).compressLazily(&window, &encoder)
    }
    guard settings.search != .none, !encoder.isWrong else { return }
    window.missing = min(window.position - window.start, 2)
    if isLast || encoder.symbolCount > 0 { encoder.endBlock(window, isLast: isLast) }
    window.blockStart = window.position
  }

  private func flush(_ kind: DeflateFlush.Kind, _ window: inout SlidingWindow) {
    switch kind {
    case .partial: encoder.writeEmptyFixedBlock()
    case .sync: encoder.store(nil, 0, isLast: false)
    case .full:
      encoder.store(nil, 0, isLast: false)
      window.forget()
    }
  }

  private func store(_ window: inout SlidingWindow, isLast: Bool) {
    repeat {
      let count = min(65_535, window.segmentEnd - window.position)
      let endsHere = isLast && window.position + count == window.segmentEnd
      guard count > 0 || endsHere else { return }
      encoder.store(window.bytes + window.position, count, isLast: endsHere)
      window.position += count
    } while window.position < window.segmentEnd
  }
}

extension BlockEncoder {
  /// Writes the block up to the window's position.
  mutating func endBlock(_ window: SlidingWindow, isLast: Bool) {
    let block = window.block
    endBlock(content: block.content, byteCount: block.byteCount, isLast: isLast)
  }
}
