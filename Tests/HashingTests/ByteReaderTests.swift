import Hashing
import TestSupport
import Testing

private struct Number: CustomTestStringConvertible, Sendable {
  var value: UInt64
  var bytes: [UInt8]
  var testDescription: String { "\(value)" }
}

private let numbers = [
  Number(value: 0, bytes: [0]),
  Number(value: 1, bytes: [1]),
  Number(value: 127, bytes: [0x7F]),
  Number(value: 128, bytes: [0x80, 1]),
  Number(value: 300, bytes: [0xAC, 2]),
  Number(value: 16_383, bytes: [0xFF, 0x7F]),
  Number(value: 16_384, bytes: [0x80, 0x80, 1]),
  Number(value: 1 << 63 - 1, bytes: .init(repeating: 0xFF, count: 8) + [0x7F]),
  Number(value: 1 << 63, bytes: .init(repeating: 0x80, count: 9) + [1]),
  Number(value: .max, bytes: .init(repeating: 0xFF, count: 9) + [1]),
]

private struct Signed: CustomTestStringConvertible, Sendable {
  var value: Int64
  var bytes: [UInt8]
  var testDescription: String { "\(value)" }
}

private let signedNumbers = [
  Signed(value: 0, bytes: [0]),
  Signed(value: -1, bytes: [1]),
  Signed(value: 1, bytes: [2]),
  Signed(value: -64, bytes: [0x7F]),
  Signed(value: 64, bytes: [0x80, 1]),
  Signed(value: .max, bytes: [0xFE] + .init(repeating: 0xFF, count: 8) + [1]),
  Signed(value: .min, bytes: .init(repeating: 0xFF, count: 9) + [1]),
]

private struct Malformed: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var bytes: [UInt8]
  var failure: DecodingFailure
}

private let malformedNumbers = [
  Malformed(testDescription: "nothing", bytes: [], failure: .truncated),
  Malformed(testDescription: "an open end", bytes: [0x80], failure: .truncated),
  Malformed(
    testDescription: "nine bytes and an open end", bytes: .init(repeating: 0xFF, count: 9), failure: .truncated),
  Malformed(testDescription: "zero in two bytes", bytes: [0x80, 0], failure: .malformedNumber),
  Malformed(testDescription: "one in two bytes", bytes: [0x81, 0], failure: .malformedNumber),
  Malformed(
    testDescription: "one in ten bytes", bytes: [0x81] + .init(repeating: 0x80, count: 8) + [0],
    failure: .malformedNumber),
  Malformed(testDescription: "65 bits", bytes: .init(repeating: 0xFF, count: 9) + [2], failure: .malformedNumber),
  Malformed(testDescription: "eleven bytes", bytes: .init(repeating: 0x80, count: 10) + [1], failure: .malformedNumber),
]

@Suite("ByteReader and ByteWriter") struct ByteReaderTests {
  @Test("write and read a number in its one form", arguments: numbers)
  private func varint(_ row: Number) throws {
    var writer = ByteWriter()
    writer.varint(row.value)
    #expect(writer.bytes == row.bytes)
    var reader = ByteReader(row.bytes)
    #expect(try reader.varint() == row.value)
    #expect(reader.isAtEnd)
  }

  @Test("write and read a signed number in its one form", arguments: signedNumbers)
  private func zigzag(_ row: Signed) throws {
    var writer = ByteWriter()
    writer.zigzag(row.value)
    #expect(writer.bytes == row.bytes)
    var reader = ByteReader(row.bytes)
    #expect(try reader.zigzag() == row.value)
    #expect(reader.isAtEnd)
  }

  @Test("refuse every other form of a number", arguments: malformedNumbers)
  private func malformed(_ row: Malformed) {
    #expect(throws: row.failure) {
      var reader = ByteReader(row.bytes)
      _ = try reader.varint()
    }
    #expect(throws: row.failure) {
      var reader = ByteReader(row.bytes)
      _ = try reader.zigzag()
    }
  }

  @Test("have the bytes of the format")
  func golden() throws {
    let id = SHA256.hash([UInt8]())
    var writer = ByteWriter(capacity: 1)
    writer.u8(1)
    writer.u16(0x0203)
    writer.u32(0x0405_0607)
    writer.u64(0x0809_0A0B_0C0D_0E0F)
    writer.bytes([0xAA, 0xBB])
    writer.bytes([])
    writer.raw([0xCC])
    [UInt8]([0xDD, 0xEE]).withUnsafeBytes { writer.raw($0) }
    writer.id(id)
    let expected: [UInt8] =
      [1, 3, 2, 7, 6, 5, 4, 0x0F, 0x0E, 0x0D, 0x0C, 0x0B, 0x0A, 9, 8, 2, 0xAA, 0xBB, 0, 0xCC, 0xDD, 0xEE] + id.digest
    #expect(writer.bytes == expected)

    var reader = ByteReader(expected)
    #expect(try reader.u8() == 1)
    #expect(try reader.u16() == 0x0203)
    #expect(try reader.u32() == 0x0405_0607)
    #expect(try reader.u64() == 0x0809_0A0B_0C0D_0E0F)
    #expect(try reader.bytes(limit: 2) == [0xAA, 0xBB])
    #expect(try reader.bytes(limit: 0) == [])
    #expect(try reader.raw(3) == [0xCC, 0xDD, 0xEE])
    #expect(reader.remaining == 32)
    #expect(try reader.id() == id)
    #expect(reader.offset == expected.count)
    try reader.finish()
  }

  @Test("give back any sequence of values, and refuse it cut anywhere", arguments: 0..<60 as Range<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let number = generator.next() >> UInt64.random(in: 0..<64, using: &generator)
    let signed = Int64(bitPattern: generator.next()) >> Int64.random(in: 0..<64, using: &generator)
    let bytes = (0..<Int.random(in: 0...200, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator)
    }
    var writer = ByteWriter()
    writer.varint(number)
    writer.bytes(bytes)
    writer.zigzag(signed)
    func read(_ encoded: [UInt8]) throws -> (UInt64, [UInt8], Int64) {
      var reader = ByteReader(encoded)
      let result = (try reader.varint(), try reader.bytes(limit: 200), try reader.zigzag())
      try reader.finish()
      return result
    }
    #expect(try read(writer.bytes) == (number, bytes, signed))
    for count in 0..<writer.bytes.count {
      #expect(throws: DecodingFailure.truncated) { try read(Array(writer.bytes.prefix(count))) }
    }
    #expect(throws: DecodingFailure.trailingBytes) { try read(writer.bytes + [0]) }
  }
}
