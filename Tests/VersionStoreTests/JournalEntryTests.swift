import Hashing
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("Journal entries") struct JournalEntryTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let entry: JournalEntry
    let golden: String
    var testDescription: String { String(golden.prefix(24)) }

    init(_ entry: JournalEntry, _ golden: String) {
      self.entry = entry
      self.golden = golden
    }
  }

  static let ids = (0xA1...0xA3).map { byte in
    RecordID(ObjectID(digest: [UInt8](repeating: UInt8(byte), count: 32)) ?? SHA256.hash([]))
  }
  static let a1 = String(repeating: "a1", count: 32)
  static let a2 = String(repeating: "a2", count: 32)
  static let a3 = String(repeating: "a3", count: 32)

  static let samples = [
    Sample(.base(path: DocumentPath("a/b"), base: [ids[1], ids[0]], seen: [ids[2]]), "0103612f6202\(a2)\(a1)01\(a3)"),
    Sample(.base(path: DocumentPath("a"), base: [ids[0]], seen: []), "01016101\(a1)00"),
    Sample(.gone(path: DocumentPath("a")), "020161"),
    Sample(.operation(5, wallTime: 1_764_460_800_000, records: [ids[0]]), "030580a0f9a0da6601\(a1)"),
    Sample(.operation(1, wallTime: -1, records: []), "03010100"),
    Sample(.undone(ids[0]), "04\(a1)"),
    Sample(.unplaced(path: DocumentPath("a"), reason: 3), "05016103"),
    Sample(.spelling(path: DocumentPath("a"), name: Array("A".utf8)), "0601610141"),
  ]

  @Test("have the bytes of the format", arguments: samples) func golden(_ sample: Sample) throws {
    let bytes = try #require(Hexadecimal.decode(Array(sample.golden.utf8)))
    #expect(Hexadecimal.encode(sample.entry.encoded()) == sample.golden)
    #expect(try JournalEntry(decoding: bytes) == sample.entry)
  }

  @Test("that are cut or followed by something are refused", arguments: samples) func cut(_ sample: Sample) {
    let bytes = sample.entry.encoded()
    for length in 0..<bytes.count {
      #expect(throws: DecodingFailure.self) { try JournalEntry(decoding: Array(bytes[..<length])) }
    }
    #expect(throws: DecodingFailure.trailingBytes) { try JournalEntry(decoding: bytes + [0]) }
  }

  @Test(
    "of no known type, with a bad path or a hostile count are refused",
    arguments: [
      "", "00", "07", "ff", "0200", "02022e2e", "0203612f00", "0202612f", "02022f61", "02ffffffffffffffffff01",
      "010161ffffffffff0f", "010161ffffffffffffffffff01", "0301009f8d06", "06016180808080808001", "05016100ff", "8100",
    ])
  func hostile(_ text: String) throws {
    let bytes = try #require(Hexadecimal.decode(Array(text.utf8)))
    #expect(throws: DecodingFailure.self) { try JournalEntry(decoding: bytes) }
  }

  @Test("with any bit flipped are another entry or refused", arguments: samples) func flipped(_ sample: Sample) {
    let bytes = sample.entry.encoded()
    for place in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[place] ^= 1 << UInt8(bit)
        guard let entry = try? JournalEntry(decoding: damaged) else { continue }
        #expect(entry.encoded() == damaged)
      }
    }
  }

  @Test("of random bytes never trap", arguments: 0..<200 as Range<UInt64>) func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let bytes = (0..<Int.random(in: 0...80, using: &generator)).map { place -> UInt8 in
        place == 0 ? .random(in: 0...7, using: &generator) : .random(in: 0...255, using: &generator)
      }
      if let entry = try? JournalEntry(decoding: bytes) { #expect(entry.encoded() == bytes) }
    }
  }
}
