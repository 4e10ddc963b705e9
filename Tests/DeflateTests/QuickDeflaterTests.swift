import Deflate
import TestSupport
import Testing

@Suite("Deflater for bulk work") struct QuickDeflaterTests {
  /// Around what is read at a time, a block of 16,383 symbols, the reach of matches, and the bits kept of a place.
  private static let counts = [
    0, 1, 2, 3, 4, 5, 6, 7, 9, 17, 258, 259, 300, 4096, 16_383, 16_384, 32_768, 65_535, 65_536, 65_541, 200_000,
  ]

  @Test("gives back what went in, of every kind and length", arguments: DeflateSample.allCases)
  func roundTrip(sample: DeflateSample) throws {
    let deflater = Deflater.forBulk()
    let inflater = Inflater()
    for count in Self.counts {
      let bytes = sample.bytes(count)
      let stream = deflater.deflate(bytes)
      #expect(try inflater.inflate(stream, byteCount: count) == bytes, "\(count) bytes")
      #expect(stream.count <= count + count / 2000 + 13, "\(count) bytes")
    }
  }

  @Test(
    "gives back what went in after a dictionary", arguments: DeflateSample.allCases, [DeflateSample.text, .zeros, .far])
  func dictionaries(sample: DeflateSample, other: DeflateSample) throws {
    let deflater = Deflater.forBulk()
    let inflater = Inflater()
    for dictionaryByteCount in [1, 3, 4, 5, 8192, 32_768, 40_000] {
      let dictionary = other.bytes(dictionaryByteCount, seed: 7)
      // More than what is deflated without a table of places.
      for count in [161, 8000, 70_000] {
        let bytes = sample.bytes(count, seed: 7)
        let stream = deflater.deflate(bytes, dictionary: dictionary)
        #expect(try inflater.inflate(stream, dictionary: dictionary, byteCount: count) == bytes)
      }
    }
  }

  @Test("gives back many small random contents, one after another and each after the last")
  func seeds() throws {
    let deflater = Deflater.forBulk()
    let inflater = Inflater()
    var generator = SeededGenerator(seed: 14)
    var before: [UInt8] = []
    for _ in 0..<1500 {
      let bytes = sampleBytes(
        Int.random(in: 0...900, using: &generator), distinct: UInt8.random(in: 0...255, using: &generator),
        using: &generator)
      #expect(try inflater.inflate(deflater.deflate(bytes), byteCount: bytes.count) == bytes)
      let after = deflater.deflate(bytes, dictionary: before)
      #expect(try inflater.inflate(after, dictionary: before, byteCount: bytes.count) == bytes)
      before = bytes
    }
  }

  @Test("makes the same of the same bytes, whatever came before")
  func reuse() {
    let texts = [DeflateSample.text, .markup, .far].map { $0.bytes(20_000) }
    let dictionaries = [DeflateSample.text.bytes(9000, seed: 2), DeflateSample.markup.bytes(9000, seed: 3)]
    let deflater = Deflater.forBulk()
    for _ in 0..<2 {
      for text in texts {
        #expect(deflater.deflate(text) == Deflater.forBulk().deflate(text))
        for dictionary in dictionaries {
          #expect(
            deflater.deflate(text, dictionary: dictionary) == Deflater.forBulk().deflate(text, dictionary: dictionary))
        }
      }
    }
  }

  @Test("finds what was said before, in the text and in the dictionary")
  func finds() {
    let deflater = Deflater.forBulk()
    let random = DeflateSample.random.bytes(16_000)
    #expect(deflater.deflate(random + random).count < random.count + 400)
    #expect(deflater.deflate(random, dictionary: random).count < 400)
    // A match at the greatest distance there is, and what is one byte too far.
    let far = DeflateSample.random.bytes(32_768)
    #expect(deflater.deflate(far + far.prefix(2000)).count < far.count + 250)
    #expect(deflater.deflate(far + [0] + far.prefix(2000)).count > far.count + 2000)
    #expect(deflater.deflate([UInt8](repeating: 7, count: 100_000)).count < 200)
  }

  @Test("is nearly as short as zlib", arguments: [DeflateSample.text, .markup, .runs, .periodic, .few, .mixed])
  func isShort(sample: DeflateSample) {
    let bytes = sample.bytes(100_000)
    let (quick, thorough) = (Deflater.forBulk().deflate(bytes).count, Deflater(level: 4).deflate(bytes).count)
    #expect(Double(quick) < 1.15 * Double(thorough), "\(quick) for \(thorough)")
  }
}
