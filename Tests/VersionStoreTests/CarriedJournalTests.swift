import Hashing
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("A carried journal") struct CarriedJournalTests {
  /// Made by a second implementation from docs/format.md.
  static let golden = """
    07030003612f62a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a10205632e747874a2a2a2a2a2a2a2a2a2a2a2a2a2a2
    a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a20202c3bca3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3030180a0f9a0
    da660003020000b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b10102058aa0f9a0da660102010201010b010000
    """

  private static func id(_ byte: UInt8) -> RecordID {
    RecordID(ObjectID(digest: [UInt8](repeating: byte, count: 32)) ?? SHA256.hash([]))
  }

  static let entries: [JournalEntry] = [
    .base(path: DocumentPath("a/b"), base: [id(0xA1)], seen: []),
    .base(path: DocumentPath("a/c.txt"), base: [id(0xA2)], seen: []),
    .base(path: DocumentPath("a/ü"), base: [id(0xA3)], seen: []),
    .operation(1, wallTime: 1_764_460_800_000, records: [id(0xA1), id(0xA2), id(0xB1), id(0xA3)]),
    .operation(5, wallTime: 1_764_460_800_005, records: [id(0xA3), id(0xA2)]),
    .undone(id(0xA3)),
    .operation(11, wallTime: -1, records: []),
  ]

  private static func carried(_ entries: [JournalEntry]) -> CarriedJournal {
    var carried = CarriedJournal()
    for entry in entries {
      let isTaken = carried.add(entry)
      #expect(isTaken)
    }
    return carried
  }

  @Test("has the bytes of the format, and stands for its entries") func golden() throws {
    let bytes = try #require(Hexadecimal.decode(Array(Self.golden.utf8.filter { $0 > 32 })))
    #expect(Self.carried(Self.entries).encoded() == bytes)
    #expect(try CarriedJournal(decoding: bytes) == Self.carried(Self.entries))
    #expect(try JournalEntry.entries(decoding: bytes) == Self.entries)
    #expect(throws: DecodingFailure.self, "it is no entry by itself") { try JournalEntry(decoding: bytes) }
  }

  @Test(
    "leaves other entries to be written by themselves",
    arguments: [
      .base(path: DocumentPath("a"), base: [id(1), id(2)], seen: []),
      .base(path: DocumentPath("a"), base: [], seen: []),
      .base(path: DocumentPath("a"), base: [id(1)], seen: [id(2)]), .gone(path: DocumentPath("a")), .undone(id(1)),
      .unplaced(path: DocumentPath("a"), reason: 1), .spelling(path: DocumentPath("a"), name: [65]),
    ] as [JournalEntry])
  func others(_ entry: JournalEntry) {
    var carried = CarriedJournal()
    let isTaken = carried.add(entry)
    #expect(!isTaken && carried.isEmpty)
  }

  @Test("holds an operation that names a version twice") func twice() throws {
    let entries: [JournalEntry] = [
      Self.entries[0], .operation(1, wallTime: 0, records: [Self.id(0xA1), Self.id(0xA1), Self.id(0xA1)]),
    ]
    #expect(try JournalEntry.entries(decoding: Self.carried(entries).encoded()) == entries)
  }

  @Test("that is cut or followed by something is refused") func cut() throws {
    let bytes = Self.carried(Self.entries).encoded()
    for length in 1..<bytes.count {
      #expect(throws: DecodingFailure.self) { try CarriedJournal(decoding: Array(bytes[..<length])) }
    }
    #expect(throws: DecodingFailure.trailingBytes) { try CarriedJournal(decoding: bytes + [0]) }
  }

  @Test("with any bit flipped is another one or refused") func flipped() {
    let original = Self.carried(Self.entries)
    let bytes = original.encoded()
    for place in bytes.indices.dropFirst() {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[place] ^= 1 << UInt8(bit)
        guard let decoded = try? CarriedJournal(decoding: damaged) else { continue }
        // What is written in another way than it has to be may say the same.
        if decoded == original { continue }
        #expect((try? CarriedJournal(decoding: decoded.encoded())) == decoded)
      }
    }
  }

  @Test(
    "with a bad path, place or count is refused",
    arguments: [
      "", "07", "08", "0701", "0700ff", "07ffffffffffffffffff01", "07010003612f62", "070000ff",
      // A path that begins with more than the one before has.
      "07020001610102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20"
        + "0201620102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2000",
      // An operation of a base that is not there; one that is neither undone nor not; one with a run of nothing.
      "07000101000001010000", "0700010100020000", "0700010100000101",
    ])
  func hostile(_ text: String) throws {
    let bytes = try #require(Hexadecimal.decode(Array(text.utf8)))
    #expect(throws: DecodingFailure.self) { try CarriedJournal(decoding: bytes) }
  }

  @Test("gives back any bases and operations", arguments: 0..<30 as Range<UInt64>) func random(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let ids = (0..<12).map { Self.id(UInt8($0)) }
    var entries: [JournalEntry] = []
    for number in 0..<Int.random(in: 0...8, using: &generator) {
      let path = "a/\(UInt8.random(in: 0...3, using: &generator))/\(number)"
      entries.append(.base(path: DocumentPath(path), base: [ids[number]], seen: []))
    }
    for _ in 0..<Int.random(in: 0...6, using: &generator) {
      let start = Int.random(in: 0..<12, using: &generator)
      var records = Array(ids[start..<Int.random(in: start...12, using: &generator)])
      if Bool.random(using: &generator) { records.shuffle(using: &generator) }
      entries.append(.operation(2, wallTime: .random(in: -9...9, using: &generator), records: records))
      if let first = records.first, Bool.random(using: &generator) { entries.append(.undone(first)) }
    }
    #expect(try JournalEntry.entries(decoding: Self.carried(entries).encoded()) == entries)
  }
}
