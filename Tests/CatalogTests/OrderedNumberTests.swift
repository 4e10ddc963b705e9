import Hashing
import TestSupport
import Testing

@testable import Catalog

@Suite("Ordered numbers") struct OrderedNumberTests {
  static let vectors: [(UInt64, [UInt8])] = [
    (0, [0]), (240, [240]), (241, [241, 1]), (495, [241, 255]), (496, [242, 0]), (2287, [248, 255]),
    (2288, [249, 0, 0]), (67_823, [249, 255, 255]), (67_824, [250, 1, 8, 240]), (16_777_215, [250, 255, 255, 255]),
    (16_777_216, [251, 1, 0, 0, 0]), (.max, [255, 255, 255, 255, 255, 255, 255, 255, 255]),
  ]

  @Test("have these bytes", arguments: vectors)
  func golden(value: UInt64, bytes: [UInt8]) throws {
    #expect(encoded(value) == bytes)
    var reader = ByteReader(bytes)
    #expect(try reader.ordered() == value)
    #expect(reader.isAtEnd)
  }

  @Test("order by their bytes, and none begins another", arguments: 0..<20 as Range<UInt64>)
  func order(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let values = Set((0..<200).map { _ in generator.next() >> UInt64.random(in: 0...63, using: &generator) }).sorted()
    let all = values.map(encoded)
    for (left, right) in zip(all, all.dropFirst()) {
      #expect(left.lexicographicallyPrecedes(right))
      #expect(!right.starts(with: left))
    }
    for (value, bytes) in zip(values, all) {
      var reader = ByteReader(bytes)
      #expect(try reader.ordered() == value)
    }
  }

  @Test(
    "are refused in a longer form, or cut",
    arguments: [
      [], [241], [249, 0], [250, 0, 0, 1], [250, 1, 8, 239], [251, 0, 255, 255, 255], [255, 0, 1, 1, 1, 1, 1, 1, 1],
    ] as [[UInt8]])
  func refused(bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    #expect(throws: DecodingFailure.self) { try reader.ordered() }
  }

  private func encoded(_ value: UInt64) -> [UInt8] {
    var writer = ByteWriter()
    writer.ordered(value)
    return writer.bytes
  }
}
