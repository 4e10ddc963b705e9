import Hashing
import ObjectStorage
import SystemIO
import TestSupport
import Testing

@Suite("The object store") struct ObjectStoreTests {
  /// Places by id, as a catalog would keep them.
  private final class Places {
    var places: [ObjectID: [ObjectLocation]] = [:]

    func add(_ pack: PackFile) throws {
      try pack.forEachObject { (entry) throws(ObjectStoreError) in
        guard let id = entry.object?.id else { return }
        places[id, default: []].append(ObjectLocation(pack: pack.name, offset: entry.offset))
      }
    }
  }

  private func store(_ sample: PackSample, _ places: Places) -> ObjectStore {
    ObjectStore(packsFolder: sample.packs, locate: { (id) throws(ObjectStoreError) in places.places[id] ?? [] })
  }

  /// The sample, its far base in pack 7.
  private func sampleStore() throws -> (PackSample, Places, ObjectStore) {
    let sample = try PackSample()
    let older = try ActivePackWriter.create(folder: sample.active, device: PackSample.device, number: 7)
    older.begin()
    _ = try older.append(.object(PackSample.blob(PackSample.farBase)))
    try older.commit(.save)
    try sample.write()
    let places = Places()
    try places.add(PackFile.open(older.path, name: older.name))
    try places.add(sample.open())
    return (sample, places, store(sample, places))
  }

  @Test("Every object is read, in whatever order, active or sealed", arguments: [false, true])
  func readsObjects(isSealed: Bool) throws {
    let (sample, places, active) = try sampleStore()
    var store = active
    if isSealed {
      let pack = try sample.openSealed(#require(try sample.seal([sample.open()])))
      for id in PackSample.blobs.keys { places.places[id] = nil }
      try places.add(pack)
      store = self.store(sample, places)
    }
    for (id, content) in PackSample.blobs.sorted(by: { $0.key < $1.key }) {
      #expect(try store.object(id) == content)
      #expect(try store.object(id) == content)
      #expect(try store.content(id, limit: 100) == content)
    }
    let joined = SHA256.hash(PackSample.joined)
    #expect(try store.content(joined, limit: 16) == PackSample.joined)
    #expect(try store.contentByteCount(joined) == 16)
    #expect(try store.containsContent(joined))
    #expect(throws: ObjectStoreError.tooLarge) { _ = try store.content(joined, limit: 15) }
  }

  @Test("What is nowhere is not found")
  func notFound() throws {
    let (sample, places, store) = try sampleStore()
    defer { withExtendedLifetime(sample) {} }
    let id = SHA256.hash([42])
    #expect(throws: ObjectStoreError.notFound(id)) { _ = try store.object(id) }
    #expect(try !store.contains(id) && !store.containsContent(id))
    // A place of another id is passed over.
    places.places[id] = places.places[SHA256.hash(PackSample.hello)]
    #expect(throws: ObjectStoreError.notFound(id)) { _ = try store.object(id) }
    // A missing base is named.
    let base = SHA256.hash(PackSample.farBase)
    places.places[base] = nil
    #expect(throws: ObjectStoreError.notFound(base)) { _ = try store.object(SHA256.hash(PackSample.far)) }
    // A missing chunk makes a content not local.
    places.places[SHA256.hash(PackSample.hello)] = nil
    #expect(try !store.containsContent(SHA256.hash(PackSample.joined)))
  }

  @Test("A damaged place is passed over where there is a good one, for objects and their far bases", arguments: [0, 1])
  func goesAroundDamage(order: Int) throws {
    let (sample, places, _) = try sampleStore()
    // A copy of everything whose data does not decode to its id, though every checksum fits.
    let bad = try ActivePackWriter.create(folder: sample.active, device: PackSample.device, number: 9)
    bad.begin()
    for content in [PackSample.world, PackSample.farBase, PackSample.far] {
      var object = PackSample.blob([UInt8](repeating: 0x21, count: content.count))
      object.id = SHA256.hash(content)
      let place = ObjectLocation(pack: bad.name, offset: try bad.append(.object(object)))
      places.places[object.id]?.insert(place, at: order)
    }
    try bad.commit(.save)
    let store = store(sample, places)
    #expect(try store.object(SHA256.hash(PackSample.far)) == PackSample.far)
    #expect(try store.object(SHA256.hash(PackSample.world)) == PackSample.world)
    #expect(try store.object(SHA256.hash(PackSample.farBase)) == PackSample.farBase)
  }

  @Test("Where every place is damaged the first damage is told")
  func allDamaged() throws {
    let (sample, _, store) = try sampleStore()
    var bytes = GoldenPacks.activePack
    bytes[80] ^= 1
    try AtomicFile.write(bytes, to: sample.activePath, isDurable: false)
    let id = SHA256.hash(PackSample.world)
    #expect(throws: ObjectStoreError.damagedPack(PackSample.name, offset: 36, reason: .checksum)) {
      _ = try store.object(id)
    }
  }

  @Test("Bases that form a ring through two packs end in an error")
  func ring() throws {
    let sample = try PackSample()
    let places = Places()
    let contents = [PackSample.hello, PackSample.world]
    for number in 0...1 {
      let writer = try ActivePackWriter.create(
        folder: sample.active, device: PackSample.device, number: UInt64(number + 1))
      writer.begin()
      let object = ObjectEntry(
        id: SHA256.hash(contents[number]), kind: .blob, encoding: .delta, byteCount: 5,
        base: .far(SHA256.hash(contents[1 - number])), depth: 1, data: .bytes([2, 5, 0]))
      _ = try writer.append(.object(object))
      try writer.commit(.save)
      try places.add(PackFile.open(writer.path, name: writer.name))
    }
    let store = store(sample, places)
    #expect(throws: ObjectStoreError.self) { _ = try store.object(SHA256.hash(PackSample.hello)) }
  }

  @Test("A chain through two hundred packs is read")
  func manyPacks() throws {
    let sample = try PackSample()
    let places = Places()
    var content: [UInt8] = [0]
    for number in 0..<200 {
      let writer = try ActivePackWriter.create(
        folder: sample.active, device: PackSample.device, number: UInt64(number + 1))
      writer.begin()
      var object = PackSample.blob(content)
      if number > 0 {
        let base = SHA256.hash(Array(content.dropLast()))
        object.encoding = .delta
        object.base = .far(base)
        object.depth = UInt8(number)
        object.data = .bytes([2] + varint(UInt64(number)) + [1, UInt8(number)])
      }
      _ = try writer.append(.object(object))
      try writer.commit(.save)
      try places.add(PackFile.open(writer.path, name: writer.name))
      content.append(UInt8(number + 1))
    }
    content.removeLast()
    #expect(try store(sample, places).object(SHA256.hash(content)) == content)
  }

  @Test("What was appended to an active pack after it was mapped is found")
  func growingPack() throws {
    let (sample, places, store) = try sampleStore()
    #expect(try store.object(SHA256.hash(PackSample.hello)) == PackSample.hello)
    let writer = try sample.reopen()
    writer.begin()
    let content = Array("later".utf8)
    let offset = try writer.append(.object(PackSample.blob(content)))
    places.places[SHA256.hash(content)] = [ObjectLocation(pack: writer.name, offset: offset)]
    // Even before the commit, once it is in the file.
    try writer.flush()
    #expect(try store.object(SHA256.hash(content)) == content)
    try writer.commit(.save)
  }

  @Test("A chunk list whose chunks do not make up its id is corrupt, at the end at the latest")
  func wrongList() throws {
    let (sample, places, store) = try sampleStore()
    let writer = try sample.reopen()
    writer.begin()
    var list = PackSample.list
    list.id = SHA256.hash([7])
    let offset = try writer.append(.object(list))
    try writer.commit(.save)
    places.places[list.id] = [ObjectLocation(pack: writer.name, offset: offset)]
    #expect(throws: ObjectStoreError.corruptContent(list.id)) { _ = try store.content(list.id, limit: 100) }
  }

  @Test("What the receiver throws comes out as such")
  func destinationFails() throws {
    let (sample, _, store) = try sampleStore()
    defer { withExtendedLifetime(sample) {} }
    let failure = SystemError(function: "write", path: nil, code: 28)
    #expect(throws: ObjectStoreError.destination(failure)) {
      try store.writeContent(SHA256.hash(PackSample.joined)) { (_) throws(SystemError) in throw failure }
    }
  }
}
