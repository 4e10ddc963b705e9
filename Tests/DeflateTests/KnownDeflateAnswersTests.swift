import TestSupport
import Testing

@testable import Deflate

/// A content, settings, and the stream that zlib 1.2.13 made of it, in hexadecimal.
struct KnownAnswer: CustomTestStringConvertible {
  let content: String
  let level: Int
  var memoryLevel = 8
  let stream: String

  var testDescription: String { "level \(level) of \(content.prefix(20))" }
}

private let wood = "How much wood would a woodchuck chuck if a woodchuck could chuck wood?\n"
private let woodStream = "F3C82F57C82D4DCE5028CFCF4F0112A539290A89604E72466972B60284CC4C4315042B83"

@Suite("What ReproducibleDeflater gives for ever") struct KnownDeflateAnswersTests {
  @Test(
    "is what it was when its rules were frozen",
    arguments: [
      KnownAnswer(content: "", level: 0, stream: "010000FFFF"),
      KnownAnswer(content: "", level: 1, stream: "0300"),
      KnownAnswer(content: "", level: 6, stream: "0300"),
      KnownAnswer(content: "abc", level: 0, stream: "010300FCFF616263"),
      KnownAnswer(content: "abc", level: 6, stream: "4B4C4A0600"),
      KnownAnswer(content: String(repeating: "a", count: 1000), level: 1, stream: "4B4C1C05A321301A02C33D0400"),
      KnownAnswer(content: String(repeating: "a", count: 1000), level: 3, stream: "4B4C1C05A321301A02C33D0400"),
      KnownAnswer(
        content: String(repeating: "a", count: 1000), level: 4, memoryLevel: 7, stream: "4B4C1C05A360140C770000"),
      KnownAnswer(content: String(repeating: "a", count: 1000), level: 9, stream: "4B4C1C05A360140C770000"),
      KnownAnswer(content: wood, level: 1, stream: woodStream + "4881F4D9730100"),
      KnownAnswer(content: wood, level: 3, stream: woodStream + "488194DA730100"),
      KnownAnswer(content: wood, level: 4, memoryLevel: 7, stream: woodStream + "B041A2F65C00"),
      KnownAnswer(content: wood, level: 6, stream: woodStream + "B041A2F65C00"),
      KnownAnswer(content: wood + wood + wood, level: 1, stream: woodStream + "4881F4D973790" + "C2A6300"),
      KnownAnswer(content: wood + wood + wood, level: 6, stream: woodStream + "B041A2F65C1E83CA1800"),
      KnownAnswer(
        content: wood + wood + wood, level: 9, memoryLevel: 9, stream: woodStream + "B041A2F65C1E83CA1800"),
    ])
  func knownAnswer(_ row: KnownAnswer) {
    let deflater = ReproducibleDeflater(DeflateSettings(level: row.level, memoryLevel: row.memoryLevel))
    let stream = deflater.deflate(Array(row.content.utf8))
    #expect(stream.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined() == row.stream)
  }

  @Test("is checked by the program itself, on a longer content")
  func knownChecksums() {
    for (settings, checksum) in ReproducibleDeflater.knownAnswers {
      #expect(ReproducibleDeflater(settings).checksumOfSample() == checksum, "\(settings)")
    }
    #expect(ReproducibleDeflater.givesKnownAnswers)
  }

  @Test("inflates to what went in", arguments: DeflateSample.allCases)
  func inflates(kind: DeflateSample) throws {
    let bytes = kind.bytes(100_000)
    let stream = ReproducibleDeflater().deflate(bytes, flushes: [DeflateFlush(.full, at: 7000)])
    #expect(try Inflater().inflate(stream, byteCount: bytes.count) == bytes)
  }
}
