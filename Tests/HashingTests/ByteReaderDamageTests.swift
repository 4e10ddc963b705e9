import Hashing
import TestSupport
import Testing

@Suite("ByteReader, given hostile bytes") struct ByteReaderDamageTests {
  @Test("refuses a length beyond what is left before it reads", arguments: [2, 127, 1 << 20, 1 << 62, UInt64.max])
  func hostileLength(length: UInt64) {
    var writer = ByteWriter()
    writer.varint(length)
    writer.u8(1)
    #expect(throws: DecodingFailure.self) {
      var reader = ByteReader(writer.bytes)
      _ = try reader.bytes(limit: .max)
    }
    #expect(throws: DecodingFailure.limitExceeded) {
      var reader = ByteReader(writer.bytes)
      _ = try reader.bytes(limit: 1)
    }
    #expect(throws: DecodingFailure.limitExceeded) {
      var reader = ByteReader(writer.bytes)
      _ = try reader.bytes(limit: -1)
    }
  }

  @Test("takes a number up to its limit and no further")
  func limit() throws {
    var reader = ByteReader([5, 5])
    #expect(try reader.varint(limit: 5) == 5)
    #expect(throws: DecodingFailure.limitExceeded) { try reader.varint(limit: 4) }
  }

  @Test("refuses fixed-length values that are cut")
  func cut() {
    let bytes = [UInt8](repeating: 1, count: 31)
    #expect(throws: DecodingFailure.truncated) {
      var reader = ByteReader([])
      _ = try reader.u8()
    }
    #expect(throws: DecodingFailure.truncated) {
      var reader = ByteReader([1])
      _ = try reader.u16()
    }
    #expect(throws: DecodingFailure.truncated) {
      var reader = ByteReader([1, 1, 1])
      _ = try reader.u32()
    }
    #expect(throws: DecodingFailure.truncated) {
      var reader = ByteReader([UInt8](repeating: 1, count: 7))
      _ = try reader.u64()
    }
    #expect(throws: DecodingFailure.truncated) {
      var reader = ByteReader(bytes)
      _ = try reader.id()
    }
    #expect(throws: DecodingFailure.truncated) {
      var reader = ByteReader(bytes)
      _ = try reader.raw(32)
    }
    #expect(throws: DecodingFailure.truncated) {
      var reader = ByteReader(bytes)
      _ = try reader.raw(-1)
    }
  }

  @Test(
    "keeps to its range, clipped to the array",
    arguments: [0..<4, 1..<3, 2..<2, 3..<9, 4..<4, 7..<9, -3..<2, -5 ..< -1, Int.min..<Int.max])
  func range(range: Range<Int>) throws {
    let bytes: [UInt8] = [10, 11, 12, 13]
    var reader = ByteReader(bytes, in: range)
    let inside = bytes.indices.filter { range.contains($0) }
    #expect(reader.remaining == inside.count)
    for index in inside {
      #expect(reader.offset == index)
      #expect(try reader.u8() == bytes[index])
    }
    #expect(reader.isAtEnd)
    #expect(throws: DecodingFailure.truncated) { try reader.u8() }
  }

  @Test("neither traps nor leaves its range, whatever the bytes", arguments: 0..<200 as Range<UInt64>)
  func noise(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let bytes = (0..<60).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let start = Int.random(in: 0...60, using: &generator)
    let end = Int.random(in: start...60, using: &generator)
    var reader = ByteReader(bytes, in: start..<end)
    for _ in 0..<40 {
      let before = reader.offset
      do throws(DecodingFailure) {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: _ = try reader.u8()
        case 1: _ = try reader.u16()
        case 2: _ = try reader.u32()
        case 3: _ = try reader.u64()
        case 4: _ = try reader.varint()
        case 5: _ = try reader.zigzag()
        case 6: _ = try reader.id()
        default: #expect(try reader.bytes(limit: .max).count <= end - start)
        }
      } catch {
        #expect(reader.offset >= before)
      }
      #expect(reader.offset >= start && reader.offset <= end)
      #expect(reader.remaining == end - reader.offset)
    }
  }
}
