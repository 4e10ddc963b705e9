import Hashing
import ObjectStorage
import TestSupport
import Testing

private let first = SHA256.hash(Array("first".utf8))
private let second = SHA256.hash(Array("second".utf8))

private struct Hostile: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var bytes: [UInt8]
  var error: DecodingFailure
}

@Suite("ChunkList") struct ChunkListTests {
  @Test("has the bytes of the format")
  func golden() throws {
    let list = try #require(
      ChunkList(chunks: [.init(id: first, byteCount: 1), .init(id: second, byteCount: 65_536)]))
    #expect(list.byteCount == 65_537)
    let bytes = [2] + first.digest + [1] + second.digest + [0x80, 0x80, 0x04]
    #expect(list.encoded() == bytes)
    #expect(try ChunkList(decoding: bytes) == list)
  }

  @Test("gives back any list", arguments: 0..<50 as Range<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let chunks = (0..<Int.random(in: 1...40, using: &generator)).map { number in
      ChunkList.Chunk(
        id: SHA256.hash([UInt8(number)]),
        byteCount: 1 << UInt64.random(in: 0..<40, using: &generator))
    }
    let list = try #require(ChunkList(chunks: chunks))
    #expect(try ChunkList(decoding: list.encoded()) == list)
    #expect(list.byteCount == chunks.reduce(0) { $0 + $1.byteCount })
  }

  @Test("holds no empty list, no empty chunk and no content beyond the limit")
  func invalid() {
    #expect(ChunkList(chunks: []) == nil)
    #expect(ChunkList(chunks: [.init(id: first, byteCount: 0)]) == nil)
    let limit = ChunkList.byteCountLimit
    #expect(limit == 9_007_199_254_740_991)
    #expect(ChunkList(chunks: [.init(id: first, byteCount: limit)]) != nil)
    #expect(ChunkList(chunks: [.init(id: first, byteCount: limit), .init(id: first, byteCount: 1)]) == nil)
    #expect(ChunkList(chunks: [.init(id: first, byteCount: .max), .init(id: first, byteCount: .max)]) == nil)
  }

  @Test(
    "refuses bytes that are no list",
    arguments: [
      Hostile(testDescription: "nothing", bytes: [], error: .truncated),
      Hostile(testDescription: "no chunks", bytes: [0], error: .invalidValue),
      Hostile(testDescription: "a cut id", bytes: [1] + first.digest.dropLast(), error: .truncated),
      Hostile(testDescription: "no length", bytes: [1] + first.digest, error: .truncated),
      Hostile(testDescription: "a length of zero", bytes: [1] + first.digest + [0], error: .invalidValue),
      Hostile(testDescription: "a long length", bytes: [1] + first.digest + [0x81, 0], error: .malformedNumber),
      Hostile(testDescription: "bytes left over", bytes: [1] + first.digest + [1, 0], error: .trailingBytes),
      Hostile(
        testDescription: "a length beyond the limit",
        bytes: [1] + first.digest + [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10], error: .limitExceeded),
      Hostile(
        testDescription: "the greatest count", bytes: .init(repeating: 0xFF, count: 9) + [1] + first.digest,
        error: .truncated),
      Hostile(
        testDescription: "one chunk more than there is room for", bytes: [2] + first.digest + [1], error: .truncated),
    ])
  private func hostile(_ row: Hostile) {
    #expect(throws: row.error) { try ChunkList(decoding: row.bytes) }
  }
}
