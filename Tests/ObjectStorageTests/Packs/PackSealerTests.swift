import Hashing
import ObjectStorage
import SystemIO
import TestSupport
import Testing

@Suite("The sealer of packs") struct PackSealerTests {
  @Test("A sealed pack has its golden bytes and is named by its hash")
  func goldenPack() throws {
    let sample = try PackSample()
    try sample.write()
    let sealed = try #require(try sample.seal([sample.open()]))
    #expect(sealed.id.description == GoldenPacks.sealedName)
    #expect(sealed.byteCount == UInt64(GoldenPacks.sealedPack.count))
    let path = sample.packs.appending(String(GoldenPacks.sealedName.prefix(2))).appending(GoldenPacks.sealedName)
    #expect(try FileSystem.read(path, limit: 1 << 20) == GoldenPacks.sealedPack)
    #expect(try FileSystem.list(sample.packs).map(\.name) == [Array(GoldenPacks.sealedName.utf8.prefix(2))])
  }

  @Test("A sealed pack gives what the active one gave, and its index finds it")
  func readsBack() throws {
    let sample = try PackSample()
    try sample.write()
    let sealed = try #require(try sample.seal([sample.open()]))
    let pack = try sample.openSealed(sealed)
    #expect(pack.hasItsName() && pack.objectCount == 5 && pack.recordCount == 3)
    #expect(pack.verify(deep: true, resolvingFar: PackSample.resolve).isEmpty)
    for (id, content) in PackSample.blobs {
      let offsets = pack.objectOffsets(prefix: id.prefix)
      #expect(offsets == sealed.objects.filter { $0.id == id }.map(\.offset) && offsets.count == 1)
      let read = try pack.objectBytes(at: offsets[0], resolvingFar: PackSample.resolve)
      #expect(read == content)
    }
    for record in sealed.records { #expect(pack.recordOffsets(prefix: record.id.prefix) == [record.offset]) }
    #expect(pack.objectOffsets(prefix: 1).isEmpty && pack.objectOffsets(prefix: .max).isEmpty)
    let records = try PackSample.contents(of: pack).records
    let distance = sealed.records[1].offset - sealed.records[0].offset
    #expect(
      records == [
        .full(Array("record one".utf8)), .elided(distance: distance, depth: 1, bytes: Array(" two".utf8)),
        .full(Array("record three".utf8)),
      ])
  }

  @Test("Sealing is deterministic, and sealing a sealed pack again only adds what is replaced")
  func deterministic() throws {
    let sample = try PackSample()
    try sample.write()
    let first = try #require(try sample.seal([sample.open()]))
    let second = try #require(try sample.seal([sample.open()]))
    #expect(first.id == second.id)
    let again = try #require(try sample.seal([sample.openSealed(first)]))
    #expect(again.id == first.id)
    let replacing = try #require(try sample.seal([sample.openSealed(first)], replaces: [first.id]))
    let pack = try sample.openSealed(replacing)
    #expect(replacing.id != first.id && pack.header.replaces == [first.id])
    #expect(replacing.byteCount == first.byteCount + 32)
    #expect(pack.verify(deep: true, resolvingFar: PackSample.resolve).isEmpty)
  }

  @Test("What is there twice is written once")
  func dropsDuplicates() throws {
    let sample = try PackSample()
    try sample.write()
    let pack = try sample.open()
    let once = try #require(try sample.seal([pack]))
    let twice = try #require(try sample.seal([pack, pack]))
    #expect(twice.id == once.id)
  }

  @Test("A far base that is among the sources becomes a near one")
  func makesBasesNear() throws {
    let sample = try PackSample()
    let older = try ActivePackWriter.create(folder: sample.active, device: PackSample.device, number: 7)
    older.begin()
    _ = try older.append(.object(PackSample.blob(PackSample.farBase)))
    try older.commit(.save)
    try sample.write()
    let sealed = try #require(try sample.seal([PackFile.open(older.path, name: older.name), sample.open()]))
    let pack = try sample.openSealed(sealed)
    let far = try #require(sealed.objects.first { $0.id == SHA256.hash(PackSample.far) })
    #expect(try pack.object(at: far.offset).base == .near(distance: far.offset - sealed.objects[0].offset))
    #expect(try pack.object(at: far.offset).depth == 1)
    let damages = pack.verify(deep: true) { (id, _) throws(ObjectStoreError) in throw .notFound(id) }
    #expect(damages.isEmpty)
    // The other way round the base would not precede.
    let reversed = try #require(try sample.seal([sample.open(), PackFile.open(older.path, name: older.name)]))
    #expect(try sample.openSealed(reversed).verify(deep: true, resolvingFar: PackSample.resolve).isEmpty)
  }

  @Test("A copy nearer to a whole object is kept beside a deeper one, so that depths stay true")
  func keepsShallowCopies() throws {
    let sample = try PackSample()
    let deep = try sample.write()
    let shallow = try ActivePackWriter.create(folder: sample.active, device: PackSample.device, number: 2)
    shallow.begin()
    let base = try shallow.append(.object(PackSample.blob(PackSample.there)))
    let end = Array("hello there".utf8)
    _ = try shallow.append(
      .object(
        ObjectEntry(
          id: SHA256.hash(end), kind: .blob, encoding: .delta, byteCount: 11,
          base: .near(distance: shallow.nextOffset - base), depth: 1, data: .bytes([2, 11, 0]))))
    try shallow.commit(.save)
    let sealed = try #require(
      try sample.seal([PackFile.open(deep.path, name: deep.name), PackFile.open(shallow.path, name: shallow.name)]))
    let pack = try sample.openSealed(sealed)
    #expect(pack.objectOffsets(prefix: SHA256.hash(PackSample.there).prefix).count == 2)
    #expect(pack.verify(deep: true, resolvingFar: PackSample.resolve).isEmpty)
  }

  @Test("Only what is committed is sealed; nothing at all makes no pack")
  func uncommitted() throws {
    let sample = try PackSample()
    let writer = try ActivePackWriter.create(folder: sample.active, device: PackSample.device, number: 1)
    writer.begin()
    _ = try writer.append(.journal([1]))
    try writer.commit(.settings)
    writer.begin()
    _ = try writer.append(.object(PackSample.blob(PackSample.hello)))
    try writer.flush()
    #expect(try sample.seal([sample.open()]) == nil)
    #expect(try FileSystem.list(sample.packs).isEmpty)
  }

  @Test("A damaged source is refused, and nothing is left behind")
  func damagedSource() throws {
    let sample = try PackSample()
    try sample.write()
    let sealed = try #require(try sample.seal([sample.open()]))
    var bytes = GoldenPacks.sealedPack
    bytes[50] ^= 1
    let path = sealed.id.path(inPacks: sample.packs)
    try AtomicFile.write(bytes, to: path, isDurable: false)
    #expect(throws: ObjectStoreError.damagedPack(.sealed(sealed.id), offset: 36, reason: .checksum)) {
      _ = try sample.seal([sample.openSealed(sealed)])
    }
    #expect(try FileSystem.list(sample.packs).count == 1)
  }

  @Test("A long chain of records stays within the depth, and every record comes back")
  func longChains() throws {
    let sample = try PackSample()
    let writer = try ActivePackWriter.create(folder: sample.active, device: PackSample.device, number: 1)
    writer.begin()
    var last = try writer.append(.record(.full([0])))
    for number in 1..<255 {
      let record = RecordEntry.elided(
        distance: writer.nextOffset - last, depth: UInt8(number), bytes: [UInt8(number)])
      last = try writer.append(.record(record))
    }
    try writer.commit(.save)
    let sealed = try #require(try sample.seal([sample.open()]))
    let records = try PackSample.contents(of: sample.openSealed(sealed)).records
    #expect(records.count == 255)
    #expect(records.map(\.depth).max() == 200)
    #expect(sealed.records.map(\.id) == (0..<255).map { SHA256.hash((0...$0).map { UInt8($0) }) })
  }
}
