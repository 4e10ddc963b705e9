import Hashing
import TestSupport
import Testing
import Versioning

@Suite("The encoding of records") struct RecordEncodingTests {
  @Test("A record has the bytes and the id of the format", arguments: GoldenRecord.all)
  func isGolden(_ golden: GoldenRecord) throws {
    #expect(Hexadecimal.encode(golden.record.encoded()) == golden.hexadecimal)
    #expect(golden.record.id.hexadecimal == golden.id)
    #expect(try Record(decoding: bytes(golden.hexadecimal)) == golden.record)
    try golden.record.validate()
  }

  @Test("A cut record and one with bytes behind it is refused", arguments: GoldenRecord.all)
  func refusesOtherLengths(_ golden: GoldenRecord) {
    let whole = bytes(golden.hexadecimal)
    for count in whole.indices {
      #expect(throws: DecodingFailure.self) { try Record(decoding: Array(whole[..<count])) }
    }
    #expect(throws: DecodingFailure.trailingBytes) { try Record(decoding: whole + [0]) }
  }

  @Test(
    "A record with flipped bits is refused or is another record with exactly these bytes", arguments: GoldenRecord.all)
  func keepsBytes(_ golden: GoldenRecord) {
    let whole = bytes(golden.hexadecimal)
    for place in whole.indices {
      for bit in 0..<8 {
        var damaged = whole
        damaged[place] ^= 1 << UInt8(bit)
        guard let record = try? Record(decoding: damaged) else { continue }
        #expect(record != golden.record)
        #expect(record.encoded() == damaged)
      }
    }
  }

  @Test("Random bytes never trap", arguments: 0..<40 as Range<UInt64>)
  func survivesNoise(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for type in [1, 2, 3, 5, 6] as [UInt8] {
      for _ in 0..<50 {
        let noise = (0..<Int.random(in: 0...120, using: &generator)).map { _ in
          Bool.random(using: &generator) ? UInt8.random(in: 0...255, using: &generator) : 0xFF
        }
        if let record = try? Record(decoding: [1, type] + noise) { #expect(record.encoded() == [1, type] + noise) }
      }
    }
  }

  @Test("A newer format and an unknown type are refused as newer")
  func refusesNewer() {
    #expect(throws: DecodingFailure.unsupportedFormat(2)) { try Record(decoding: [2, 1]) }
    #expect(throws: DecodingFailure.unsupportedFormat(4)) { try Record(decoding: [1, 4]) }
    #expect(throws: DecodingFailure.unsupportedFormat(7)) { try Record(decoding: [1, 7]) }
  }

  @Test("A count of parents that the bytes don't hold is refused before anything is reserved")
  func refusesHostileCounts() {
    let head: [UInt8] = [1, 1] + [UInt8](repeating: 0, count: 16)
    #expect(throws: DecodingFailure.truncated) { try Record(decoding: head + [0x80, 0x20]) }
    #expect(throws: DecodingFailure.limitExceeded) { try Record(decoding: head + [0x81, 0x20]) }
    let longest: [UInt8] = [UInt8](repeating: 0xFF, count: 9) + [1]
    #expect(throws: DecodingFailure.limitExceeded) { try Record(decoding: head + longest) }
    #expect(throws: DecodingFailure.limitExceeded) { try Record(decoding: [1, 3] + longest) }
    let tooLong = [UInt8](repeating: 0, count: Record.maximumByteCount + 1)
    #expect(throws: DecodingFailure.limitExceeded) { try Record(decoding: tooLong) }
  }

  @Test("What no reader takes is refused when it is made and when it is read", arguments: InvalidRecord.all)
  func refusesInvalid(_ row: InvalidRecord) {
    #expect(throws: row.failure) { try row.record.validate() }
    #expect(throws: DecodingFailure.self) { try Record(decoding: row.record.encoded()) }
  }

  @Test("The longest fields are taken")
  func takesLimits() throws {
    var record = VersionRecord.sample(size: VersionRecord.maximumContentByteCount, mode: 0o7777)
    record.path = DocumentPath([UInt8](repeating: 0x61, count: DocumentPath.maximumByteCount))!
    record.message = [UInt8](repeating: 0xFF, count: VersionRecord.maximumMessageByteCount)
    record.parents = (0..<UInt64(VersionRecord.maximumParentCount)).map {
      RecordID(SHA256.hash([UInt8($0 & 255), UInt8($0 >> 8)]))
    }
    .sorted()
    try Record.version(record).validate()
    #expect(try Record(decoding: Record.version(record).encoded()) == .version(record))
  }

  @Test("A record names what has to be there before it")
  func namesOthers() {
    #expect(Record.version(.sample(parents: [2, 1])).named == [.sample(2), .sample(1)])
    #expect(GoldenRecord.all[4].record.named == [.sample(0xA1), .sample(0xA2), .sample(0xA3)])
    #expect(GoldenRecord.all[5].record.named == [.sample(0xA1), .sample(0xB1)])
    #expect(GoldenRecord.all[6].record.named.isEmpty)
  }
}

/// A record that breaks one limit or invariant.
struct InvalidRecord: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let failure: DecodingFailure
  let record: Record

  init(_ description: String, _ failure: DecodingFailure, _ record: Record) {
    testDescription = description
    self.failure = failure
    self.record = record
  }

  init(_ description: String, _ failure: DecodingFailure, _ record: VersionRecord) {
    self.init(description, failure, .version(record))
  }

  private static let time = LogicalTime(milliseconds: 0, counter: 0)
  private static let long = [UInt8](repeating: 0x61, count: 65_537)

  static let all = [
    InvalidRecord("parents that don't ascend", .invalidValue, .sample(parents: [1, 3, 2])),
    InvalidRecord("a parent twice", .invalidValue, .sample(parents: [1, 2, 2])),
    InvalidRecord("the first parent again", .invalidValue, .sample(parents: [2, 1, 2])),
    InvalidRecord("a path in the store's folder", .invalidValue, .sample(path: ".dver/packs")),
    InvalidRecord("the store's folder", .invalidValue, .sample(path: ".dver")),
    InvalidRecord("a file without content", .invalidValue, .sample(content: nil)),
    InvalidRecord("a deletion with a size", .invalidValue, .sample(kind: .deleted, content: nil, size: 1)),
    InvalidRecord("a size beyond the limit", .limitExceeded, .sample(size: 1 << 53)),
    InvalidRecord("a mode beyond the permissions", .limitExceeded, .sample(mode: 0o10000)),
    InvalidRecord("a time before the year 1", .limitExceeded, .sample(milliseconds: LogicalTime.firstMillisecond - 1)),
    InvalidRecord("a time after the year 9999", .limitExceeded, .sample(milliseconds: LogicalTime.lastMillisecond + 1)),
    InvalidRecord("a wall time after the year 9999", .limitExceeded, .sample(wallTime: .max)),
    InvalidRecord("a person's version with merge rules", .invalidValue, .sample(mergeRules: 1)),
    InvalidRecord("a merge without rules", .invalidValue, .sample(parents: [2, 1], device: nil, origin: .merge)),
    InvalidRecord("a merge of another origin", .invalidValue, .sample(parents: [2, 1], device: nil, mergeRules: 1)),
    InvalidRecord(
      "a merge of one", .invalidValue, .sample(parents: [1], device: nil, origin: .merge, mergeRules: 1)),
    InvalidRecord(
      "a merge of three", .invalidValue, .sample(parents: [1, 2, 3], device: nil, origin: .merge, mergeRules: 1)),
    InvalidRecord(
      "a merge with a message", .invalidValue,
      .sample(parents: [2, 1], device: nil, origin: .merge, mergeRules: 1, message: "m")),
    InvalidRecord(
      "a message beyond the limit", .limitExceeded, .sample(message: String(decoding: long, as: UTF8.self))),
    InvalidRecord(
      "a removal of nothing", .invalidValue,
      .removal(
        RemovalRecord(
          kept: .sample(1), removesAncestors: false, listed: [], device: .sample(1), logicalTime: time, wallTime: 0))),
    InvalidRecord(
      "a removal out of order", .invalidValue,
      .removal(
        RemovalRecord(
          kept: .sample(1), removesAncestors: true, listed: [.sample(3), .sample(2)], device: .sample(1),
          logicalTime: time, wallTime: 0))),
    InvalidRecord(
      "a retraction of nothing", .invalidValue,
      .retraction(RetractionRecord(names: [], device: .sample(1), logicalTime: time, wallTime: 0))),
    InvalidRecord(
      "a retraction that names twice", .invalidValue,
      .retraction(
        RetractionRecord(names: [.sample(1), .sample(1)], device: .sample(1), logicalTime: time, wallTime: 0))),
    InvalidRecord(
      "a retraction beyond a record's length", .limitExceeded,
      .retraction(
        RetractionRecord(
          names: (0..<33_000).map { RecordID(SHA256.hash([UInt8($0 & 255), UInt8($0 >> 8)])) }.sorted(),
          device: .sample(1), logicalTime: time, wallTime: 0))),
    InvalidRecord(
      "a device without a name", .invalidValue,
      .device(
        DeviceRecord(
          device: .sample(1), name: [], platform: [], continues: nil, isRetired: false, author: .sample(1),
          logicalTime: time, wallTime: 0))),
    InvalidRecord(
      "a device with a long name", .limitExceeded,
      .device(
        DeviceRecord(
          device: .sample(1), name: Array(long[..<256]), platform: [], continues: nil, isRetired: false,
          author: .sample(1), logicalTime: time, wallTime: 0))),
    InvalidRecord(
      "a setting without a key", .invalidValue,
      .setting(SettingRecord(key: [], value: nil, device: .sample(1), logicalTime: time, wallTime: 0))),
    InvalidRecord(
      "a setting with a long value", .limitExceeded,
      .setting(SettingRecord(key: [1], value: long, device: .sample(1), logicalTime: time, wallTime: 0))),
  ]
}
