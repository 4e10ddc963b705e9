import Catalog
import Hashing
import ObjectStorage
import SystemIO
import Versioning

/// A group of entries that becomes durable and visible as one, or not at all.
final class StoreTransaction {
  let store: Store
  let device: DeviceID
  var writer: ActivePackWriter
  var pack: Int64
  var start: UInt64
  var items: [AbsorbedItem] = []
  /// Objects of this group, which the catalog doesn't know yet.
  var objects: [ObjectID: UInt64] = [:]
  /// Blobs of this pack that are no deltas.
  var wholeBlobs: [ObjectID: UInt64] = [:]
  /// The first version record of the group that is whole: new documents have much in common with it.
  var wholeRecord: (version: Version, offset: UInt64, depth: UInt8)?
  /// Which of them are archives.
  var archives: Set<ObjectID> = []
  var versions: [RecordID: (version: Version, offset: UInt64)] = [:]
  /// How many records in a row were stored against their predecessor, by offset.
  var recordDepths: [UInt64: UInt8] = [:]
  /// How many of the items are chunks or parts of archives, which nothing needs where no record comes with them.
  var partCount = 0
  /// Contents of this group that are at hand, by identity.
  var held: [ObjectID: DeltaCandidate] = [:]
  var heldByteCount = 0
  /// The version whose content was held last, and how many versions its family has with it.
  var heldCount: (version: RecordID, versionCount: Int)?
  /// From this length on, in bytes, the group becomes several where a content is not at its end; `nil` where it may not.
  var splitByteCount: UInt64?
  /// Whether it has.
  var isSplit = false
  /// Is told how much of a large file is stored.
  var progress = ByteProgress.none
  lazy var contents = makeContentWriter()
  let now: Int64
  /// Saves of working files that quick ones may go on from.
  var recent: [RecentDocument] = []
  /// Whether every version so far has no parent, or one at its own path.
  var movesNothing = true
  /// What is remembered of the working files whose base this group sets.
  var statuses: [DocumentPath: CachedStatus] = [:]
  /// Versions that the journal entries of this group name as bases, where they are at hand.
  var placed: [RecordID: Version] = [:]

  init(_ store: Store, device: DeviceID, writer: ActivePackWriter, pack: Int64) {
    self.store = store
    self.device = device
    self.writer = writer
    self.pack = pack
    start = writer.byteCount
    now = store.environment.clampedNow
    writer.begin()
  }

  var isEmpty: Bool { items.isEmpty }

  /// What the group counts as, where that isn't what it was begun as.
  var operation: PackOperation?

  /// The length of the group so far.
  var byteCount: UInt64 { writer.nextOffset - start }

  /// The time of the save as a file's modification time.
  var modificationTimeNow: FileTime {
    let seconds = now >= 0 ? now / 1000 : -((999 - now) / 1000)
    return FileTime(seconds: seconds, nanoseconds: UInt32(now - seconds * 1000) * 1_000_000)
      ?? FileTime(wholeSeconds: seconds)
  }

  // MARK: Records

  /// Adds a version. Its content must have been prepared in this group or be stored.
  ///
  /// - Parameter isBase: the working file at the version's path has it as its base, and nothing else was seen there.
  ///
  /// - Parameters:
  ///   - id: its identity, where that was worked out.
  ///   - isNewDocument: whether the record is known not to be there, as where its document was made up for it.
  @discardableResult
  func add(
    _ record: VersionRecord, id: RecordID? = nil, _ content: StoredContent, isBase: Bool, isNewDocument: Bool = false
  ) throws(RepositoryError) -> Version {
    let version = Version(id: id ?? Record.version(record).id, record: record)
    if versions[version.id] != nil { return version }
    if !isNewDocument, try !store.families(ofRecord: version.id).isEmpty { return version }
    var inline: ObjectEntry?
    if case .inline(let object) = content, objects[object.id] == nil { inline = object }
    let encoded = try encode(version, contentInEntry: inline?.id)
    let entry: PackContent = inline.map { .recordWithObject(encoded, $0) } ?? .record(encoded)
    let offset = try store.stored { () throws(ObjectStoreError) in
      try writer.append(entry, isBaseMark: isBase)
    }
    if case .elided(_, let depth, _) = encoded {
      recordDepths[offset] = depth
    } else if wholeRecord == nil {
      wholeRecord = (version, offset, 0)
    }
    if let inline {
      note(inline, at: offset)
      items.append(.object(inline.id, offset: offset))
    }
    versions[version.id] = (version, offset)
    let identified = IdentifiedRecord(id: version.id, record: .version(record))
    items.append(.record(identified, offset: offset, isBaseMark: isBase))
    return version
  }

  /// A record in the shortest form that this pack allows.
  private func encode(_ version: Version, contentInEntry: ObjectID?) throws(RepositoryError) -> RecordEntry {
    let found =
      try version.record.parents.first.flatMap { (id) throws(RepositoryError) in try predecessor(id) } ?? wholeRecord
    return .version(version.record, at: writer.nextOffset, contentInEntry: contentInEntry, after: found)
  }

  /// Where this group has a version, with how many records must be read before it.
  func place(of version: Version) -> RecentDocument.Place? {
    versions[version.id].map { RecentDocument.Place(offset: $0.offset, depth: recordDepths[$0.offset] ?? 0) }
  }

  /// A version of this pack that a record can be stored against.
  private func predecessor(
    _ id: RecordID
  ) throws(RepositoryError) -> (version: Version, offset: UInt64, depth: UInt8)? {
    if let (version, offset) = versions[id] { return (version, offset, recordDepths[offset] ?? 0) }
    for place in try store.places(of: id) where place.pack == pack {
      let entry = try store.entry(at: RecordPlace(pack: pack, offset: place.offset))
      let record = try store.record(at: RecordPlace(pack: pack, offset: place.offset))
      guard let version = record.version, let depth = entry.record?.depth else { continue }
      return (version, place.offset, depth)
    }
    return nil
  }

  /// Adds a record that is no version.
  @discardableResult
  func add(_ record: Record) throws(RepositoryError) -> RecordID {
    let bytes = record.encoded()
    let id = record.id
    let offset = try store.stored { () throws(ObjectStoreError) in
      try writer.append(.record(.full(bytes)), isBaseMark: false)
    }
    items.append(.record(IdentifiedRecord(id: id, record: record), offset: offset, isBaseMark: false))
    return id
  }

  /// Adds an object by itself.
  func append(_ object: ObjectEntry) throws(RepositoryError) {
    let offset = try store.stored { () throws(ObjectStoreError) in try writer.append(.object(object)) }
    note(object, at: offset)
    items.append(.object(object.id, offset: offset))
  }

  func note(_ object: ObjectEntry, at offset: UInt64) {
    // As a part of something else an archive doesn't do.
    if object.kind != .archive {
      archives.remove(object.id)
    } else if objects[object.id] == nil {
      archives.insert(object.id)
    }
    objects[object.id] = offset
    if object.kind == .blob && object.base == nil { wholeBlobs[object.id] = offset }
  }

  /// Adds an entry to the journal.
  func note(_ entry: JournalEntry) throws(RepositoryError) {
    _ = try store.stored { () throws(ObjectStoreError) in
      try writer.append(.journal(entry.encoded()), isBaseMark: false)
    }
    items.append(.journal(entry))
  }

  // MARK: The end

  /// Makes the group durable, then brings the catalog up to date.
  func commit(_ operation: PackOperation) throws(RepositoryError) {
    store.recentOffer = nil
    if items.count == partCount && !isSplit {
      writer.abandon()
      if !statuses.isEmpty { try store.setStatuses(statuses) }
      return
    }
    try write(as: self.operation ?? operation)
    if partCount > 0 || isSplit { return }
    // A version and its content.
    store.recentOffer = RecentOffer(documents: recent, start: start, isAlone: items.count == 2 && movesNothing)
  }

  func write(as operation: PackOperation) throws(RepositoryError) {
    do { try writer.commit(operation) } catch {
      // What became of the bytes is unknown, so the file is not written on (R1).
      try? store.beginNextActivePack()
      throw RepositoryError(error, in: store)
    }
    // From here on the group counts, whatever becomes of the catalog, which catches up from the pack.
    store.files[pack] = nil
    store.objects.forget(writer.name)
    try store.transaction { () throws(RepositoryError) in
      var update = CatalogUpdate(store, isChecked: true, statuses: statuses, placed: placed)
      try update.add(items, of: pack, operation: operation, isOwn: true)
      try update.finish()
      try store.putStatuses(update.unusedStatuses)
      try store.catalogued { () throws(CatalogError) in
        try store.catalog.setAbsorbed(pack: pack, byteCount: writer.byteCount)
      }
    }
  }

  func abandon() {
    writer.abandon()
  }
}

extension RepositoryError {
  /// A failed write to a store.
  init(_ error: ObjectStoreError, in store: Store) {
    self.init(error, writingTo: store.layout)
  }

  init(_ error: ObjectStoreError, writingTo layout: RepositoryLayout) {
    if case .system(let cause) = error, cause.isReadOnly || cause.isPermission {
      self = .readOnly(layout.store)
    } else {
      self = .objects(error)
    }
  }
}
