import Deflate
import Hashing
import SystemIO
import TestSupport

@testable import ObjectStorage

/// A store with one sealed pack that holds versions of texts as saves leave them, and its compaction.
struct CompactSample {
  let sample: PackSample
  let sealed: PackFile
  /// The versions of each text, the oldest first.
  let texts: [[[UInt8]]]
  let records: [PackCompactor.Record]
  private let locations: Locations

  private final class Locations {
    var places: [ObjectID: [ObjectLocation]] = [:]
  }

  /// - Parameter isDeflated: whether what is stored whole is deflated, where it gets shorter.
  init(_ texts: [[[UInt8]]], others: [ObjectEntry] = [], isDeflated: Bool = false) throws {
    let sample = try PackSample()
    let writer = try ActivePackWriter.create(folder: sample.active, device: PackSample.device, number: 1)
    let deflater = Deflater()
    var records: [PackCompactor.Record] = []
    for versions in texts {
      var previous: (bytes: [UInt8], offset: UInt64, depth: UInt8)?
      for bytes in versions {
        writer.begin()
        let id = SHA256.hash(bytes)
        var object = PackSample.blob(bytes)
        if isDeflated {
          let encoded = bytes.withUnsafeBytes { DeltaPolicy.encodeWhole($0, deflater: deflater) }
          (object.encoding, object.data) = (encoded.encoding, .bytes(encoded.data))
        }
        if let base = previous, base.depth < 200 {
          let delta = bytes.withUnsafeBytes { new in
            base.bytes.withUnsafeBytes { DeltaCodec.encode(new, base: $0, deflater: deflater) }
          }
          object = ObjectEntry(
            id: id, kind: .blob, encoding: .delta, byteCount: UInt64(bytes.count),
            base: .near(distance: writer.nextOffset - base.offset), depth: base.depth + 1, data: .bytes(delta))
        }
        let record = Array("record \(records.count)".utf8)
        records.append(PackCompactor.Record(id: SHA256.hash(record), bytes: record))
        previous = (bytes, try writer.append(.recordWithObject(.full(record), object)), object.depth)
        try writer.commit(.save)
      }
    }
    writer.begin()
    for object in others { _ = try writer.append(.object(object)) }
    try writer.commit(.none)
    guard let pack = try sample.seal([try sample.open()]) else { throw ObjectStoreError.broken }
    self.sample = sample
    self.texts = texts
    self.records = records
    sealed = try sample.openSealed(pack)
    locations = Locations()
    try note(sealed)
  }

  /// Lets the store find what a pack holds.
  private func note(_ pack: PackFile) throws {
    try pack.forEachObject { (entry) throws(ObjectStoreError) in
      guard let id = entry.object?.id else { return }
      locations.places[id, default: []].append(ObjectLocation(pack: pack.name, offset: entry.offset))
    }
  }

  func store() -> ObjectStore {
    let locations = locations
    return ObjectStore(packsFolder: sample.packs) { (id) throws(ObjectStoreError) in locations.places[id] ?? [] }
  }

  /// A store that finds nothing but what a pack holds.
  func store(of pack: PackFile) throws -> ObjectStore {
    locations.places = [:]
    try note(pack)
    return store()
  }

  /// A block of records that are only put one behind the other.
  static func columns(_ records: [PackCompactor.Record]) -> [UInt8] {
    var writer = ByteWriter()
    for record in records { writer.bytes(record.bytes) }
    return writer.bytes
  }

  func compact(
    _ packs: [PackFile]? = nil, histories: [[ObjectID]]? = nil, neighbours: [[ObjectID]] = [],
    records: [PackCompactor.Record]? = nil, membersInBlock: Int = 256
  ) throws -> SealedPack? {
    let store = store()
    let packs = packs ?? [sealed]
    let records = records ?? self.records
    let histories = histories ?? texts.map { $0.reversed().map { SHA256.hash($0) } }
    return try PackCompactor.compact(
      packs, replaces: packs.compactMap { if case .sealed(let id) = $0.name { id } else { nil } },
      device: PackSample.device, to: sample.packs, histories: histories,
      neighbours: neighbours, records: records,
      columns: { (range, _) throws(ObjectStoreError) in Self.columns(Array(records[range])) },
      from: PackCompactor.Source(
        byteCount: { (id) throws(ObjectStoreError) in try store.contentByteCount(id) },
        read: { (id, kind) throws(ObjectStoreError) in try store.base(id, kind) }), membersInBlock: membersInBlock)
  }

  /// Versions of a text as somebody edits it.
  static func versions(
    _ count: Int, byteCount: Int, edits: ClosedRange<Int> = 1...2, seed: UInt64
  ) -> [[UInt8]] {
    var generator = SeededGenerator(seed: seed)
    var versions = [TextEdits.text(byteCount, using: &generator)]
    while versions.count < count {
      var next = TextEdits.edited(
        versions[versions.count - 1], count: Int.random(in: edits, using: &generator), using: &generator)
      // Edits take away more than they add.
      if next.count < byteCount / 2 { next += TextEdits.text(byteCount / 2, using: &generator) }
      // No version twice: that is one object.
      if !versions.contains(next) { versions.append(next) }
    }
    return versions
  }
}
