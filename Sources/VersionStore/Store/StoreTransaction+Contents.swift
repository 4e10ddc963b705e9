import Catalog
import Hashing
import ObjectStorage
import SystemIO
import Versioning

extension StoreTransaction {
  func makeContentWriter() -> ContentWriter {
    let contents = ContentWriter(
      contains: { [unowned self] (id) throws(ObjectStoreError) in
        do throws(RepositoryError) { return try self.contains(id) } catch { throw .notFound(id) }
      },
      containsPart: { [unowned self] (id) throws(ObjectStoreError) in
        do throws(RepositoryError) { return try self.containsPart(id) } catch { throw .notFound(id) }
      },
      makeRoom: { [unowned self] (_) throws(ObjectStoreError) in try self.makeRoom() })
    contents.didAppend = { [unowned self] (object, offset) in
      note(object, at: offset)
      items.append(.object(object.id, offset: offset))
      partCount += 1
    }
    return contents
  }

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
  /// - Parameters:
  ///   - predecessor: a version whose content is likely to be similar.
  ///   - prepared: how it is stored where there is none.
  func content(
    _ bytes: [UInt8], id: ObjectID, after predecessor: Version?, prepared: PreparedBlob? = nil
  ) throws(RepositoryError) -> StoredContent {
    if try contains(id) { return .present(id, byteCount: UInt64(bytes.count)) }
    if ContentWriter.mayBeArchive(bytes), let object = try archive(bytes, id: id, after: predecessor) {
      return .inline(object)
    }
    let candidates = try deltaCandidates(after: predecessor)
    if candidates.isEmpty, let prepared, let object = try object(of: prepared, id: id, byteCount: bytes.count) {
      return .inline(object)
    }
    let written = try store.stored { () throws(ObjectStoreError) in
      try contents.write(bytes, id: id, candidates: candidates)
    }
    guard let object = written.object else { return .present(written.id, byteCount: written.byteCount) }
    return .inline(try shorter(object, bytes, after: predecessor) ?? object)
  }

  /// A prepared blob as the next object of the pack; `nil` where its neighbour is not there.
  private func object(
    of prepared: PreparedBlob, id: ObjectID, byteCount: Int
  ) throws(RepositoryError) -> ObjectEntry? {
    guard let neighbour = prepared.neighbour else {
      return prepared.object(id: id, byteCount: byteCount, distance: nil)
    }
    guard let offset = try wholeBlob(neighbour) else { return nil }
    return prepared.object(id: id, byteCount: byteCount, distance: writer.nextOffset - offset)
  }

  /// Where the pack has a blob that is no delta.
  private func wholeBlob(_ id: ObjectID) throws(RepositoryError) -> UInt64? {
    if let offset = wholeBlobs[id] { return offset }
    guard objects[id] == nil else { return nil }
    let found = try store.stored { () throws(ObjectStoreError) in try store.objects.info(of: id) }
    let place = found.first { $0.location.pack == writer.name && $0.entry.kind == .blob && $0.entry.base == nil }
    guard let offset = place?.location.offset else { return nil }
    wholeBlobs[id] = offset
    return offset
  }

  /// The same blob against a version before the predecessor, where that takes fewer bytes.
  private func shorter(
    _ object: ObjectEntry, _ bytes: [UInt8], after predecessor: Version?
  ) throws(RepositoryError) -> ObjectEntry? {
    guard object.kind == .blob, case .bytes(let data) = object.data, data.count > DeltaPolicy.longDeltaByteCount,
      let predecessor, let versionCount = try versionCount(upTo: predecessor)
    else { return nil }
    var candidates: [DeltaCandidate] = []
    for stepsBack in 0..<DeltaPolicy.furtherBaseCount(ofVersion: versionCount) {
      guard let version = try firstAncestor(of: predecessor, stepsBack: stepsBack + 1) else { break }
      guard version.record.kind == .file, let id = version.record.content else { continue }
      candidates += try deltaCandidates(for: id)
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
  /// - Parameters:
  ///   - id: what the content was when the file was last read; the answer may have another identity.
  ///   - chunks: where it was cut then; without them it is cut now.
  func content(
    of file: SharedFile, id: ObjectID, chunks: ChunkList?, threadCount: Int, after predecessor: Version?
  ) throws(RepositoryError) -> StoredContent {
    if let bytes = try store.stored({ () throws(ObjectStoreError) in try Self.archive(in: file.descriptor) }),
      SHA256.hash(bytes) == id
    {
      return try content(bytes, id: id, after: predecessor)
    }
    if let chunks {
      let candidates = try deltaCandidates(after: predecessor)
      let written = try store.stored { () throws(ObjectStoreError) in
        try contents.write(
          chunks, id: id, of: file, candidates: candidates,
          chunkCandidates: { (id) throws(ObjectStoreError) in
            try self.store.objects.deltaCandidates(for: id, device: self.device.bytes)
          }, threadCount: threadCount, progress: progress.report)
      }
      if let written {
        return written.object.map { .inline($0) } ?? .present(written.id, byteCount: written.byteCount)
      }
    }
    var offset: UInt64 = 0
    return try content(after: predecessor) { (buffer) throws(SystemError) in
      let count = try file.descriptor.read(into: buffer, at: offset)
      offset += UInt64(count)
      return count
    }
  }

  /// All of a file that begins as an archive does and isn't too long for one.
  private static func archive(in file: borrowing FileDescriptor) throws(ObjectStoreError) -> [UInt8]? {
    do throws(SystemError) {
      let size = try file.status().size
      guard size <= UInt64(ContentWriter.archiveByteCountLimit),
        ContentWriter.mayBeArchive(try file.bytes(at: 0, count: Int(min(size, 4))))
      else { return nil }
      return try file.bytes(at: 0, count: Int(size))
    } catch {
      throw .source(error)
    }
  }

  /// Stores content of any length that is read piece by piece.
  ///
  /// - Parameter read: fills a buffer from the content's next bytes and answers how many; 0 at the end.
  private func content(
    after predecessor: Version?, reading read: ContentWriter.Pull
  ) throws(RepositoryError) -> StoredContent {
    let candidates = try deltaCandidates(after: predecessor)
    let written = try store.stored { () throws(ObjectStoreError) in
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
    let base = try baseContent(after: predecessor).flatMap { id in
      objects[id] == nil ? store.objects.archiveBase(id, device: device.bytes) : nil
    }
    let written = try store.stored { () throws(ObjectStoreError) in
      try contents.writeArchive(bytes, id: id, bases: base.map { [$0] } ?? [])
    }
    return written?.object
  }

  /// Adds a blob from which contents are put together, where there is none of its identity.
  func addPart(_ bytes: [UInt8], id: ObjectID) throws(RepositoryError) {
    _ = try store.stored { () throws(ObjectStoreError) in try contents.writePart(bytes, id: id) }
  }

  /// Keeps a content of this group in memory, so that versions after it in the group are stored as they would be in the next one.
  ///
  /// - Parameter parent: the first parent of its version.
  func hold(
    _ content: StoredContent, _ bytes: [UInt8], of version: Version, after parent: Version?
  ) throws(RepositoryError) {
    let before = try parent.flatMap { (parent) throws(RepositoryError) in try versionCount(upTo: parent) }
    heldCount = (version.id, (before ?? 0) + 1)
    guard case .inline(let object) = content, object.kind == .blob, let offset = objects[object.id] else { return }
    held[object.id] = DeltaCandidate(
      id: object.id, kind: .blob, location: ObjectLocation(pack: writer.name, offset: offset), depth: object.depth,
      load: { bytes })
    heldByteCount += bytes.count
  }

  private func deltaCandidates(after predecessor: Version?) throws(RepositoryError) -> [DeltaCandidate] {
    guard let id = try baseContent(after: predecessor) else { return [] }
    return try deltaCandidates(for: id)
  }

  /// A content as what others may be stored against; none where it is one of this group that isn't held.
  private func deltaCandidates(for id: ObjectID) throws(RepositoryError) -> [DeltaCandidate] {
    if let content = held[id] { return [content] }
    guard objects[id] == nil else { return [] }
    let own = device.bytes
    return try store.stored { () throws(ObjectStoreError) in
      try store.objects.deltaCandidates(for: id, device: own)
    }
  }

  /// Earlier content of a document that new content may be stored against: the predecessor's, or, for every 64th version,
  /// that of the 64th before it.
  private func baseContent(after predecessor: Version?) throws(RepositoryError) -> ObjectID? {
    guard let predecessor, let number = try versionCount(upTo: predecessor) else { return nil }
    var base: Version? = predecessor
    if number > 0, let wanted = DeltaPolicy.base(ofVersion: number), wanted < number - 1 {
      base = try firstAncestor(of: predecessor, stepsBack: number - 1 - wanted) ?? predecessor
    }
    return base?.record.kind == .file ? base?.record.content : nil
  }

  /// How many versions the family of a version has.
  private func versionCount(upTo version: Version) throws(RepositoryError) -> Int? {
    if let heldCount, heldCount.version == version.id { return heldCount.versionCount }
    return try store.documentRows(around: version.id).first?.versionCount
  }

  private func firstAncestor(of version: Version, stepsBack: Int) throws(RepositoryError) -> Version? {
    var place: Version? = version
    for _ in 0..<stepsBack {
      guard let parent = place?.record.parents.first else { return nil }
      if let known = versions[parent] { place = known.version } else { place = try store.version(parent) }
    }
    return place
  }

  // MARK: Room

  /// The pack that content goes to: where the group is long and may be split, what there is becomes durable first, and
  /// where the pack is, the next one is begun.
  private func makeRoom() throws(ObjectStoreError) -> ActivePackWriter {
    guard let splitByteCount, byteCount >= splitByteCount else { return writer }
    do throws(RepositoryError) { try split() } catch {
      if case .objects(let cause) = error { throw cause }
      throw .broken
    }
    return writer
  }

  /// Commits what the group holds and goes on with another one of the same operation.
  private func split() throws(RepositoryError) {
    try write(as: .none)
    isSplit = true
    items = []
    partCount = 0
    recent = []
    statuses = [:]
    try store.sealIfLong()
    let (next, number) = try store.activeWriter(of: device)
    if number != pack {
      objects = [:]
      archives = []
      versions = [:]
      recordDepths = [:]
      wholeBlobs = [:]
      wholeRecord = nil
      held = [:]
    }
    (writer, pack, start) = (next, number, next.byteCount)
    writer.begin()
  }
}
