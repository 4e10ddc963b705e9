import Hashing
import ObjectStorage
import SystemIO
import TestSupport
import Testing

@Suite("Damaged packs") struct PackDamageTests {
  /// Reads all there is, and checks that what is given is right.
  private func read(_ pack: PackFile, _ comment: Comment) {
    var blobs = 0
    try? pack.forEachObject { (entry) throws(ObjectStoreError) in
      guard let object = entry.object, object.kind == .blob else { return }
      guard let decoded = try? pack.objectBytes(at: entry.offset, resolvingFar: PackSample.resolve) else { return }
      #expect(decoded == PackSample.blobs[object.id], comment)
      blobs += 1
    }
    try? pack.forEachRecord { (entry) throws(ObjectStoreError) in
      guard let record = entry.record else { return }
      let isKnown =
        switch record {
        case .full(let bytes): bytes == Array("record one".utf8) || bytes == Array("record three".utf8)
        case .elided(_, let depth, let bytes): depth == 1 && bytes == Array(" two".utf8)
        case .member: false
        }
      #expect(isKnown, comment)
    }
    for id in PackSample.blobs.keys {
      for offset in pack.objectOffsets(prefix: id.prefix) {
        guard let decoded = try? pack.objectBytes(at: offset, resolvingFar: PackSample.resolve) else { continue }
        #expect(PackSample.blobs.values.contains(decoded), comment)
      }
    }
    #expect(blobs <= 4, comment)
  }

  @Test("A bit flipped anywhere in an active pack gives an error or right bytes")
  func flippedActive() throws {
    let sample = try PackSample()
    for bit in 0..<GoldenPacks.activePack.count * 8 {
      var bytes = GoldenPacks.activePack
      bytes[bit / 8] ^= 1 << (bit % 8)
      try AtomicFile.write(bytes, to: sample.activePath, isDurable: false)
      guard let pack = try? sample.open() else {
        #expect(bit < 36 * 8)
        continue
      }
      read(pack, "bit \(bit)")
      // The groups before the flipped one are there.
      let end = pack.forEachCommittedGroup { _, _, _ in }
      #expect(end == PackSample.groupEnds.last { $0 <= bit / 8 }, "bit \(bit)")
      #expect(pack.tail(from: end) != .none)
      // Behind the last commit entry nothing tells that it was whole.
      let damages = pack.verify(deep: true, resolvingFar: PackSample.resolve)
      #expect(damages.isEmpty == (bit / 8 >= 442), "bit \(bit)")
    }
  }

  @Test("A bit flipped anywhere in a sealed pack is found, and gives an error or right bytes")
  func flippedSealed() throws {
    let sample = try PackSample()
    let id = try #require(ObjectID(hexadecimal: Array(GoldenPacks.sealedName.utf8)))
    let path = sample.folder.appending("pack")
    for bit in 0..<GoldenPacks.sealedPack.count * 8 {
      var bytes = GoldenPacks.sealedPack
      bytes[bit / 8] ^= 1 << (bit % 8)
      try AtomicFile.write(bytes, to: path, isDurable: false)
      guard let pack = try? PackFile.open(path, name: .sealed(PackID(id))) else { continue }
      read(pack, "bit \(bit)")
      let damages = pack.verify(deep: true, resolvingFar: PackSample.resolve)
      #expect(damages.first == PackDamage(pack: pack.name, reason: .hash), "bit \(bit)")
      #expect(damages.count > 1, "bit \(bit): a part is damaged too")
    }
  }

  @Test("Groups behind a damaged one can be read, and their pack is not sealed away")
  func groupsBehindDamage() throws {
    let sample = try PackSample()
    var bytes = GoldenPacks.activePack
    bytes[120] ^= 1
    try AtomicFile.write(bytes, to: sample.activePath, isDurable: false)
    let pack = try sample.open()
    #expect(pack.forEachCommittedGroup { _, _, _ in } == 106)
    #expect(pack.tail(from: 106) == .damaged(offset: 106, reason: .checksum))
    #expect(pack.groupStart(behind: 106) == 172)
    var operations: [PackOperation] = []
    #expect(pack.forEachCommittedGroup(from: 172) { _, operation, _ in operations.append(operation) } == 449)
    #expect(operations == [.sync, .none])
    #expect(throws: ObjectStoreError.damagedPack(PackSample.name, offset: 106, reason: .checksum)) {
      _ = try sample.seal([pack])
    }
  }

  @Test("A sealed pack cut anywhere is refused")
  func cutSealed() throws {
    let sample = try PackSample()
    let id = try #require(ObjectID(hexadecimal: Array(GoldenPacks.sealedName.utf8)))
    let path = sample.folder.appending("pack")
    for count in 0..<GoldenPacks.sealedPack.count {
      try AtomicFile.write(Array(GoldenPacks.sealedPack[..<count]), to: path, isDurable: false)
      #expect(throws: ObjectStoreError.self) { _ = try PackFile.open(path, name: .sealed(PackID(id))) }
    }
  }

  @Test("A pack under a name of the other sort is refused")
  func swappedNames() throws {
    let sample = try PackSample()
    let path = sample.folder.appending("pack")
    try AtomicFile.write(GoldenPacks.sealedPack, to: path, isDurable: false)
    #expect(throws: ObjectStoreError.self) { _ = try PackFile.open(path, name: PackSample.name) }
    try AtomicFile.write(GoldenPacks.activePack, to: path, isDurable: false)
    let name = PackName.sealed(PackID(SHA256.hash([1])))
    #expect(throws: ObjectStoreError.self) { _ = try PackFile.open(path, name: name) }
  }

  @Test("What is no file is no pack")
  func noFiles() throws {
    let sample = try PackSample()
    #expect(throws: ObjectStoreError.self) { _ = try PackFile.open(sample.packs, name: PackSample.name) }
    let error = #expect(throws: ObjectStoreError.self) {
      _ = try PackFile.open(sample.folder.appending("none"), name: PackSample.name)
    }
    guard case .system(let system) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(system.isNotFound)
  }

  @Test("Any offset is either an entry or an error", arguments: [false, true])
  func anyOffset(isSealed: Bool) throws {
    let sample = try PackSample()
    try sample.write()
    let pack = try isSealed ? sample.openSealed(#require(try sample.seal([sample.open()]))) : sample.open()
    for offset in Array(0...pack.byteCount + 10) + [.max, 1 << 32, 1 << 63] {
      guard let entry = try? pack.entry(at: offset) else { continue }
      #expect(entry.offset == offset && entry.end <= pack.byteCount)
    }
  }

  @Test("Chains whose depth does not fall by one are refused", arguments: [2, 255] as [UInt8])
  func wrongDepth(_ depth: UInt8) throws {
    let sample = try PackSample()
    let writer = try sample.write()
    writer.begin()
    var object = PackSample.thereDelta(base: .near(distance: writer.nextOffset - 36))
    object.depth = depth
    let offset = try writer.append(.object(object))
    try writer.commit(.save)
    let pack = try sample.open()
    #expect(throws: ObjectStoreError.damagedPack(PackSample.name, offset: offset, reason: .inconsistent)) {
      _ = try pack.objectBytes(at: offset, resolvingFar: PackSample.resolve)
    }
  }

  @Test("A base that is no entry, no object, of another kind or the header is refused")
  func wrongBases() throws {
    let sample = try PackSample()
    let writer = try sample.write()
    writer.begin()
    let start = writer.nextOffset
    // Inside an entry, a record, a commit, a chunk list, and within the header.
    let offsets = try [37, 222, 99, 257, 0].map { base in
      try writer.append(.object(PackSample.thereDelta(base: .near(distance: writer.nextOffset - base))))
    }
    try writer.commit(.save)
    #expect(offsets.first == start)
    let pack = try sample.open()
    for offset in offsets {
      #expect(throws: ObjectStoreError.self) {
        _ = try pack.objectBytes(at: offset, resolvingFar: PackSample.resolve)
      }
    }
  }

  @Test("An object that decodes to other bytes than its id's is corrupt")
  func wrongID() throws {
    let sample = try PackSample()
    let writer = try sample.write()
    writer.begin()
    var object = PackSample.deflatedHello
    object.id = SHA256.hash(PackSample.world)
    let offset = try writer.append(.object(object))
    object.byteCount = 1 << 26
    let longOffset = try writer.append(.object(object))
    try writer.commit(.save)
    let pack = try sample.open()
    for offset in [offset, longOffset] {
      #expect(throws: ObjectStoreError.corrupt(object.id, pack: PackSample.name, offset: offset)) {
        _ = try pack.objectBytes(at: offset, resolvingFar: PackSample.resolve)
      }
    }
    let damages = pack.verify(deep: true, resolvingFar: PackSample.resolve)
    #expect(damages.map(\.offset) == [offset, longOffset])
    #expect(pack.verify(deep: false, resolvingFar: PackSample.resolve).isEmpty)
  }
}
