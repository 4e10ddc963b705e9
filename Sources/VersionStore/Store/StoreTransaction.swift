import Catalog
import Hashing
import ObjectStorage
import SystemIO
import Versioning

/// A group of entries that becomes durable and visible as one, or not at all.
final class StoreTransaction {
  let store: Store
  let device: DeviceID
  private let writer: ActivePackWriter
  private let pack: Int64
  private let start: UInt64
  private var items: [AbsorbedItem] = []
  /// Objects of this group, which the catalog doesn't know yet.
  private var objects: [ObjectID: UInt64] = [:]
  /// Which of them are archives.
  private var archives: Set<ObjectID> = []
  private var versions: [RecordID: (version: Version, offset: UInt64)] = [:]
  /// How many records in a row were stored against their predecessor, by offset.
  private var recordDepths: [UInt64: UInt8] = [:]
  /// Whether chunks were written, whose places only the pack knows.
  private var hasChunks = false
  private lazy var contents = ContentWriter(
    writer,
    contains: { [unowned self] (id) throws(ObjectStoreError) in
      do throws(RepositoryError) { return try self.contains(id) } catch { throw .notFound(id) }
    },
    containsPart: { [unowned self] (id) throws(ObjectStoreError) in
      do throws(RepositoryError) { return try self.containsPart(id) } catch { throw .notFound(id) }
    })
  let now: Int64
  /// Saves of working files that quick ones may go on from.
  var recent: [RecentDocument] = []
  /// Whether every version so far has no parent, or one at its own path.
  var movesNothing = true
  /// What is remembered of the working files whose base this group sets.
  var statuses: [DocumentPath: CachedStatus] = [:]

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

  // MARK: Content

  /// Whether content of this identity is stored, here or in this group.
  func contains(_ id: ObjectID) throws(RepositoryError) -> Bool {
    if objects[id] != nil { return true }
    return try store.contains(id)
  }

  /// Whether content of this identity is stored as more than an archive.
  private func containsPart(_ id: ObjectID) throws(RepositoryError) -> Bool {
    if objects[id] != nil && !archives.contains(id) { return true }
    return try store.containsPart(id)
  }

  /// Prepares content that fits memory.
  ///
  /// - Parameter predecessor: a version whose content is likely to be similar.
  func content(
    _ bytes: [UInt8], id: ObjectID, after predecessor: Version?
  ) throws(RepositoryError) -> StoredContent {
    if try contains(id) { return .present(id, byteCount: UInt64(bytes.count)) }
    if ContentWriter.mayBeArchive(bytes), let object = try archive(bytes, id: id, after: predecessor) {
      return .inline(object)
    }
    let candidates = try deltaCandidates(after: predecessor)
    let written = try storing { () throws(ObjectStoreError) in
      try contents.write(bytes, id: id, candidates: candidates)
    }
    guard let object = written.object else { return .present(written.id, byteCount: written.byteCount) }
    return .inline(try shorter(object, bytes, after: predecessor) ?? object)
  }

  /// The same blob against a version before the predecessor, where that takes fewer bytes.
  private func shorter(
    _ object: ObjectEntry, _ bytes: [UInt8], after predecessor: Version?
  ) throws(RepositoryError) -> ObjectEntry? {
    guard object.kind == .blob, case .bytes(let data) = object.data, data.count > DeltaPolicy.longDeltaByteCount,
      let predecessor, let row = try store.documentRows(around: predecessor.id).first
    else { return nil }
    var candidates: [DeltaCandidate] = []
    for stepsBack in 0..<DeltaPolicy.furtherBaseCount(ofVersion: row.versionCount) {
      guard let version = try firstAncestor(of: predecessor, stepsBack: stepsBack + 1) else { break }
      guard version.record.kind == .file, let id = version.record.content, objects[id] == nil else { continue }
      candidates += try store.stored { () throws(ObjectStoreError) in
        try store.objects.deltaCandidates(for: id, device: device.bytes)
      }
    }
    if candidates.isEmpty { return nil }
    let written = try store.stored { () throws(ObjectStoreError) in
      try contents.write(bytes, id: object.id, candidates: candidates)
    }
    guard let other = written.object, case .bytes(let otherData) = other.data, otherData.count < data.count else {
      return nil
    }
    return other
  }

  /// Stores the content of a file of any length, which is read piece by piece unless it is a zip document.
  ///
  /// - Parameter id: what the content was when the file was last read; the answer may have another identity.
  func content(
    of file: borrowing FileDescriptor, id: ObjectID, after predecessor: Version?
  ) throws(RepositoryError) -> StoredContent {
    if let bytes = try store.stored({ () throws(ObjectStoreError) in try Self.archive(in: file) }),
      SHA256.hash(bytes) == id
    {
      return try content(bytes, id: id, after: predecessor)
    }
    var offset: UInt64 = 0
    return try content(after: predecessor) { (buffer) throws(SystemError) in
      let count = try file.read(into: buffer, at: offset)
      offset += UInt64(count)
      return count
    }
  }

  /// All of a file that begins as an archive does and isn't too long for one.
  private static func archive(in file: borrowing FileDescriptor) throws(ObjectStoreError) -> [UInt8]? {
    do throws(SystemError) {
      let size = try file.status().size
      guard size <= UInt64(ContentWriter.archiveByteCountLimit),
        ContentWriter.mayBeArchive(try bytes(of: file, count: min(size, 4)))
      else { return nil }
      return try bytes(of: file, count: size)
    } catch {
      throw .source(error)
    }
  }

  /// The first bytes of a file, fewer where it is shorter.
  private static func bytes(of file: borrowing FileDescriptor, count: UInt64) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(count))
    var filled = 0
    var failure: SystemError?
    bytes.withUnsafeMutableBytes { space in
      do throws(SystemError) {
        while filled < space.count {
          let read = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: space[filled...]), at: UInt64(filled))
          if read == 0 { return }
          filled += read
        }
      } catch { failure = error }
    }
    if let failure { throw failure }
    return Array(bytes.prefix(filled))
  }

  /// Stores content of any length that is read piece by piece.
  ///
  /// - Parameter read: fills a buffer from the content's next bytes and answers how many; 0 at the end.
  private func content(
    after predecessor: Version?, reading read: ContentWriter.Pull
  ) throws(RepositoryError) -> StoredContent {
    let candidates = try deltaCandidates(after: predecessor)
    let written = try storing { () throws(ObjectStoreError) in
      try contents.write(candidates: candidates, from: read)
    }
    return written.object.map { .inline($0) } ?? .present(written.id, byteCount: written.byteCount)
  }

  /// A zip document by its members; `nil` where it is stored like any other content.
  private func archive(
    _ bytes: [UInt8], id: ObjectID, after predecessor: Version?
  ) throws(RepositoryError) -> ObjectEntry? {
    // A pack that was begun by an earlier dver stays readable for that.
    let header = try store.stored { () throws(ObjectStoreError) in try store.objects.pack(writer.name).header }
    guard header.version >= PackFormat.archivesVersion else { return nil }
    let base = try baseContent(after: predecessor).flatMap { store.objects.archiveBase($0, device: device.bytes) }
    let written = try storing { () throws(ObjectStoreError) in
      try contents.writeArchive(bytes, id: id, bases: base.map { [$0] } ?? [])
    }
    return written?.object
  }

  /// Adds a blob from which contents are put together, where there is none of its identity.
  func addPart(_ bytes: [UInt8], id: ObjectID) throws(RepositoryError) {
    _ = try storing { () throws(ObjectStoreError) in try contents.writePart(bytes, id: id) }
  }

  /// Stores something, and notes whether parts of it went into the pack at once.
  private func storing<Value>(
    _ body: () throws(ObjectStoreError) -> Value
  ) throws(RepositoryError) -> Value {
    let start = writer.nextOffset
    let value = try store.stored(body)
    if writer.nextOffset != start { hasChunks = true }
    return value
  }

  private func deltaCandidates(after predecessor: Version?) throws(RepositoryError) -> [DeltaCandidate] {
    guard let id = try baseContent(after: predecessor) else { return [] }
    let own = device.bytes
    return try store.stored { () throws(ObjectStoreError) in
      try store.objects.deltaCandidates(for: id, device: own)
    }
  }

  /// Earlier content of a document that new content may be stored against: the predecessor's, or, for every 64th version,
  /// that of the 64th before it.
  private func baseContent(after predecessor: Version?) throws(RepositoryError) -> ObjectID? {
    guard let predecessor, let row = try store.documentRows(around: predecessor.id).first else { return nil }
    var base: Version? = predecessor
    let number = row.versionCount
    if number > 0, let wanted = DeltaPolicy.base(ofVersion: number), wanted < number - 1 {
      base = try firstAncestor(of: predecessor, stepsBack: number - 1 - wanted) ?? predecessor
    }
    guard let id = base?.record.content, base?.record.kind == .file, objects[id] == nil else { return nil }
    return id
  }

  private func firstAncestor(of version: Version, stepsBack: Int) throws(RepositoryError) -> Version? {
    var place: Version? = version
    for _ in 0..<stepsBack {
      guard let parent = place?.record.parents.first else { return nil }
      place = try store.version(parent)
    }
    return place
  }

  // MARK: Records

  /// Adds a version. Its content must have been prepared in this group or be stored.
  ///
  /// - Parameter isBase: the working file at the version's path has it as its base, and nothing else was seen there.
  @discardableResult
  func add(_ record: VersionRecord, _ content: StoredContent, isBase: Bool) throws(RepositoryError) -> Version {
    let version = Version(id: Record.version(record).id, record: record)
    if versions[version.id] != nil { return version }
    if try !store.families(ofRecord: version.id).isEmpty { return version }
    var inline: ObjectEntry?
    if case .inline(let object) = content, objects[object.id] == nil { inline = object }
    let encoded = try encode(version, contentInEntry: inline?.id)
    let entry: PackContent = inline.map { .recordWithObject(encoded, $0) } ?? .record(encoded)
    let offset = try store.stored { () throws(ObjectStoreError) in
      try writer.append(entry, isBaseMark: isBase)
    }
    if case .elided(_, let depth, _) = encoded { recordDepths[offset] = depth }
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
    let found = try version.record.parents.first.flatMap { (id) throws(RepositoryError) in try predecessor(id) }
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

  private func note(_ object: ObjectEntry, at offset: UInt64) {
    // As a part of something else an archive doesn't do.
    if object.kind != .archive {
      archives.remove(object.id)
    } else if objects[object.id] == nil {
      archives.insert(object.id)
    }
    objects[object.id] = offset
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
    if items.isEmpty {
      writer.abandon()
      if !statuses.isEmpty { try store.setStatuses(statuses) }
      return
    }
    do { try writer.commit(self.operation ?? operation) } catch {
      // What became of the bytes is unknown, so the file is not written on (R1).
      try? store.beginNextActivePack()
      throw RepositoryError(error, in: store)
    }
    // From here on the group counts, whatever becomes of the catalog, which catches up from the pack.
    store.files[pack] = nil
    store.objects.forget(writer.name)
    if hasChunks {
      try store.absorbActive(device, writer.number)
      return try store.setStatuses(statuses)
    }
    try store.transaction { () throws(RepositoryError) in
      var update = CatalogUpdate(store)
      try update.add(items, of: pack, operation: self.operation ?? operation, isOwn: true)
      try update.finish()
      try store.putStatuses(statuses)
      try store.catalogued { () throws(CatalogError) in
        try store.catalog.setAbsorbed(pack: pack, byteCount: writer.byteCount)
      }
    }
    // A version and its content.
    store.recentOffer = RecentOffer(documents: recent, start: start, isAlone: items.count == 2 && movesNothing)
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
