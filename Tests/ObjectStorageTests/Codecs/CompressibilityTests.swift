import Deflate
import ObjectStorage
import TestSupport
import Testing

private func random(_ count: Int, below limit: Int = 256) -> [UInt8] {
  var generator = SeededGenerator(seed: UInt64(count))
  return (0..<count).map { _ in UInt8(Int.random(in: 0..<limit, using: &generator)) }
}

private func text(_ count: Int) -> [UInt8] {
  var generator = SeededGenerator(seed: UInt64(count))
  return TextEdits.text(count, using: &generator)
}

private struct Sample: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var bytes: [UInt8]
  var isIncompressible: Bool
}

@Suite("Compressibility") struct CompressibilityTests {
  @Test(
    "recognizes bytes that deflate wins nothing from",
    arguments: [
      Sample(testDescription: "nothing", bytes: [], isIncompressible: false),
      Sample(testDescription: "short random", bytes: random(1023), isIncompressible: false),
      Sample(testDescription: "1 KiB random", bytes: random(1024), isIncompressible: true),
      Sample(testDescription: "random", bytes: random(100_000), isIncompressible: true),
      Sample(
        testDescription: "deflated text", bytes: text(300_000).withUnsafeBytes { Deflater().deflate($0) },
        isIncompressible: true),
      Sample(testDescription: "text", bytes: text(100_000), isIncompressible: false),
      Sample(testDescription: "short text", bytes: text(1200), isIncompressible: false),
      Sample(testDescription: "seven bits a byte", bytes: random(50_000, below: 128), isIncompressible: false),
      Sample(testDescription: "zeros", bytes: .init(repeating: 0, count: 50_000), isIncompressible: false),
      Sample(
        testDescription: "random, a quarter text", bytes: random(96 << 10) + text(32 << 10), isIncompressible: false),
      Sample(
        testDescription: "random with a little text in front", bytes: text(4 << 10) + random(400 << 10),
        isIncompressible: true),
    ])
  private func samples(_ sample: Sample) {
    #expect(sample.bytes.withUnsafeBytes { Compressibility.isIncompressible($0) } == sample.isIncompressible)
  }
}
