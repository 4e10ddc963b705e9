import Catalog
import Hashing
import ObjectStorage
import Versioning

/// Where a record's entry begins.
struct RecordPlace: Hashable {
  let pack: Int64
  let offset: UInt64
}

/// Decodes the records of packs, each at most once while it is remembered.
///
/// A record stored against its predecessor needs that one first; reading a document's records in the order of a pack
/// costs a constant time a record.
struct RecordCache {
  private static let capacity = 50_000
  private var known: [RecordPlace: IdentifiedRecord] = [:]
  /// The record that was decoded last: what follows it in a pack is mostly stored against it.
  private var last: (place: RecordPlace, record: IdentifiedRecord)?
  /// Contents of which an object was met beside a record.
  private(set) var contents: Set<ObjectID> = []

  mutating func remember(_ record: IdentifiedRecord, at place: RecordPlace) {
    if known.count >= Self.capacity { known.removeAll(keepingCapacity: true) }
    known[place] = record
    last = (place, record)
  }

  private mutating func note(_ content: ObjectID) {
    if contents.count >= Self.capacity { contents.removeAll(keepingCapacity: true) }
    contents.insert(content)
  }

  private mutating func note(_ met: Set<ObjectID>) {
    if contents.count >= Self.capacity { contents.removeAll(keepingCapacity: true) }
    contents.formUnion(met)
  }

  private func known(_ place: RecordPlace) -> IdentifiedRecord? {
    if let last, last.place == place { return last.record }
    return known[place]
  }

  /// Makes room for so many more.
  mutating func reserve(_ count: Int) {
    let room = min(known.count + count, Self.capacity)
    known.reserveCapacity(room)
    contents.reserveCapacity(room)
  }

  mutating func forget() {
    known.removeAll()
    contents.removeAll()
    last = nil
  }

  /// The record whose entry begins at a place.
  mutating func record(at place: RecordPlace, in file: PackFile) throws(RepositoryError) -> IdentifiedRecord {
    if let found = known(place) { return found }
    if let next = try recordAfterLast(at: place, in: file) { return next }
    var waiting: [(place: RecordPlace, entry: RecordEntry, content: ObjectID?)] = []
    var next = place
    var current: IdentifiedRecord?
    while current == nil {
      let (entry, content) = try Self.entry(at: next, in: file)
      if let content { note(content) }
      if case .member(let block, let number) = entry {
        guard waiting.isEmpty else { throw Self.damage(next, file) }
        return try member(number, of: RecordPlace(pack: place.pack, offset: block), in: file)
      }
      if case .elided(let distance, _, _) = entry {
        guard distance > 0, distance <= next.offset, waiting.count < 256 else { throw Self.damage(next, file) }
        waiting.append((next, entry, content))
        next = RecordPlace(pack: next.pack, offset: next.offset - distance)
        current = known(next)
      } else if case .full(let bytes) = entry {
        let record = try Self.decode { () throws(DecodingFailure) in try Record(decoding: bytes) }
        current = IdentifiedRecord(id: record.id, record: record)
        if let current { remember(current, at: next) }
      }
    }
    guard var decoded = current else { throw Self.damage(place, file) }
    for step in waiting.reversed() {
      guard case .elided(_, _, let bytes) = step.entry, let predecessor = decoded.version else {
        throw Self.damage(step.place, file)
      }
      let content = step.content
      let fields = try Self.decode { () throws(DecodingFailure) in
        try VersionRecord.decode(elided: bytes, predecessor: predecessor, contentInEntry: content)
      }
      let record = Record.version(fields)
      decoded = IdentifiedRecord(id: record.id, record: record)
      remember(decoded, at: step.place)
    }
    return decoded
  }

  /// The record at a place where it is stored against the one that was decoded last, as most are that are read in order.
  private mutating func recordAfterLast(
    at place: RecordPlace, in file: PackFile
  ) throws(RepositoryError) -> IdentifiedRecord? {
    guard let last, last.place.pack == place.pack, last.place.offset < place.offset,
      let predecessor = last.record.version
    else { return nil }
    let (entry, content) = try Self.entry(at: place, in: file)
    guard case .elided(let distance, _, let bytes) = entry, distance == place.offset - last.place.offset else {
      return nil
    }
    if let content { note(content) }
    let fields = try Self.decode { () throws(DecodingFailure) in
      try VersionRecord.decode(elided: bytes, predecessor: predecessor, contentInEntry: content)
    }
    let record = Record.version(fields)
    let decoded = IdentifiedRecord(id: record.id, record: record)
    remember(decoded, at: place)
    return decoded
  }

  /// Decodes a block, whole.
  private mutating func member(
    _ number: Int, of block: RecordPlace, in file: PackFile
  ) throws(RepositoryError) -> IdentifiedRecord {
    let columns: [UInt8]
    let count: Int
    do throws(ObjectStoreError) { (columns, count) = try file.recordBlock(at: block.offset) } catch {
      throw .objects(error)
    }
    var ids = ObjectIDReader(file)
    var met: Set<ObjectID> = []
    let records = try Self.decode { () throws(DecodingFailure) in
      try RecordColumns.decode(columns, count: count) { offset in
        guard let id = try? ids.id(at: offset) else { return nil }
        met.insert(id)
        return id
      }
    }
    note(met)
    guard number < records.count else { throw Self.damage(block, file) }
    for (place, record) in records.enumerated() {
      remember(record, at: RecordPlace(pack: block.pack, offset: block.offset + UInt64(place)))
    }
    return records[number]
  }

  private static func entry(
    at place: RecordPlace, in file: PackFile
  ) throws(RepositoryError) -> (RecordEntry, ObjectID?) {
    do { return try file.record(at: place.offset) } catch { throw .objects(error) }
  }

  private static func decode<Value>(
    _ body: () throws(DecodingFailure) -> Value
  ) throws(RepositoryError) -> Value {
    do { return try body() } catch {
      if case .unsupportedFormat(let format) = error { throw .unsupportedFormat(Array("record \(format)".utf8)) }
      throw .damaged("a version record can't be read (\(error))")
    }
  }

  private static func damage(_ place: RecordPlace, _ file: PackFile) -> RepositoryError {
    .objects(.damagedPack(file.name, offset: place.offset, reason: .inconsistent))
  }
}
