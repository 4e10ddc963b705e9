import Hashing
import TestSupport
import Testing

private struct Vector: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var bytes: [UInt8]
  var digest: String
}

/// Source: FIPS 180-2, appendix B, and the examples of NIST for SHA-256.
private let vectors = [
  Vector(
    testDescription: "nothing", bytes: [], digest: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
  Vector(
    testDescription: "abc", bytes: Array("abc".utf8),
    digest: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  Vector(
    testDescription: "56 bytes, two blocks",
    bytes: Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
    digest: "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
  Vector(
    testDescription: "112 bytes",
    bytes: Array(
      ("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
        + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu")
        .utf8),
    digest: "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"),
  Vector(
    testDescription: "a million times a", bytes: .init(repeating: UInt8(ascii: "a"), count: 1_000_000),
    digest: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  Vector(
    testDescription: "the byte bd", bytes: [0xBD],
    digest: "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b"),
  Vector(
    testDescription: "55 zeros, the longest rest of one block", bytes: .init(repeating: 0, count: 55),
    digest: "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7"),
  Vector(
    testDescription: "64 zeros, a whole block", bytes: .init(repeating: 0, count: 64),
    digest: "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b"),
]

@Suite("SHA256") struct SHA256Tests {
  @Test("gives the published digests", arguments: vectors)
  private func published(_ vector: Vector) {
    #expect(SHA256.hash(vector.bytes).hexadecimal == vector.digest)
  }

  @Test("does not depend on how the bytes are cut into pieces", arguments: 0..<100 as Range<UInt64>)
  func pieces(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let bytes = (0..<Int.random(in: 0...300, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator)
    }
    var hasher = SHA256()
    var position = 0
    while position < bytes.count {
      let end = Int.random(in: position...min(position + 80, bytes.count), using: &generator)
      hasher.update(Array(bytes[position..<end]))
      position = end
    }
    #expect(hasher.finalized() == SHA256.hash(bytes))
  }

  @Test("can go on after a digest, and copies do not disturb each other")
  func copies() {
    var hasher = SHA256()
    hasher.update(Array("ab".utf8))
    var copy = hasher
    #expect(hasher.finalized() == SHA256.hash(Array("ab".utf8)))
    copy.update(Array("x".utf8))
    hasher.update(Array("c".utf8))
    #expect(hasher.finalized() == SHA256.hash(Array("abc".utf8)))
    #expect(copy.finalized() == SHA256.hash(Array("abx".utf8)))
  }

  @Test("takes an empty buffer without an address")
  func emptyBuffer() {
    #expect(SHA256.hash(UnsafeRawBufferPointer(start: nil, count: 0)) == SHA256.hash([UInt8]()))
  }
}
