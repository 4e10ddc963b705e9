import Hashing
import SystemIO
import TestSupport
import Testing

@testable import ObjectStorage

@Suite("The writer of active packs") struct ActivePackWriterTests {
  @Test("A small pack has its golden bytes")
  func goldenPack() throws {
    let sample = try PackSample()
    let writer = try sample.write()
    #expect(writer.byteCount == 449)
    #expect(try FileSystem.read(sample.activePath, limit: 1 << 20) == GoldenPacks.activePack)
  }

  @Test("What was committed is read back group by group")
  func readsBack() throws {
    let sample = try PackSample()
    try sample.write()
    let pack = try sample.open()
    var operations: [PackOperation] = []
    var counts: [Int] = []
    var marks: [Bool] = []
    let end = pack.forEachCommittedGroup { entries, operation, _ in
      operations.append(operation)
      counts.append(entries.count)
      marks += entries.map(\.isBaseMark)
    }
    #expect(end == 449 && operations == [.save, .save, .sync, .none] && counts == [1, 1, 3, 2])
    #expect(marks == [true, false, false, false, false, false, false])
    let contents = try PackSample.contents(of: pack)
    let list = try pack.objectBytes(at: 257) { (_, _) throws(ObjectStoreError) in [] }
    #expect(contents.blobs == [PackSample.world, PackSample.there, PackSample.hello, list, PackSample.far])
    #expect(try ChunkList(decoding: list).byteCount == 16)
    #expect(pack.tail(from: end) == .none)
  }

  @Test("Reading goes on where it stopped")
  func readsOn() throws {
    let sample = try PackSample()
    let writer = try sample.write()
    let before = try sample.open()
    writer.begin()
    _ = try writer.append(.journal([9]))
    try writer.commit(.settings)
    #expect(before.forEachCommittedGroup(from: 449) { _, _, _ in } == 449)
    var operations: [PackOperation] = []
    let end = try before.reopened().forEachCommittedGroup(from: 449) { _, operation, _ in operations.append(operation) }
    #expect(operations == [.settings] && end == writer.byteCount)
  }

  @Test("A pack cut at any byte keeps all groups committed before, and its tail goes to torn/")
  func tornTails() throws {
    for cut in 0...GoldenPacks.activePack.count {
      let sample = try PackSample()
      let kept = Array(GoldenPacks.activePack[..<cut])
      try AtomicFile.write(kept, to: sample.activePath, isDurable: false)
      let end = PackSample.groupEnds.last { $0 <= UInt64(cut) }
      let writer = try sample.reopen(knownByteCount: end ?? 0)
      #expect(writer.byteCount == end ?? 36, "cut at \(cut)")
      let tail = Array(kept[Int(end ?? 0)...])
      let torn = try sample.tornEntries.map {
        try FileSystem.read(sample.torn.appending($0.name), limit: 999)
      }
      #expect(torn == (tail.isEmpty ? [] : [tail]), "cut at \(cut)")
      // It goes on behind the last group.
      writer.begin()
      _ = try writer.append(.journal([1]))
      try writer.commit(.save)
      let pack = try sample.open()
      var groups = 0
      let newEnd = pack.forEachCommittedGroup { _, _, _ in groups += 1 }
      #expect(newEnd == writer.byteCount && groups == (PackSample.groupEnds.firstIndex { $0 == end } ?? 0) + 1)
    }
  }

  @Test("A tail of zeros is torn, as a file system leaves one")
  func zeroTail() throws {
    let sample = try PackSample()
    let bytes = GoldenPacks.activePack[..<257] + [UInt8](repeating: 0, count: 5000)
    try AtomicFile.write(Array(bytes), to: sample.activePath, isDurable: false)
    #expect(try sample.reopen().byteCount == 257)
    #expect(try FileStatus.of(sample.activePath).size == 257)
  }

  @Test("A file of zeros gets its header back, and is kept in torn/")
  func zeroFile() throws {
    let sample = try PackSample()
    try AtomicFile.write([UInt8](repeating: 0, count: 100), to: sample.activePath, isDurable: false)
    #expect(try sample.reopen().byteCount == 36)
    #expect(try FileSystem.read(sample.activePath, limit: 999) == GoldenPacks.header)
    #expect(sample.tornEntries.count == 1)
  }

  @Test("Damage in front of a commit entry is no torn tail, and the file is left alone", arguments: [36, 60, 99, 200])
  func damageInFront(_ offset: Int) throws {
    let sample = try PackSample()
    var bytes = GoldenPacks.activePack
    bytes[offset] ^= 0x40
    try AtomicFile.write(bytes, to: sample.activePath, isDurable: false)
    let error = #expect(throws: ObjectStoreError.self) { _ = try sample.reopen() }
    guard case .damagedPack(PackSample.name, _, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try FileSystem.read(sample.activePath, limit: 999) == bytes)
    #expect(sample.tornEntries.isEmpty)
  }

  @Test("A pack shorter than what is relied on is damaged, not torn")
  func shorterThanKnown() throws {
    let sample = try PackSample()
    try AtomicFile.write(Array(GoldenPacks.activePack[..<300]), to: sample.activePath, isDurable: false)
    #expect(throws: ObjectStoreError.damagedPack(PackSample.name, offset: 257, reason: .truncated)) {
      _ = try sample.reopen(knownByteCount: 449)
    }
    #expect(throws: ObjectStoreError.damagedPack(PackSample.name, offset: 300, reason: .truncated)) {
      _ = try PackFile.open(sample.activePath, name: PackSample.name, knownByteCount: 449)
    }
    #expect(try FileStatus.of(sample.activePath).size == 300)
  }

  @Test("Another device's pack, or a newer one, is not written on")
  func foreignPacks() throws {
    let sample = try PackSample()
    let other = [UInt8](repeating: 9, count: 16)
    let header = PackFormat.encode(PackHeader(isSealed: false, device: other))
    try AtomicFile.write(header, to: sample.activePath, isDurable: false)
    #expect(throws: ObjectStoreError.damagedPack(PackSample.name, offset: 0, reason: .inconsistent)) {
      _ = try sample.reopen()
    }
    var newer = GoldenPacks.header
    newer[8] = 4
    try AtomicFile.write(newer, to: sample.activePath, isDurable: false)
    #expect(throws: ObjectStoreError.unsupportedFormat(version: 4)) { _ = try sample.reopen() }
    #expect(try FileSystem.read(sample.activePath, limit: 999) == newer)
  }

  @Test("A pack is created once")
  func createsOnce() throws {
    let sample = try PackSample()
    try sample.write()
    let error = #expect(throws: ObjectStoreError.self) {
      _ = try ActivePackWriter.create(folder: sample.active, device: PackSample.device, number: 1)
    }
    guard case .system(let system) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(system.alreadyExists)
    #expect(try FileSystem.read(sample.activePath, limit: 1 << 20) == GoldenPacks.activePack)
  }

  @Test("An abandoned group leaves nothing, however much was written through")
  func abandons() throws {
    let sample = try PackSample()
    let writer = try sample.write()
    let big = SeededGenerator.bytes(1 << 20 + 9, seed: 1)
    writer.begin()
    _ = try writer.append(.object(PackSample.blob(big)))
    _ = try writer.append(.journal([1]))
    #expect(try FileStatus.of(sample.activePath).size > 1 << 20 + 9)
    writer.abandon()
    #expect(!writer.isBroken && writer.nextOffset == 449)
    #expect(try FileSystem.read(sample.activePath, limit: 1 << 23) == GoldenPacks.activePack)
    writer.begin()
    let offset = try writer.append(.object(PackSample.blob(big)))
    try writer.commit(.save)
    #expect(offset == 449)
    let read = try sample.open().objectBytes(at: offset) { (_, _) throws(ObjectStoreError) in [] }
    #expect(read == big)
  }

  @Test("An empty group writes nothing")
  func emptyGroup() throws {
    let sample = try PackSample()
    let writer = try sample.write()
    writer.begin()
    try writer.commit(.save)
    #expect(writer.byteCount == 449)
    #expect(try FileStatus.of(sample.activePath).size == 449)
  }

  @Test("An object beyond the limit is refused, and the group goes on")
  func refusesLongObjects() throws {
    let sample = try PackSample()
    let writer = try sample.write()
    writer.begin()
    var object = PackSample.blob(PackSample.hello)
    object.byteCount = PackFormat.maximumObjectByteCount + 1
    #expect(throws: ObjectStoreError.tooLarge) { _ = try writer.append(.object(object)) }
    _ = try writer.append(.journal([1]))
    try writer.commit(.save)
    #expect(writer.byteCount > 449)
  }
}

extension SeededGenerator {
  static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    let words = (0..<count / 8 + 1).map { _ in generator.next().littleEndian }
    return words.withUnsafeBytes { Array($0[..<count]) }
  }
}
