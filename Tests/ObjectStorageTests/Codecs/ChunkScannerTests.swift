import Hashing
import TestSupport
import Testing

@testable import ObjectStorage

@Suite("Chunk scanner") struct ChunkScannerTests {
  @Test("cuts where the chunker does, wherever the pieces end", arguments: 0..<60 as Range<UInt64>)
  func pieces(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let chunker = Chunker(minimum: 32, average: 128, maximum: 512)
    // Stretches of one byte give cuts at the maximum.
    var bytes: [UInt8] = []
    while bytes.count < Int.random(in: 0...8000, using: &generator) {
      let isFlat = Int.random(in: 0..<3, using: &generator) == 0
      for _ in 0..<Int.random(in: 1...900, using: &generator) {
        bytes.append(isFlat ? 7 : UInt8.random(in: 0...255, using: &generator))
      }
    }
    var expected: [ChunkList.Chunk] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Array(rest).withUnsafeBytes { chunker.firstCut(in: $0) }
      expected.append(ChunkList.Chunk(id: SHA256.hash(Array(rest.prefix(count))), byteCount: UInt64(count)))
      rest = rest.dropFirst(count)
    }
    var scanner = ChunkScanner(chunker)
    var chunks: [ChunkList.Chunk] = []
    rest = bytes[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(Int.random(in: 1...700, using: &generator)))
      piece.withUnsafeBytes { scanner.add($0) }
      chunks += scanner.takeChunks()
      rest = rest.dropFirst(piece.count)
    }
    scanner.finish()
    chunks += scanner.takeChunks()
    #expect(chunks == expected)
  }
}
