import Hashing
import ObjectStorage
import Testing

private struct Golden: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var delta: String
  var byteCount: Int
  var digest: String
}

/// Written by another program from the words of docs/format.md, with stock zlib 1.2.13 at level 6.
private let goldenDeltas = [
  Golden(
    testDescription: "a line replaced", delta: "03b0ea013e834fd015e7e49713302e39b1046d7e0e00", byteCount: 66_489,
    digest: "eea1ed63885750260f0069161f5d3be51d12da26ae99d497edcc39f704432686"),
  Golden(
    testDescription: "pieces from behind and before, two insertions",
    delta: "07a09c0137c0bb01a84600efa204f403454b44110669c6662848394a67079b759696240a0300", byteCount: 30_858,
    digest: "51d9af3f652cb0ecd9bf38f6fa56321e51c6440984469b59b76ac47a3cbed227"),
]

private let base = (0..<1200).flatMap {
  Array("\($0): the quick brown fox jumps over the lazy dog number \($0 * $0)\n".utf8)
}

@Suite("Deltas of format 1") struct GoldenDeltaTests {
  @Test("are read for ever", arguments: goldenDeltas)
  private func read(_ golden: Golden) throws {
    let delta = try #require(Hexadecimal.decode(Array(golden.delta.utf8)))
    let content = try DeltaCodec.decode(delta, base: base, byteCount: golden.byteCount)
    #expect(SHA256.hash(content).hexadecimal == golden.digest)
    #expect(try DeltaReference.decode(delta, base: base, byteCount: golden.byteCount) == content)
  }

  @Test("hold the numbers of an edit, then what is inserted")
  func written() {
    let front = Array("The front. ".utf8)
    let end = Array(" The end.".utf8)
    #expect(
      DeltaCodec.encode(front + [1, 2] + end, base: front + [3, 3, 3] + end) == [2, 11, 2, 1, 2])
    #expect(DeltaCodec.encode(front + end, base: front + [3] + end) == [2, 11, 0])
    #expect(DeltaCodec.encode(end, base: front + end) == [0])
  }

  @Test("number kinds and encodings as the format does")
  func numbers() {
    #expect([ObjectKind.blob, .chunkList].map(\.rawValue) == [0, 1])
    #expect([ObjectEncoding.raw, .deflate, .delta].map(\.rawValue) == [0, 1, 2])
  }
}
