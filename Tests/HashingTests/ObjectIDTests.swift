import Hashing
import TestSupport
import Testing

extension ObjectID {
  static func random(distinct: UInt8 = 255, using generator: inout SeededGenerator) -> ObjectID? {
    ObjectID(digest: (0..<byteCount).map { _ in UInt8.random(in: 0...distinct, using: &generator) })
  }
}

@Suite("ObjectID") struct ObjectIDTests {
  @Test("needs exactly 32 bytes", arguments: [0, 1, 31, 32, 33, 64])
  func byteCount(count: Int) {
    let digest = Array(repeating: UInt8(7), count: count)
    #expect((ObjectID(digest: digest) != nil) == (count == 32))
    #expect((digest.withUnsafeBytes { ObjectID(digestAt: $0) } != nil) == (count >= 32))
  }

  @Test("gives back its digest, whichever way it was made", arguments: 0..<50 as Range<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let id = try #require(ObjectID.random(using: &generator))
    #expect(ObjectID(digest: id.digest) == id)
    #expect((id.digest + [1]).withUnsafeBytes { ObjectID(digestAt: $0) } == id)
    // An address that is no multiple of anything.
    #expect(([1] + id.digest).withUnsafeBytes { ObjectID(digestAt: UnsafeRawBufferPointer(rebasing: $0[1...])) } == id)
    #expect(ObjectID(hexadecimal: Array(id.hexadecimal.utf8)) == id)
    #expect(ObjectID(hexadecimal: Array(id.hexadecimal.uppercased().utf8)) == id)
    #expect(id.description == id.hexadecimal)
  }

  @Test("orders as its bytes and its hexadecimal digits do", arguments: 0..<200 as Range<UInt64>)
  func order(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let left = try #require(ObjectID.random(using: &generator))
    // Equal up to a random place, so that every word decides now and then.
    var digest = left.digest
    for place in Int.random(in: 0...32, using: &generator)..<32 {
      digest[place] = UInt8.random(in: 0...255, using: &generator)
    }
    let right = try #require(ObjectID(digest: digest))
    #expect((left < right) == left.digest.lexicographicallyPrecedes(right.digest))
    #expect((right < left) == right.digest.lexicographicallyPrecedes(left.digest))
    #expect((left < right) == (left.hexadecimal < right.hexadecimal))
    if left.prefix != right.prefix { #expect((left < right) == (left.prefix < right.prefix)) }
  }

  @Test("has the first eight bytes as its prefix")
  func prefix() throws {
    let id = try #require(ObjectID(digest: Array(1...32)))
    #expect(id.prefix == 0x0102_0304_0506_0708)
    #expect(id.hexadecimal == "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20")
  }

  @Test(
    "refuses what is not 64 hexadecimal digits",
    arguments: [
      "", "0", String(repeating: "0", count: 63), String(repeating: "0", count: 65), String(repeating: "0", count: 62),
      String(repeating: "0", count: 63) + "g", String(repeating: "0", count: 62) + "é",
      " " + String(repeating: "0", count: 63),
      "0x" + String(repeating: "0", count: 62), String(repeating: "0", count: 63) + "/",
      String(repeating: "0", count: 63) + ":",
      String(repeating: "0", count: 63) + "@",
    ])
  func badHexadecimal(text: String) {
    #expect(ObjectID(hexadecimal: Array(text.utf8)) == nil)
  }
}

@Suite("Hexadecimal") struct HexadecimalTests {
  @Test("writes two lower-case digits a byte and reads either case")
  func roundTrip() {
    for byte in UInt8.min...UInt8.max {
      let digits = Hexadecimal.encode([byte])
      #expect(digits == (byte < 16 ? "0" : "") + String(byte, radix: 16))
      #expect(Hexadecimal.decode(Array(digits.utf8)) == [byte])
      #expect(Hexadecimal.decode(Array(digits.uppercased().utf8)) == [byte])
    }
    #expect(Hexadecimal.encode([]) == "")
    #expect(Hexadecimal.decode([]) == [])
  }

  @Test("knows 22 digits and no other byte")
  func digits() {
    let digits = Array("0123456789abcdefABCDEF".utf8)
    for code in UInt8.min...UInt8.max {
      #expect((Hexadecimal.value(of: code) != nil) == digits.contains(code))
      #expect((Hexadecimal.decode([code, UInt8(ascii: "0")]) != nil) == digits.contains(code))
      #expect((Hexadecimal.decode([UInt8(ascii: "0"), code]) != nil) == digits.contains(code))
    }
    #expect(Hexadecimal.decode(Array("abc".utf8)) == nil)
  }
}
