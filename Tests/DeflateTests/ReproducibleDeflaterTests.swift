import Deflate
import TestSupport
import Testing

extension ReproducibleDeflater {
  func deflate(_ bytes: [UInt8], flushes: [DeflateFlush] = []) -> [UInt8] {
    bytes.withUnsafeBytes { deflate($0, flushes: flushes) }
  }
}

/// Settings of all kinds, each with its name.
let settingsToCompare: [DeflateSettings] =
  (0...9).flatMap { level in [7, 8, 9].map { DeflateSettings(level: level, memoryLevel: $0) } }
  + [.word, .excel] + [1, 2, 3].map { DeflateSettings(level: 6, memoryLevel: $0) }

@Suite("ReproducibleDeflater") struct ReproducibleDeflaterTests {
  private func compare(
    _ bytes: [UInt8], _ deflater: ReproducibleDeflater, flushes: [DeflateFlush] = [], _ comment: Comment
  ) {
    let own = deflater.deflate(bytes, flushes: flushes)
    let reference = ZlibReference.deflate(bytes, deflater.settings, flushes: flushes)
    #expect(own.count == reference.count, comment)
    #expect(own.elementsEqual(reference), comment)
  }

  @Test("makes what zlib makes of short inputs", arguments: settingsToCompare)
  func shortInputs(settings: DeflateSettings) {
    let deflater = ReproducibleDeflater(settings)
    for kind in DeflateSample.allCases {
      for count in Array(0...10) + [33, 64, 257, 258, 259, 261, 262, 263, 300, 520, 1000] {
        compare(kind.bytes(count), deflater, "\(kind) \(count)")
      }
    }
  }

  @Test("makes what zlib makes at the edges of window and block", arguments: [1, 4, 6, 9])
  func edges(level: Int) {
    let deflater = ReproducibleDeflater(DeflateSettings(level: level, memoryLevel: 7 + level % 3))
    for kind in [DeflateSample.text, .random, .zeros, .far] {
      for count in [8191, 8192, 16_384, 32_506, 32_768, 65_274, 65_275, 65_535, 65_536, 98_043] {
        compare(kind.bytes(count), deflater, "\(kind) \(count)")
      }
    }
  }

  @Test("makes what zlib makes of inputs longer than the window", arguments: settingsToCompare)
  func longInputs(settings: DeflateSettings) {
    let deflater = ReproducibleDeflater(settings)
    for kind in [DeflateSample.random, .mixed] { compare(kind.bytes(100_000), deflater, "\(kind)") }
  }

  @Test("makes what zlib makes of three megabytes")
  func veryLong() {
    compare(DeflateSample.mixed.bytes(3_000_000), ReproducibleDeflater(), "mixed")
  }

  @Test("makes what zlib makes with flushes anywhere", arguments: 0..<60 as Range<UInt64>)
  func flushes(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let settings =
      [.word, .excel, DeflateSettings(level: 6)]
      + settingsToCompare.filter { $0.search != .none }.shuffled(using: &generator).prefix(3)
    let count = Int.random(in: 0...(seed % 6 == 0 ? 150_000 : 300), using: &generator)
    let bytes = (DeflateSample.allCases.randomElement(using: &generator) ?? .mixed).bytes(count, seed: seed)
    // zlib ignores a second flush at one place, so no place comes twice.
    let places = Set(
      (0..<Int.random(in: 1...6, using: &generator)).map { _ in Int.random(in: 1...max(1, count), using: &generator) })
    let flushes = places.filter { $0 <= count }.sorted().map { place in
      DeflateFlush([.partial, .sync, .full].randomElement(using: &generator) ?? .sync, at: place)
    }
    for settings in settings {
      compare(bytes, ReproducibleDeflater(settings), flushes: flushes, "\(settings) \(count) \(flushes)")
    }
  }

  @Test("takes three bytes from as far away as zlib does", arguments: 4090...4100 as ClosedRange<Int>)
  func farForThree(distance: Int) {
    // Six bits a byte, so that the block isn't stored.
    var bytes = DeflateSample.random.bytes(distance + 100).map { $0 & 0x3F | 0x40 }
    for start in [20, 20 + distance] { bytes.replaceSubrange(start..<(start + 3), with: [1, 2, 3]) }
    for level in [1, 4, 6, 9] { compare(bytes, ReproducibleDeflater(DeflateSettings(level: level)), "level \(level)") }
  }

  @Test(
    "stores no block that zlib's window has left behind", arguments: [32_000, 32_507, 32_600, 32_767, 32_768, 33_000])
  func blockPastTheWindow(start: Int) {
    let bytes = DeflateSample.random.bytes(100_000)
    for level in [1, 6] {
      let deflater = ReproducibleDeflater(DeflateSettings(level: level, memoryLevel: 9))
      compare(bytes, deflater, flushes: [DeflateFlush(.sync, at: start)], "level \(level)")
    }
  }

  @Test("ends as Word and Excel end a stream")
  func officeEnd() {
    let bytes = DeflateSample.markup.bytes(3000)
    for settings in [DeflateSettings.word, .excel] {
      let stream = ReproducibleDeflater(settings).deflate(bytes, flushes: [DeflateFlush(.sync, at: bytes.count)])
      #expect(stream.suffix(6) == [0, 0, 0xFF, 0xFF, 3, 0])
    }
  }

  @Test("keeps nothing of one stream for the next")
  func reuse() {
    let deflater = ReproducibleDeflater()
    let bytes = DeflateSample.text.bytes(5000)
    let first = deflater.deflate(bytes)
    _ = deflater.deflate(DeflateSample.mixed.bytes(100_000))
    #expect(deflater.deflate(bytes) == first)
  }

  @Test("takes no settings out of range")
  func settingsOutOfRange() {
    for (good, lazy, nice, chain, memory) in [
      (-1, 4, 8, 4, 8), (4, 259, 8, 4, 8), (4, 4, 300, 4, 8), (4, 4, 8, 3, 8), (4, 4, 8, 70_000, 8), (4, 4, 8, 4, 0),
      (4, 4, 8, 4, 10),
    ] {
      let settings = DeflateSettings(
        search: .lazy, goodLength: good, lazyLength: lazy, niceLength: nice, chainLength: chain, memoryLevel: memory)
      #expect(settings == nil)
    }
    let word = DeflateSettings(
      search: .lazy, goodLength: 8, lazyLength: 4, niceLength: 258, chainLength: 32, memoryLevel: 7)
    #expect(word == .word)
  }
}
