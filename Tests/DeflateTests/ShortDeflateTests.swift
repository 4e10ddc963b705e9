import TestSupport
import Testing

@testable import Deflate

@Suite("Short streams") struct ShortDeflateTests {
  private func deflate(_ bytes: [UInt8], _ dictionary: [UInt8]) -> [UInt8]? {
    bytes.withUnsafeBytes { bytes in dictionary.withUnsafeBytes { ShortDeflate.deflate(bytes, dictionary: $0) } }
  }

  /// A text of words, and edits of a few of its words.
  private func edit(_ generator: inout SeededGenerator) -> (text: [UInt8], dictionary: [UInt8]) {
    let words = [
      "version", "of", "a", "document", "store", "und", "über", "the", "conflict", "e", "\u{1F600}", "device\n",
    ]
    func some(_ count: Int) -> [UInt8] {
      (0..<count).flatMap { _ in Array((words.randomElement(using: &generator) ?? "").utf8) + [0x20] }
    }
    let dictionary = some(Int.random(in: 0...3000, using: &generator))
    return (Array(some(30).prefix(Int.random(in: 1...160, using: &generator))), Array(dictionary.suffix(32_506)))
  }

  @Test("are what zlib inflates to the same bytes, and hardly longer than its own", arguments: 0..<40 as Range<UInt64>)
  func texts(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let inflater = Inflater()
    var (total, otherTotal) = (0, 0)
    for _ in 0..<25 {
      let (text, dictionary) = edit(&generator)
      let other = ZlibReference.deflate(text, dictionary: dictionary)
      guard let short = deflate(text, dictionary) else {
        #expect(other.count > 60)
        continue
      }
      #expect(try inflater.inflate(short, dictionary: dictionary, byteCount: text.count) == text)
      total += short.count
      otherTotal += other.count
    }
    #expect(total <= otherTotal + otherTotal / 50, "\(total) \(otherTotal)")
  }

  @Test("reach over the whole dictionary, and over its end into the text", arguments: [0, 1, 2, 3, 258, 32_506])
  func reach(count: Int) throws {
    var generator = SeededGenerator(seed: 5)
    let dictionary = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let inflater = Inflater()
    for text in [
      Array(dictionary.prefix(160)), Array(dictionary.suffix(160)),
      Array(dictionary.suffix(2) + dictionary.suffix(2) + [9]),
      [UInt8](repeating: dictionary.last ?? 1, count: 160), Array(dictionary.prefix(3) + [0] + dictionary.suffix(3)),
      [255],
      [143, 144],
    ] where !text.isEmpty {
      let short = try #require(deflate(text, dictionary))
      #expect(try inflater.inflate(short, dictionary: dictionary, byteCount: text.count) == text)
      if text.count == 160 { #expect(short.count < 12) }
    }
  }

  @Test("have every length and every distance") func everySymbol() throws {
    var generator = SeededGenerator(seed: 6)
    let dictionary = (0..<32_506).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let inflater = Inflater()
    for length in 3...160 {
      let text = Array(dictionary[100..<100 + length])
      let short = try #require(deflate(text, dictionary))
      #expect(try inflater.inflate(short, dictionary: dictionary, byteCount: length) == text)
    }
    for distance in Array(4..<700) + stride(from: 700, through: 32_506, by: 97) {
      let start = dictionary.count - distance
      let text = Array(dictionary[start..<min(start + 12, dictionary.count)])
      let short = try #require(deflate(text, dictionary))
      #expect(try inflater.inflate(short, dictionary: dictionary, byteCount: text.count) == text)
      #expect(short.count <= 6 || text.count < 5, "\(distance)")
    }
  }

  @Test("of noise are left to others where they are longer than 80 bytes") func noise() throws {
    var generator = SeededGenerator(seed: 7)
    let noise = (0..<161).map { _ in UInt8.random(in: 0...255, using: &generator) }
    #expect(deflate(Array(noise.prefix(160)), []) == nil)
    #expect(deflate(Array(noise.prefix(60)), [])?.count ?? 99 <= 69)
    let deflater = Deflater()
    for count in [1, 60, 70, 80, 159, 160, 161] {
      let text = Array(noise.prefix(count))
      let stream = deflater.deflate(text, dictionary: [1])
      #expect(try Inflater().inflate(stream, dictionary: [1], byteCount: count) == text)
    }
  }
}
