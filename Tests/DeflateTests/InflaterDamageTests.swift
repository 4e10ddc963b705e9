import Deflate
import TestSupport
import Testing

@Suite("Inflater, given damaged streams") struct InflaterDamageTests {
  private let bytes = Array("A stream that is whole, and a stream that is whole.".utf8)

  @Test("refuses every other length than the stream's", arguments: [-1, 0, 1, 50, 52, 100, 1 << 40, Int.max])
  func wrongLength(byteCount: Int) {
    let stream = Deflater().deflate(bytes)
    #expect(throws: DeflateError.wrongLength) { try Inflater().inflate(stream, byteCount: byteCount) }
  }

  @Test("refuses a cut stream, wherever it is cut")
  func cut() {
    let stream = Deflater().deflate(bytes)
    for count in 0..<stream.count {
      #expect(throws: DeflateError.truncated) {
        try Inflater().inflate(Array(stream.prefix(count)), byteCount: bytes.count)
      }
    }
  }

  @Test("refuses bytes behind the stream")
  func trailingBytes() {
    #expect(throws: DeflateError.trailingBytes) {
      try Inflater().inflate(Deflater().deflate(bytes) + [0], byteCount: bytes.count)
    }
    #expect(throws: DeflateError.trailingBytes) { try Inflater().inflate([3, 0, 3], byteCount: 0) }
  }

  @Test("refuses what breaks the rules of deflate")
  func malformed() {
    #expect(throws: DeflateError.malformed) { try Inflater().inflate([0x07, 0x00], byteCount: 1) }
  }

  @Test("refuses a stream whose dictionary is missing")
  func missingDictionary() {
    let stream = Deflater().deflate(bytes, dictionary: bytes)
    #expect(throws: DeflateError.malformed) { try Inflater().inflate(stream, byteCount: bytes.count) }
  }

  @Test("fills exactly the expected bytes or throws, whatever is changed", arguments: 0..<300 as Range<UInt64>)
  func changedBytes(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let content = sampleBytes(Int.random(in: 1...2000, using: &generator), distinct: 20, using: &generator)
    var stream = Deflater().deflate(content)
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      stream[Int.random(in: 0..<stream.count, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    }
    let inflater = Inflater()
    if let result = try? inflater.inflate(stream, byteCount: content.count) { #expect(result.count == content.count) }
  }
}
