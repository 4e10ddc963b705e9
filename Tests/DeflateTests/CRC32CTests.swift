import Deflate
import TestSupport
import Testing

/// The checksum bit by bit, as RFC 3720 defines it.
private func slowChecksum(_ bytes: [UInt8]) -> UInt32 {
  var remainder = UInt32.max
  for byte in bytes {
    remainder ^= UInt32(byte)
    for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 0 ? 0 : 0x82F6_3B78) }
  }
  return ~remainder
}

private struct Vector: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var bytes: [UInt8]
  var checksum: UInt32
}

@Suite("CRC-32C") struct CRC32CTests {
  @Test(
    "gives the published checksums",
    arguments: [
      Vector(testDescription: "nothing", bytes: [], checksum: 0),
      Vector(testDescription: "the digits 1 to 9", bytes: Array("123456789".utf8), checksum: 0xE306_9283),
      Vector(testDescription: "32 zeros", bytes: .init(repeating: 0, count: 32), checksum: 0x8A91_36AA),
      Vector(testDescription: "32 ones", bytes: .init(repeating: 0xFF, count: 32), checksum: 0x62A8_AB43),
      Vector(testDescription: "32 ascending", bytes: Array(0..<32), checksum: 0x46DD_794E),
      Vector(testDescription: "32 descending", bytes: (0..<32).reversed(), checksum: 0x113F_DB5C),
    ])
  private func publishedVectors(_ vector: Vector) {
    #expect(vector.bytes.withUnsafeBytes { CRC32C.checksum($0) } == vector.checksum)
    #expect(slowChecksum(vector.bytes) == vector.checksum)
  }

  @Test("equals the definition for any length, start and cut", arguments: 0..<200 as Range<UInt64>)
  func equalsDefinition(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let bytes = (0..<Int.random(in: 0...70, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator)
    }
    let start = Int.random(in: 0...bytes.count, using: &generator)
    let cut = Int.random(in: start...bytes.count, using: &generator)
    bytes.withUnsafeBytes { all in
      let whole = UnsafeRawBufferPointer(rebasing: all[start...])
      let front = UnsafeRawBufferPointer(rebasing: all[start..<cut])
      let rest = UnsafeRawBufferPointer(rebasing: all[cut...])
      let expected = slowChecksum(Array(whole))
      #expect(CRC32C.checksum(whole) == expected)
      #expect(CRC32C.checksum(rest, continuing: CRC32C.checksum(front)) == expected)
    }
  }
}
