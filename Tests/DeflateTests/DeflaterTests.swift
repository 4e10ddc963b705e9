import Deflate
import TestSupport
import Testing

/// Bytes with some repetition, so that deflate has matches, literals and stored blocks to choose from.
func sampleBytes(_ count: Int, distinct: UInt8 = 255, using generator: inout SeededGenerator) -> [UInt8] {
  var bytes: [UInt8] = []
  while bytes.count < count {
    if bytes.count > 8 && Bool.random(using: &generator) {
      let start = Int.random(in: 0..<(bytes.count - 4), using: &generator)
      let end = Int.random(in: start...min(bytes.count, start + 300), using: &generator)
      bytes.append(contentsOf: bytes[start..<end])
    } else {
      bytes.append(UInt8.random(in: 0...distinct, using: &generator))
    }
  }
  return Array(bytes.prefix(count))
}

extension Deflater {
  func deflate(_ bytes: [UInt8], dictionary: [UInt8]? = nil) -> [UInt8] {
    bytes.withUnsafeBytes { bytes in
      guard let dictionary else { return deflate(bytes) }
      return dictionary.withUnsafeBytes { deflate(bytes, dictionary: $0) }
    }
  }
}

extension Inflater {
  func inflate(_ bytes: [UInt8], dictionary: [UInt8]? = nil, byteCount: Int) throws -> [UInt8] {
    try bytes.withUnsafeBytes { bytes in
      guard let dictionary else { return try inflate(bytes, byteCount: byteCount) }
      return try dictionary.withUnsafeBytes { try inflate(bytes, dictionary: $0, byteCount: byteCount) }
    }
  }
}

@Suite("Deflater and Inflater") struct DeflaterTests {
  @Test("give back what went in, at every level", arguments: [0, 1, 6, 9], [0, 1, 2, 100, 70_000])
  func roundTrip(level: Int, count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    let deflater = Deflater(level: level)
    let inflater = Inflater()
    for distinct in [3, 255] as [UInt8] {
      let bytes = sampleBytes(count, distinct: distinct, using: &generator)
      #expect(try inflater.inflate(deflater.deflate(bytes), byteCount: count) == bytes)
    }
  }

  @Test("use a dictionary, whose last 32 KiB count", arguments: [1, 1000, 32_768, 40_000])
  func dictionary(count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    let dictionary = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let bytes = Array(dictionary.suffix(600))
    let deflater = Deflater()
    let compressed = deflater.deflate(bytes, dictionary: dictionary)
    if count >= 600 { #expect(compressed.count < 40) }
    #expect(try Inflater().inflate(compressed, dictionary: dictionary, byteCount: bytes.count) == bytes)
    #expect(deflater.deflate(bytes, dictionary: Array(dictionary.suffix(32_768))) == compressed)
  }

  @Test("keep nothing of one stream for the next")
  func reuse() throws {
    let bytes = Array("The same bytes, the same bytes, again and again.".utf8)
    let deflater = Deflater()
    let inflater = Inflater()
    let first = deflater.deflate(bytes)
    _ = deflater.deflate(bytes, dictionary: bytes)
    #expect(throws: DeflateError.truncated) { try inflater.inflate(Array(first.dropLast()), byteCount: bytes.count) }
    #expect(deflater.deflate(bytes) == first)
    #expect(try inflater.inflate(first, byteCount: bytes.count) == bytes)
  }

  @Test("write raw deflate without a wrapper")
  func rawFormat() throws {
    #expect(Deflater().deflate([]) == [0x03, 0x00])
    #expect(Deflater().deflate(Array("abc".utf8)) == [0x4B, 0x4C, 0x4A, 0x06, 0x00])
    #expect(try Inflater().inflate([0x4B, 0x4C, 0x4A, 0x06, 0x00], byteCount: 3) == Array("abc".utf8))
  }
}
