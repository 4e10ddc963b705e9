import Deflate
import Hashing
import TestSupport
import Testing

@testable import ObjectStorage

@Suite("Blob encoder") struct BlobEncoderTests {
  private static func text(_ byteCount: Int, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    let words = [
      "cherry", "water", "letter", "paper", "chapter", "note", "plan", "draft", "revision", "copy", "line\n",
    ]
    var bytes: [UInt8] = []
    while bytes.count < byteCount {
      bytes += Array((words.randomElement(using: &generator) ?? "").utf8) + [UInt8(ascii: " ")]
    }
    return Array(bytes.prefix(byteCount))
  }

  private static func noise(_ byteCount: Int, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// The bytes that a prepared blob stands for.
  private func decoded(_ blob: PreparedBlob, byteCount: Int, after neighbour: [UInt8]?) throws -> [UInt8] {
    switch blob.encoding {
    case .raw: blob.data
    case .deflate:
      try blob.data.withUnsafeBytes { try Inflater().inflate($0, byteCount: byteCount) }
    case .delta:
      try blob.data.withUnsafeBytes { data in
        try (neighbour ?? []).withUnsafeBytes {
          try DeltaCodec.decode(data, base: $0, byteCount: byteCount, inflater: Inflater())
        }
      }
    }
  }

  @Test(
    "gives the bytes back, whatever their lengths",
    arguments: [300, 511, 4096, 8000, 8192, 8193, 16_192, 16_193, 30_000], [0, 1, 64, 65, 3000, 40_000])
  func lengths(neighbourByteCount: Int, byteCount: Int) throws {
    let earlier = Self.text(neighbourByteCount, seed: 1)
    let neighbour = try #require(BlobNeighbour(earlier, id: SHA256.hash(earlier)))
    for bytes in [Self.text(byteCount, seed: 2), Self.noise(byteCount, seed: 3)] {
      let blob = BlobEncoder().encode(bytes, id: SHA256.hash(bytes), after: neighbour)
      #expect(try decoded(blob, byteCount: bytes.count, after: earlier) == bytes)
      #expect(blob.data.count <= bytes.count)
      #expect((blob.neighbour == nil) == (blob.encoding != .delta))
    }
  }

  @Test("stores a text after a similar one in fewer bytes than by itself")
  func similar() throws {
    let earlier = Self.text(5000, seed: 4)
    let bytes = Array(earlier[1000..<2500]) + Self.text(500, seed: 5)
    let id = SHA256.hash(bytes)
    let neighbour = try #require(BlobNeighbour(earlier, id: SHA256.hash(earlier)))
    let (beside, alone) = (
      BlobEncoder().encode(bytes, id: id, after: neighbour), BlobEncoder().encode(bytes, id: id, after: nil)
    )
    #expect(beside.neighbour == SHA256.hash(earlier))
    #expect(alone.encoding == .deflate && beside.data.count < alone.data.count)
  }

  @Test("makes the same bytes whatever it encoded before")
  func stateless() throws {
    let earlier = Self.text(5000, seed: 6)
    let neighbour = try #require(BlobNeighbour(earlier, id: SHA256.hash(earlier)))
    let used = BlobEncoder()
    for seed in 10..<30 as Range<UInt64> {
      let bytes = Self.text(Int(seed) * 100, seed: seed)
      let id = SHA256.hash(bytes)
      #expect(
        used.encode(bytes, id: id, after: neighbour) == BlobEncoder().encode(bytes, id: id, after: neighbour))
      #expect(used.encode(bytes, id: id, after: nil) == BlobEncoder().encode(bytes, id: id, after: nil))
    }
  }

  @Test("takes no neighbour that is short, long, without a pattern, or the blob itself")
  func unsuitable() throws {
    for bytes in [Self.text(100, seed: 1), Self.text(300_000, seed: 1), Self.noise(5000, seed: 1)] {
      #expect(BlobNeighbour(bytes, id: SHA256.hash(bytes)) == nil)
    }
    let bytes = Self.text(5000, seed: 1)
    let id = SHA256.hash(bytes)
    #expect(BlobEncoder().encode(bytes, id: id, after: BlobNeighbour(bytes, id: id)).neighbour == nil)
  }
}
