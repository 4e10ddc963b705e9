import Hashing
import ObjectStorage
import Versioning

/// Where a blob of a foreign pack is now.
struct MovedBlob {
  let pack: Int64
  let offset: UInt64
}

/// Copies objects and records of a foreign pack's group into one of the own active pack.
struct ForeignCopy {
  private let foreign: ForeignPack
  private let transaction: StoreTransaction
  /// Blobs that were copied as they are, by where they began.
  private(set) var moved: [UInt64: MovedBlob]
  /// Contents that go into the entry of the record that names them.
  private var inline: [ObjectID: ForeignPack.Object] = [:]

  init(_ foreign: ForeignPack, to transaction: StoreTransaction, moved: [UInt64: MovedBlob]) {
    self.foreign = foreign
    self.transaction = transaction
    self.moved = moved
  }

  mutating func run(_ objects: [ForeignPack.Object], _ records: [IdentifiedRecord]) throws(RepositoryError) {
    var parents: [ObjectID: RecordID?] = [:]
    for record in records {
      guard let version = record.version, let content = version.record.content else { continue }
      if parents[content] == nil { parents[content] = .some(version.record.parents.first) }
    }
    for object in objects {
      if object.role == .content, object.stored != nil, parents[object.id] != nil {
        inline[object.id] = object
      } else {
        try copy(object, after: parents[object.id] ?? nil)
      }
    }
    for record in records {
      if let content = record.version?.record.content, let object = inline.removeValue(forKey: content) {
        try adopt(record, with: object, after: parents[content] ?? nil)
      } else {
        try transaction.adopt(record)
      }
    }
  }

  private mutating func adopt(
    _ record: IdentifiedRecord, with object: ForeignPack.Object, after parent: RecordID?
  ) throws(RepositoryError) {
    let content: StoredContent
    if let entry = try entry(of: object) { content = .inline(entry) } else { content = try made(object, after: parent) }
    let offset = transaction.writer.nextOffset
    try transaction.adopt(record, content)
    noteMove(of: object, to: offset)
  }

  /// Stores an object anew, against the content before it where that saves bytes, or as it is.
  private mutating func copy(_ object: ForeignPack.Object, after parent: RecordID?) throws(RepositoryError) {
    let store = transaction.store
    if let entry = try entry(of: object) {
      if transaction.objects[object.id] != nil { return }
      let offset = transaction.writer.nextOffset
      try transaction.append(entry)
      return noteMove(of: object, to: offset)
    }
    switch object.role {
    case .content:
      let content = try made(object, after: parent)
      if case .inline(let entry) = content { try transaction.append(entry) }
    case .part:
      let bytes = try store.stored { () throws(ObjectStoreError) in try foreign.bytes(of: object) }
      try transaction.addPart(bytes, id: object.id)
    case .chunkList:
      try transaction.append(
        ObjectEntry(
          id: object.id, kind: .chunkList, encoding: .raw, byteCount: UInt64(object.bytes.count), base: nil, depth: 0,
          data: .bytes(object.bytes)))
    }
  }

  private func made(_ object: ForeignPack.Object, after parent: RecordID?) throws(RepositoryError) -> StoredContent {
    let store = transaction.store
    let predecessor = try parent.flatMap { (id) throws(RepositoryError) in try store.version(id) }
    let bytes = try store.stored { () throws(ObjectStoreError) in try foreign.bytes(of: object) }
    return try transaction.content(bytes, id: object.id, after: predecessor)
  }

  /// The entry of a blob as the next one of the pack; `nil` where what it is stored against was not copied there.
  private func entry(of object: ForeignPack.Object) throws(RepositoryError) -> ObjectEntry? {
    guard let (stored, offset) = object.stored else { return nil }
    var entry = foreign.entry(stored)
    switch stored.base {
    case nil: return entry
    case .far: return nil
    case .near(let distance):
      guard distance <= offset, let base = moved[offset - distance], base.pack == transaction.pack else { return nil }
      entry.base = .near(distance: transaction.writer.nextOffset - base.offset)
      return entry
    }
  }

  private mutating func noteMove(of object: ForeignPack.Object, to offset: UInt64) {
    guard let stored = object.stored, transaction.objects[object.id] == offset else { return }
    moved[stored.offset] = MovedBlob(pack: transaction.pack, offset: offset)
  }
}
