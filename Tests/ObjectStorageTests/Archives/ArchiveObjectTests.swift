import Archives
import Deflate
import Hashing
import TestSupport
import Testing

@testable import ObjectStorage

@Suite("The archive object") struct ArchiveObjectTests {
  private static let skeleton = SHA256.hash(Array("skeleton".utf8))
  private static let content = SHA256.hash(Array("content".utf8))

  @Test("has the bytes that the format says")
  func golden() throws {
    let bench = try ArchiveBench()
    #expect(try bench.save(GoldenArchive.zip))
    let object = try #require(try bench.objects().first { $0.kind == .archive })
    #expect(try bench.store.base(object.id, .archive) == GoldenArchive.object)
    let archive = try bench.archive(GoldenArchive.zip)
    #expect(try bench.store.content(archive.skeleton, limit: .max) == GoldenArchive.skeleton)
    #expect(try ArchiveObject(decoding: GoldenArchive.object).encoded() == GoldenArchive.object)
    #expect(try bench.content(GoldenArchive.zip) == GoldenArchive.zip)
  }

  /// Fields of an object, of which each can be something else.
  private struct Fields {
    var form: UInt8 = 1
    var encoder: UInt8 = 1
    var byteCount: UInt64 = 1000
    var skeletonByteCount: UInt64 = 100
    var directory: UInt64 = 1
    var count: UInt64 = 1
    var flags: UInt8 = 0b110
    var time: Int64 = 0x5A21_6000
    var contentByteCount: UInt64 = 500
    var settings: UInt8 = 6
    var flushes: [UInt64] = [1]
    var flushCount: UInt64?
    var rest: [UInt8] = []

    var bytes: [UInt8] {
      var writer = ByteWriter()
      writer.u8(form)
      writer.u8(encoder)
      writer.varint(byteCount)
      writer.id(ArchiveObjectTests.skeleton)
      writer.varint(skeletonByteCount)
      writer.varint(directory)
      writer.varint(count)
      writer.u8(flags)
      writer.zigzag(time)
      writer.id(ArchiveObjectTests.content)
      writer.varint(contentByteCount)
      writer.u8(settings)
      writer.varint(flushCount ?? UInt64(flushes.count))
      for flush in flushes { writer.varint(flush) }
      writer.raw(rest)
      return writer.bytes
    }

    init(_ change: (inout Fields) -> Void = { _ in }) {
      change(&self)
    }
  }

  @Test("decodes to what was encoded")
  func roundTrip() throws {
    #expect(try ArchiveObject(decoding: Fields().bytes).encoded() == Fields().bytes)
  }

  @Test("is refused where a field is beyond its limits, before anything is allocated")
  func limits() {
    let refused: [(DecodingFailure, (inout Fields) -> Void)] = [
      (.invalidValue, { $0.form = 0 }), (.unsupportedFormat(2), { $0.form = 2 }),
      (.invalidValue, { $0.encoder = 0 }), (.unsupportedFormat(9), { $0.encoder = 9 }),
      (.limitExceeded, { $0.byteCount = 64 << 20 + 1 }), (.limitExceeded, { $0.byteCount = .max }),
      (.limitExceeded, { $0.skeletonByteCount = 1001 }), (.limitExceeded, { $0.skeletonByteCount = .max }),
      (.limitExceeded, { $0.directory = 102 }), (.limitExceeded, { $0.directory = .max }),
      (.truncated, { $0.count = .max }), (.truncated, { $0.count = 2 }), (.truncated, { $0.count = 1 << 30 }),
      (.invalidValue, { $0.flags = 0b1000_0110 }), (.invalidValue, { $0.flags = 0b111 }),
      (.invalidValue, { $0.flags = 0b1_1010 }),
      (.invalidValue, { $0.time = -1 }), (.invalidValue, { $0.time = 1 << 32 }), (.invalidValue, { $0.time = .min }),
      (.invalidValue, { $0.time = .max }),
      (.limitExceeded, { $0.contentByteCount = 64 << 20 + 1 }), (.limitExceeded, { $0.contentByteCount = .max }),
      (.limitExceeded, { $0.contentByteCount = 200_001 }),
      (.invalidValue, { $0.settings = 10 }), (.invalidValue, { $0.settings = 0x22 }),
      (.truncated, { $0.flushCount = .max }), (.truncated, { $0.flushCount = 2 }),
      (.limitExceeded, { ($0.flushCount, $0.rest) = (1 << 16 + 1, [UInt8](repeating: 1, count: 1 << 17)) }),
      (.invalidValue, { $0.flushes = [3] }), (.invalidValue, { $0.flushes = [501 << 2] }),
      (.invalidValue, { $0.flushes = [300 << 2, 201 << 2] }), (.invalidValue, { $0.flushes = [.max - 1] }),
      (.trailingBytes, { $0.rest = [0] }),
    ]
    for (number, (failure, change)) in refused.enumerated() {
      #expect(throws: failure, "case \(number)") { try ArchiveObject(decoding: Fields(change).bytes) }
    }
    let stored = Fields { ($0.flags, $0.contentByteCount) = (0b101, 901) }.bytes.dropLast(3)
    #expect(throws: DecodingFailure.limitExceeded) { try ArchiveObject(decoding: Array(stored)) }
  }

  @Test("never traps and never gives other bytes when it is damaged")
  func damage() throws {
    let bench = try ArchiveBench()
    #expect(try bench.save(GoldenArchive.zip))
    let id = SHA256.hash(GoldenArchive.zip)
    var variants: [[UInt8]] = (0..<GoldenArchive.object.count).map { Array(GoldenArchive.object.prefix($0)) }
    for place in GoldenArchive.object.indices {
      for bit in 0..<8 {
        var damaged = GoldenArchive.object
        damaged[place] ^= 1 << UInt8(bit)
        variants.append(damaged)
      }
    }
    bench.writer.begin()
    var offsets: [UInt64] = []
    for bytes in variants {
      offsets.append(
        try bench.writer.append(
          .object(
            ObjectEntry(id: id, kind: .archive, encoding: .raw, byteCount: UInt64(bytes.count), data: .bytes(bytes)))))
    }
    try bench.writer.commit(.none)
    let store = bench.store
    var harmless = 0
    for (number, offset) in offsets.enumerated() {
      bench.places[id] = [ObjectLocation(pack: bench.writer.name, offset: offset)]
      // Two settings may make the same of a short content, and then nothing is damaged.
      let given = try? store.content(id, limit: .max)
      #expect(given == nil || given == GoldenArchive.zip, "variant \(number)")
      if given != nil { harmless += 1 }
    }
    #expect(harmless < 10)
  }

  @Test("never traps and never gives other bytes when what it names is damaged")
  func damagedParts() throws {
    let bench = try ArchiveBench()
    #expect(try bench.save(GoldenArchive.zip))
    let id = SHA256.hash(GoldenArchive.zip)
    let archive = try bench.archive(GoldenArchive.zip)
    // A skeleton with another id, so that nothing tells of the damage but the whole.
    bench.writer.begin()
    var forged: [(object: UInt64, skeleton: ObjectID)] = []
    for place in GoldenArchive.skeleton.indices {
      var skeleton = GoldenArchive.skeleton
      skeleton[place] ^= 0xFF
      let offset = try bench.writer.append(.object(PackSample.blob(skeleton)))
      bench.places[SHA256.hash(skeleton)] = [ObjectLocation(pack: bench.writer.name, offset: offset)]
      var changed = archive
      changed.skeleton = SHA256.hash(skeleton)
      let bytes = changed.encoded()
      let object = ObjectEntry(
        id: id, kind: .archive, encoding: .raw, byteCount: UInt64(bytes.count), data: .bytes(bytes))
      forged.append((try bench.writer.append(.object(object)), changed.skeleton))
    }
    try bench.writer.commit(.none)
    let store = bench.store
    for (place, (offset, _)) in forged.enumerated() {
      bench.places[id] = [ObjectLocation(pack: bench.writer.name, offset: offset)]
      // What is filled in may be anything in the skeleton.
      let given = try? store.content(id, limit: .max)
      #expect(given == nil || (given == GoldenArchive.zip && GoldenArchive.skeleton[place] == 0), "byte \(place)")
    }
  }

  @Test("that names itself, or another archive, is refused")
  func ring() throws {
    let bench = try ArchiveBench()
    var object = ArchiveObject(
      byteCount: 1000, skeleton: Self.content, skeletonByteCount: 1000, directoryGap: nil, items: [])
    try bench.put(object.encoded(), id: Self.content)
    #expect(throws: ObjectStoreError.notFound(Self.content)) { try bench.store.content(Self.content, limit: .max) }
    #expect(try !bench.store.containsContent(Self.content))
    object.skeleton = SHA256.hash([])
    #expect(throws: ObjectStoreError.tooLarge) { try bench.store.content(Self.content, limit: 999) }
  }

  @Test("of a newer form or encoder is told as such, and is no damage")
  func newer() throws {
    let bench = try ArchiveBench()
    #expect(try bench.save(GoldenArchive.zip))
    let id = SHA256.hash(GoldenArchive.zip)
    for place in [0, 1] {
      var newer = GoldenArchive.object
      newer[place] = 7
      let other = try ArchiveBench()
      try other.put(newer, id: id)
      #expect(throws: ObjectStoreError.unsupportedArchive(version: 7)) { try other.store.content(id, limit: .max) }
      #expect(throws: ObjectStoreError.unsupportedArchive(version: 7)) { try other.store.contentByteCount(id) }
      #expect(try other.open().verify(deep: true, resolvingFar: PackSample.resolve).isEmpty)
    }
  }

  @Test("may have other bytes in another pack: each delta is against the one that it was made of")
  func severalForms() throws {
    let bench = try ArchiveBench()
    let text = TestArchive.text(100, seed: 4)
    let contents = (0..<3).map { TestArchive.document(text + Array("\($0)".utf8), modified: UInt32($0)).bytes }
    for (earlier, bytes) in zip([nil] + contents, contents) { #expect(try bench.save(bytes, after: earlier)) }
    let places = bench.places
    // The second one as somebody else stored it, who has its picture in another form.
    var other = try bench.archive(contents[1])
    #expect(other.items.count == 6)
    other.items[1].numbers = ArchiveObject.Numbers(
      checksum: CRC32.checksum(TestArchive.noise(6000, seed: 77)), inflatedByteCount: 6000)
    let id = SHA256.hash(contents[1])
    try bench.put(other.encoded(), id: id)
    for order in [0, 1] {
      bench.places[id] = order == 0 ? bench.places[id] : bench.places[id]?.reversed()
      for bytes in contents { #expect(try bench.content(bytes) == bytes) }
    }
    // The next version stands on the one in its own pack, by its place, whichever is found first.
    let candidates = try bench.store.deltaCandidates(for: id, device: PackSample.device).filter { $0.kind == .archive }
    #expect(candidates.count == 2)
    for candidate in candidates {
      let there = try bench.open().objectBytes(at: candidate.location.offset, resolvingFar: PackSample.resolve)
      #expect(try candidate.load() == there)
    }
    // And as one from whom not everything is here, or who lies.
    other.items[1].source = .stored(SHA256.hash([9]), byteCount: 6000)
    try bench.put(other.encoded(), id: id)
    let last = try #require(bench.places[id]?.last)
    bench.places[id] = [last] + (places[id] ?? [])
    for bytes in contents { #expect(try bench.content(bytes) == bytes) }
    #expect(try bench.store.containsContent(id))
    bench.places[id] = [last]
    #expect(throws: ObjectStoreError.self) { try bench.content(contents[1]) }
    #expect(try !bench.store.containsContent(id))
    let packs = try #require(try bench.sample.seal([try bench.open()]))
    let sealed = try bench.sample.openSealed(packs)
    #expect(packs.objects.filter { $0.id == id }.count == 3)
    #expect(sealed.verify(deep: true, resolvingFar: PackSample.resolve).isEmpty)
    for item in packs.objects { bench.places[item.id] = [] }
    for item in packs.objects {
      bench.places[item.id]?.append(ObjectLocation(pack: .sealed(packs.id), offset: item.offset))
    }
    for bytes in contents { #expect(try bench.content(bytes) == bytes) }
  }

  @Test("is refused as a delta against another pack")
  func farBase() throws {
    let bench = try ArchiveBench()
    #expect(try bench.save(GoldenArchive.zip))
    let id = SHA256.hash([1])
    bench.writer.begin()
    _ = try bench.writer.append(
      .object(
        ObjectEntry(
          id: id, kind: .archive, encoding: .delta, byteCount: UInt64(GoldenArchive.object.count),
          base: .far(SHA256.hash(GoldenArchive.zip)), depth: 1, data: .bytes([0]))))
    try bench.writer.commit(.none)
    try bench.index()
    #expect(throws: ObjectStoreError.self) { try bench.store.content(id, limit: .max) }
  }

  @Test("is passed over where the content is stored in another form too")
  func otherForms() throws {
    let bench = try ArchiveBench()
    #expect(try bench.save(GoldenArchive.zip))
    let id = SHA256.hash(GoldenArchive.zip)
    var damaged = GoldenArchive.object
    damaged[60] ^= 1
    try bench.put(damaged, id: id)
    bench.places[id]?.removeFirst()
    #expect(throws: ObjectStoreError.self) { try bench.content(GoldenArchive.zip) }
    bench.writer.begin()
    let offset = try bench.writer.append(.object(PackSample.blob(GoldenArchive.zip)))
    try bench.writer.commit(.none)
    bench.places[id]?.append(ObjectLocation(pack: bench.writer.name, offset: offset))
    #expect(try bench.content(GoldenArchive.zip) == GoldenArchive.zip)
  }
}
