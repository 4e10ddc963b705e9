import Hashing
import SystemIO
import TestSupport
import Testing

@testable import ObjectStorage

@Suite("The format of packs") struct PackFormatTests {
  @Test("Headers have their golden bytes")
  func goldenHeaders() throws {
    let plain = PackHeader(isSealed: false, device: PackSample.device)
    let replaced = ["b", "a"].map { PackID(SHA256.hash(Array($0.utf8))) }
    let replacing = PackHeader(isSealed: true, device: PackSample.device, replaces: replaced)
    #expect(PackFormat.encode(plain) == GoldenPacks.header)
    #expect(PackFormat.encode(replacing) == GoldenPacks.replacingHeader)
    #expect(try GoldenPacks.header.withUnsafeBytes { try PackFormat.decodeHeader(in: $0) } == plain)
    #expect(try GoldenPacks.replacingHeader.withUnsafeBytes { try PackFormat.decodeHeader(in: $0) } == replacing)
    #expect(replacing.byteCount == GoldenPacks.replacingHeader.count)
  }

  @Test(
    "Every type of entry has its golden bytes",
    arguments: [
      GoldenEntry(
        "record with raw object", offset: 36, isBaseMark: true,
        .recordWithObject(.full(Array("record one".utf8)), PackSample.blob(PackSample.world)),
        GoldenPacks.recordWithRawObject),
      GoldenEntry(
        "record with delta", offset: 106,
        .recordWithObject(
          .elided(distance: 70, depth: 1, bytes: Array(" two".utf8)),
          PackSample.thereDelta(base: .near(distance: 70))), GoldenPacks.recordWithDelta),
      GoldenEntry("deflated object", offset: 172, .object(PackSample.deflatedHello), GoldenPacks.deflatedObject),
      GoldenEntry("record", offset: 222, .record(.full(Array("record three".utf8))), GoldenPacks.record),
      GoldenEntry("journal", offset: 241, .journal([2, 1, UInt8(ascii: "a")]), GoldenPacks.journal),
      GoldenEntry("chunk list", offset: 257, .object(PackSample.list), GoldenPacks.chunkList),
      GoldenEntry("far delta", offset: 364, .object(PackSample.farDelta), GoldenPacks.farDelta),
      GoldenEntry("commit", offset: 99, .commit(.save), GoldenPacks.commit),
    ])
  func goldenEntries(_ row: GoldenEntry) throws {
    #expect(PackFormat.encodeEntry(row.content, isBaseMark: row.isBaseMark) == row.bytes)
    let padded = [UInt8](repeating: 0, count: row.offset) + row.bytes + [1, 2, 3]
    let entry = try padded.withUnsafeBytes { try PackFormat.decodeEntry(in: $0, at: UInt64(row.offset)) }
    #expect(entry.isBaseMark == row.isBaseMark)
    #expect(entry.offset == UInt64(row.offset) && entry.byteCount == UInt64(row.bytes.count))
    #expect(entry.content.withData(from: padded) == row.content)
  }

  @Test("A footer has its golden bytes")
  func goldenFooter() throws {
    let pack = GoldenPacks.sealedPack
    let footer = try pack.withUnsafeBytes { try PackFormat.decodeFooter(in: $0, headerByteCount: 36) }
    #expect(PackFormat.encode(footer) == GoldenPacks.footer)
    #expect(footer.objectCount == 5 && footer.recordCount == 3)
    #expect(footer.recordsOffset == 0x175 && footer.indexOffset == 0x1A6)
  }

  @Test("An entry cut at any byte is refused", arguments: GoldenPacks.entries)
  func cutEntries(_ entry: [UInt8]) {
    for count in 0..<entry.count {
      let bytes = [UInt8](repeating: 0, count: 500) + entry[..<count]
      #expect(throws: PackFormatError.truncated) {
        try bytes.withUnsafeBytes { try PackFormat.decodeEntry(in: $0, at: 500) }
      }
    }
  }

  @Test("An entry with any bit flipped is refused", arguments: GoldenPacks.entries)
  func flippedEntries(_ entry: [UInt8]) {
    for bit in 0..<entry.count * 8 {
      var bytes = [UInt8](repeating: 0, count: 500) + entry
      bytes[500 + bit / 8] ^= 1 << (bit % 8)
      #expect(throws: PackFormatError.self) {
        try bytes.withUnsafeBytes { try PackFormat.decodeEntry(in: $0, at: 500) }
      }
    }
  }

  @Test("A header with any bit flipped is refused")
  func flippedHeader() {
    for bit in 0..<GoldenPacks.replacingHeader.count * 8 {
      var bytes = GoldenPacks.replacingHeader
      bytes[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: PackFormatError.self) { try bytes.withUnsafeBytes { try PackFormat.decodeHeader(in: $0) } }
    }
  }

  @Test("Packs of format 1 are read, and gone on with")
  func firstFormat() throws {
    let sample = try PackSample()
    try AtomicFile.write(GoldenPacks.firstActivePack, to: sample.activePath)
    #expect(try sample.open().header.version == 1)
    let contents = try PackSample.contents(of: try sample.open())
    #expect(Set(contents.blobs).isSuperset(of: PackSample.blobs.values) && contents.records.count == 3)
    let writer = try sample.reopen()
    writer.begin()
    _ = try writer.append(.journal([1]))
    try writer.commit(.save)
    let grown = try FileSystem.read(sample.activePath, limit: 1 << 20)
    #expect(grown.starts(with: GoldenPacks.firstActivePack) && grown.count > GoldenPacks.firstActivePack.count)
    let id = PackID(try #require(ObjectID(hexadecimal: Array(GoldenPacks.firstSealedName.utf8))))
    let path = sample.folder.appending("first")
    try AtomicFile.write(GoldenPacks.firstSealedPack, to: path)
    let pack = try PackFile.open(path, name: .sealed(id))
    #expect(pack.header.version == 1 && pack.verify(deep: true, resolvingFar: PackSample.resolve).isEmpty)
    // Sealed anew it is of the version of today.
    let sealed = try #require(try sample.seal([pack]))
    #expect(sealed.id.digest.hexadecimal == GoldenPacks.sealedName)
  }

  @Test("A newer format is named, whatever follows", arguments: [(false, 4), (true, 3)] as [(Bool, UInt8)])
  func newerFormat(isSealed: Bool, version: UInt8) {
    var header = PackFormat.encode(PackHeader(isSealed: isSealed, device: PackSample.device))
    header[8] = version
    #expect(throws: PackFormatError.unsupportedFormat(version: UInt16(version))) {
      try header.withUnsafeBytes { try PackFormat.decodeHeader(in: $0) }
    }
  }

  @Test(
    "Hostile entries whose checksums fit are refused",
    arguments: [
      HostileEntry("an unknown type", 6, [], .unknownEntryType(6)),
      HostileEntry("type 0", 0, [], .unknownEntryType(0)),
      HostileEntry("an unknown operation", 4, [12], .malformed(.invalidValue)),
      HostileEntry("a commit of two bytes", 4, [1, 1], .malformed(.invalidValue)),
      HostileEntry("a marked journal", 0x85, [1], .malformed(.invalidValue)),
      HostileEntry("an object without its id", 1, [1, 2, 3], .malformed(.truncated)),
      HostileEntry("an unknown kind", 1, digest + [0x30, 0], .malformed(.invalidValue)),
      HostileEntry("an unknown encoding", 1, digest + [0x03, 0], .malformed(.invalidValue)),
      HostileEntry("a raw length too great", 1, digest + [0, 5, 1], .malformed(.invalidValue)),
      HostileEntry("a length beyond the limit", 1, digest + [1] + varint(1 << 26 + 1), .malformed(.limitExceeded)),
      HostileEntry("the greatest length", 1, digest + [1] + varint(.max), .malformed(.limitExceeded)),
      HostileEntry("a length in a longer form", 1, digest + [1, 0x80, 0], .malformed(.malformedNumber)),
      HostileEntry("a base before the pack", 1, digest + [2, 9] + varint(501) + [1], .malformed(.invalidValue)),
      HostileEntry("the greatest distance", 1, digest + [2, 9] + varint(.max) + [1], .malformed(.invalidValue)),
      HostileEntry("a delta of depth 0", 1, digest + [2, 9, 7, 0], .malformed(.invalidValue)),
      HostileEntry("a depth beyond the limit", 1, digest + [2, 9, 7] + varint(256), .malformed(.limitExceeded)),
      HostileEntry("a far base without its id", 1, digest + [2, 9, 0, 1], .malformed(.truncated)),
      HostileEntry("an unknown form of record", 2, [2], .malformed(.invalidValue)),
      HostileEntry("no record", 2, [], .malformed(.truncated)),
      HostileEntry("a record that is its own predecessor", 2, [1, 0, 1], .malformed(.invalidValue)),
      HostileEntry("a predecessor before the pack", 2, [1] + varint(501) + [1], .malformed(.invalidValue)),
      HostileEntry("a record longer than its entry", 3, varint(.max) + [0], .malformed(.truncated)),
      HostileEntry(
        "a record beyond the limit", 2, [UInt8](repeating: 0, count: 1 << 20 + 2), .malformed(.limitExceeded)),
    ])
  func hostileEntries(_ row: HostileEntry) {
    #expect(throws: row.error) {
      try row.bytes.withUnsafeBytes { try PackFormat.decodeEntry(in: $0, at: 500) }
    }
  }

  @Test("A body length beyond the bytes is refused", arguments: [5, 100, UInt64(Int.max), .max])
  func hostileLengths(_ length: UInt64) {
    let bytes = [1] + varint(length) + [0, 0, 0, 0]
    #expect(throws: PackFormatError.truncated) {
      try bytes.withUnsafeBytes { try PackFormat.decodeEntry(in: $0, at: 0) }
    }
  }

  @Test("An offset beyond the bytes is refused", arguments: [63, 64, UInt64(Int.max), .max])
  func hostileOffsets(_ offset: UInt64) {
    #expect(throws: PackFormatError.truncated) {
      try GoldenPacks.recordWithRawObject.withUnsafeBytes { try PackFormat.decodeEntry(in: $0, at: offset) }
    }
  }

  @Test("A footer whose offsets do not fit is refused")
  func hostileFooters() {
    let good = PackFooter(recordsOffset: 36, indexOffset: 36, objectCount: 0, recordCount: 0, indexChecksum: 0)
    let header = PackFormat.encode(PackHeader(isSealed: true, device: PackSample.device))
    func decode(_ footer: PackFooter) throws -> PackFooter {
      try (header + PackFormat.encode(footer)).withUnsafeBytes {
        try PackFormat.decodeFooter(in: $0, headerByteCount: 36)
      }
    }
    #expect(throws: Never.self) { try decode(good) }
    for (records, index, objects, count) in [
      (35, 36, 0, 0), (37, 36, 0, 0), (36, 37, 0, 0), (UInt64.max, .max, 0, 0), (36, 36, 1, 0), (36, 36, .max, .max),
      (0, 24, 1, 0), (36, 24, 0, 1),
    ] as [(UInt64, UInt64, UInt32, UInt32)] {
      let footer = PackFooter(
        recordsOffset: records, indexOffset: index, objectCount: objects, recordCount: count, indexChecksum: 0)
      #expect(throws: PackFormatError.inconsistent) { try decode(footer) }
    }
  }
}

private let digest = [UInt8](repeating: 7, count: 32)

func varint(_ value: UInt64) -> [UInt8] {
  var writer = ByteWriter()
  writer.varint(value)
  return writer.bytes
}

struct GoldenEntry: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let offset: Int
  let isBaseMark: Bool
  let content: PackContent
  let bytes: [UInt8]

  init(
    _ testDescription: String, offset: Int, isBaseMark: Bool = false, _ content: PackContent, _ bytes: [UInt8]
  ) {
    self.testDescription = testDescription
    self.offset = offset
    self.isBaseMark = isBaseMark
    self.content = content
    self.bytes = bytes
  }
}

/// An entry at offset 500 whose checksum fits its nonsense.
struct HostileEntry: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let error: PackFormatError
  let bytes: [UInt8]

  init(_ testDescription: String, _ head: UInt8, _ body: [UInt8], _ error: PackFormatError) {
    self.testDescription = testDescription
    self.error = error
    var writer = ByteWriter()
    writer.u8(head)
    writer.bytes(body)
    writer.u32(PackFormat.checksum(writer.bytes))
    bytes = [UInt8](repeating: 0, count: 500) + writer.bytes
  }
}

extension GoldenPacks {
  static let entries = [
    recordWithRawObject, recordWithDelta, deflatedObject, record, journal, chunkList, farDelta, commit,
  ]
}

extension PackContent {
  /// The same, with the data of its object taken from the bytes it was decoded from.
  func withData(from bytes: [UInt8]) -> PackContent {
    guard var object, case .stored(let range) = object.data else { return self }
    object.data = .bytes(Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
    switch self {
    case .recordWithObject(let record, _): return .recordWithObject(record, object)
    default: return .object(object)
    }
  }
}
