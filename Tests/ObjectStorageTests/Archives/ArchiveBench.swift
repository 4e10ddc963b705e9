import Hashing
import SystemIO
import TestSupport

@testable import ObjectStorage

/// A store that archives are written to and read from, with what it holds by id.
final class ArchiveBench {
  let sample: PackSample
  var writer: ActivePackWriter
  var places: [ObjectID: [ObjectLocation]] = [:]
  private var kinds: [ObjectID: Set<ObjectKind>] = [:]

  init() throws {
    sample = try PackSample()
    writer = try ActivePackWriter.create(folder: sample.active, device: PackSample.device, number: 1)
  }

  var contents: ContentWriter {
    ContentWriter(
      writer, contains: { [self] (id) throws(ObjectStoreError) in places[id] != nil },
      containsPart: { [self] (id) throws(ObjectStoreError) in kinds[id]?.contains { $0 != .archive } ?? false })
  }

  var store: ObjectStore {
    ObjectStore(packsFolder: sample.packs, locate: { [self] (id) throws(ObjectStoreError) in places[id] ?? [] })
  }

  func open() throws -> PackFile { try PackFile.open(writer.path, name: writer.name) }

  func index() throws {
    let pack = try open()
    (places, kinds) = ([:], [:])
    try pack.forEachObject { (entry) throws(ObjectStoreError) in
      guard let object = entry.object else { return }
      places[object.id, default: []].append(ObjectLocation(pack: pack.name, offset: entry.offset))
      kinds[object.id, default: []].insert(object.kind)
    }
  }

  /// Saves an archive by its members; `false` where it has to be stored as it is, and nothing of it counts then.
  @discardableResult
  func save(_ bytes: [UInt8], after earlier: [UInt8]? = nil) throws -> Bool {
    let store = store
    let base = earlier.flatMap { store.archiveBase(SHA256.hash($0), device: PackSample.device) }
    writer.begin()
    let contents = contents
    let written = try contents.writeArchive(bytes, id: SHA256.hash(bytes), bases: base.map { [$0] } ?? [])
    if let written { _ = try contents.append(written, record: .full([1])) }
    try writer.commit(.save)
    try index()
    return written != nil
  }

  /// Saves a content as it is.
  func savePlainly(_ bytes: [UInt8]) throws {
    writer.begin()
    let contents = contents
    _ = try contents.append(try contents.write(bytes))
    try writer.commit(.save)
    try index()
  }

  func content(_ bytes: [UInt8]) throws -> [UInt8] {
    try store.content(SHA256.hash(bytes), limit: .max)
  }

  /// The objects of the pack, in order.
  func objects() throws -> [ObjectEntry] {
    var objects: [ObjectEntry] = []
    try open().forEachObject { (entry) throws(ObjectStoreError) in
      if let object = entry.object { objects.append(object) }
    }
    return objects
  }

  func archive(_ bytes: [UInt8]) throws -> ArchiveObject { try store.archives(SHA256.hash(bytes))[0] }

  /// Writes an archive object that nobody checked.
  func put(_ bytes: [UInt8], id: ObjectID) throws {
    writer.begin()
    _ = try writer.append(
      .object(
        ObjectEntry(id: id, kind: .archive, encoding: .raw, byteCount: UInt64(bytes.count), data: .bytes(bytes))))
    try writer.commit(.save)
    try index()
  }
}
