import TestSupport
import Testing

@testable import ObjectStorage

extension Chunker {
  /// The lengths of all chunks of a content.
  func cuts(of bytes: [UInt8]) -> [Int] {
    bytes.withUnsafeBytes { bytes in
      var cuts: [Int] = []
      var position = 0
      while position < bytes.count {
        cuts.append(firstCut(in: UnsafeRawBufferPointer(rebasing: bytes[position...])))
        position += cuts[cuts.count - 1]
      }
      return cuts
    }
  }
}

private func randomBytes(_ count: Int, seed: UInt64) -> [UInt8] {
  var generator = SeededGenerator(seed: seed)
  return (0..<count / 8).flatMap { _ in withUnsafeBytes(of: generator.next().littleEndian) { Array($0) } }
}

@Suite("Chunker") struct ChunkerTests {
  @Test("adds the numbers of the format")
  func gear() {
    #expect(Chunker.gear.count == 256)
    #expect(Chunker.gear[0] == 0x8CC1_E356_B45D_A99D)
    #expect(Chunker.gear[1] == 0xFD38_AB0A_5B19_C695)
    #expect(Chunker.gear[127] == 0xA42D_0B8D_65F8_6355)
    #expect(Chunker.gear[255] == 0xBEFB_6985_C505_33EE)
  }

  /// Computed by another program from the words of the format.
  @Test("cuts where the format says")
  func goldenCuts() {
    let bytes = randomBytes(1 << 20, seed: 2026)
    #expect(
      Chunker().cuts(of: bytes) == [
        70264, 96549, 69617, 74122, 109852, 94393, 66817, 72344, 74107, 69247, 69890, 103356, 77819, 199,
      ])
    #expect(
      Chunker(minimum: 64, average: 256, maximum: 1024).cuts(of: Array(bytes.prefix(4096))) == [
        198, 321, 258, 317, 402, 416, 320, 313, 348, 168, 339, 479, 217,
      ])
    #expect(
      Chunker(minimum: 16, average: 64, maximum: 256).cuts(of: Array(bytes.prefix(1024))) == [
        70, 83, 70, 70, 73, 47, 26, 65, 72, 82, 70, 68, 70, 80, 40, 38,
      ])
  }

  @Test("keeps to its limits", arguments: 0..<50 as Range<UInt64>)
  func limits(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let chunker = Chunker(minimum: 32, average: 128, maximum: 512)
    let bytes = randomBytes(Int.random(in: 0...6000, using: &generator), seed: seed)
    let cuts = chunker.cuts(of: bytes)
    #expect(cuts.reduce(0, +) == bytes.count)
    #expect(cuts.allSatisfy { $0 <= 512 })
    #expect(cuts.dropLast().allSatisfy { $0 > 32 })
  }

  @Test("forces a cut at the maximum where nothing else gives one")
  func forced() {
    let cuts = Chunker(minimum: 32, average: 128, maximum: 512).cuts(of: .init(repeating: 7, count: 1100))
    #expect(cuts == [512, 512, 76])
  }

  @Test("needs no more than the maximum to find a cut", arguments: 0..<30 as Range<UInt64>)
  func lookAhead(seed: UInt64) {
    let chunker = Chunker(minimum: 32, average: 128, maximum: 512)
    let bytes = randomBytes(4096, seed: seed)
    bytes.withUnsafeBytes { bytes in
      let front = UnsafeRawBufferPointer(rebasing: bytes[..<512])
      #expect(chunker.firstCut(in: bytes) == chunker.firstCut(in: front))
    }
  }

  @Test("finds most chunks again behind an insertion", arguments: 0..<20 as Range<UInt64>)
  func shift(seed: UInt64) {
    let chunker = Chunker(minimum: 32, average: 128, maximum: 512)
    let bytes = randomBytes(16_384, seed: seed)
    func ends(_ bytes: [UInt8]) -> Set<Int> {
      var position = 0
      return Set(
        chunker.cuts(of: bytes).map { cut in
          position += cut
          return bytes.count - position
        })
    }
    let common = ends(bytes).intersection(ends(Array("inserted".utf8) + bytes))
    #expect(common.count > 70)
  }
}
