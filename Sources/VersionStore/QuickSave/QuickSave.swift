import Catalog
import Hashing
import ObjectStorage
import SystemIO
import Versioning

/// The save of one document that was saved before, without the catalog: it takes in the group later (docs/decisions, "Quick saves").
///
/// It makes the very version and entries that ``Repository/save(_:options:)`` would make. Wherever anything is not as simple
/// as it looks it declines, and nothing has changed then.
struct QuickSave {
  let layout: RepositoryLayout
  let device: DeviceID
  let folder: PrivateLayout
  let environment: StoreEnvironment

  private var recent: RecentSaves { RecentSaves(folder) }

  /// Saves the working file at a path. The version is durable when this returns.
  func save(_ path: DocumentPath, message: [UInt8]) throws(RepositoryError) -> QuickSaveOutcome {
    // Without a state, as after most other commands, the lock needn't be taken twice.
    guard recent.exists else { return .declined }
    let acquired = try folder.acquireLock(environment, isBrief: true)
    defer { acquired.release() }
    guard let state = recent.state(), state.groupCount < RecentSaves.groupCountLimit,
      let document = recent.document(at: path, in: state),
      DeltaPolicy.base(ofVersion: document.versionCount) == document.versionCount - 1,
      document.object.depth < DeltaPolicy.maximumDepth,
      let writer = try? ActivePackWriter.openWhole(
        folder: folder.active, device: device.bytes, number: state.pack, byteCount: state.byteCount)
    else { return .declined }
    guard let file = try? WorkingTree(root: layout.root).read(path), file.kind == .file, let bytes = file.bytes,
      !ContentWriter.mayBeArchive(bytes)
    else {
      return .declined
    }
    if file.isEqual(to: document.version.record) { return .unchanged }
    guard let base = base(of: document, state),
      let (entry, next) = encode(file, bytes, after: document, base, message, at: writer.nextOffset)
    else { return .declined }
    try append(entry, to: writer)
    keep(next, state, writer.byteCount)
    return .saved(next.version)
  }

  /// What the next version would stand on.
  private struct Base {
    var content: [UInt8]
    var location: ObjectLocation
    var chainEnd: ChainEnd
  }

  /// The last version's content, or `nil` where not everything in the pack that it stands on can be read: on damage
  /// nothing is built.
  private func base(of document: RecentDocument, _ state: RecentSaves.State) -> Base? {
    let name = PackName.active(device: device.bytes, number: state.pack)
    let offset = document.object.offset
    guard let pack = try? PackFile.open(folder.activePack(state.pack), name: name),
      let entry = try? pack.entry(at: document.record.offset), entry.record != nil,
      let chainEnd = pack.chainEnd(at: offset, of: document.version.record.content),
      let content = document.content ?? self.content(at: offset, in: pack)
    else { return nil }
    return Base(content: content, location: ObjectLocation(pack: name, offset: offset), chainEnd: chainEnd)
  }

  private func content(at offset: UInt64, in pack: PackFile) -> [UInt8]? {
    try? pack.objectBytes(at: offset) { (id, _) throws(ObjectStoreError) in throw .notFound(id) }
  }

  /// The next version of a document, as an entry of the pack and as what is left for the version after it.
  private func encode(
    _ file: WorkingFile, _ bytes: [UInt8], after document: RecentDocument, _ base: Base, _ message: [UInt8],
    at offset: UInt64
  ) -> (entry: PackContent, document: RecentDocument)? {
    let version = document.version
    guard version.record.kind == .file, let baseContent = version.record.content, baseContent != file.content,
      document.object.offset < offset, document.record.offset < offset
    else { return nil }
    let content = base.content
    let candidate = DeltaCandidate(
      id: baseContent, kind: .blob, location: base.location, depth: document.object.depth, load: { content })
    let object = bytes.withUnsafeBytes { bytes in
      ContentWriter.object(
        bytes, id: file.content, kind: .blob, against: [candidate], in: base.location.pack, at: offset)
    }
    // An ordinary save finds out whether an earlier version is nearer.
    if case .bytes(let data) = object.data, data.count > DeltaPolicy.longDeltaByteCount,
      DeltaPolicy.furtherBaseCount(ofVersion: document.versionCount) > 0
    {
      return nil
    }
    let now = environment.clampedNow
    let record = VersionRecord.next(
      on: [version], path: version.record.path, kind: .file, content: .inline(object), size: file.byteCount,
      mode: file.mode, modificationTime: file.modificationTime, now: now, device: device, origin: .save,
      message: message)
    let encoded = RecordEntry.version(
      record, at: offset, contentInEntry: object.id,
      after: (version: version, offset: document.record.offset, depth: document.record.depth))
    var next = RecentDocument(
      generation: document.generation, version: Version(id: Record.version(record).id, record: record),
      versionCount: document.versionCount + 1,
      record: RecentDocument.Place(offset: offset, depth: encoded.depth),
      object: RecentDocument.Place(offset: offset, depth: object.depth), status: CachedStatus(file),
      content: bytes)
    guard next.leaveOutContent(where: object.encoding == .delta ? base.chainEnd : .samePack) else { return nil }
    return (.recordWithObject(encoded, object), next)
  }

  /// Makes the entry durable as a group of its own.
  private func append(_ entry: PackContent, to writer: ActivePackWriter) throws(RepositoryError) {
    do throws(ObjectStoreError) {
      writer.begin()
      _ = try writer.append(entry, isBaseMark: true)
      try writer.commit(.save)
    } catch {
      // What became of the bytes is unknown, so the file is not written on (R1).
      try? recent.invalidate()
      _ = try? ActivePackWriter.create(folder: folder.active, device: device.bytes, number: writer.number + 1)
      throw RepositoryError(error, writingTo: layout)
    }
  }

  /// Where it fails the state no longer fits the pack's length, and the next save is an ordinary one.
  private func keep(_ document: RecentDocument, _ state: RecentSaves.State, _ byteCount: UInt64) {
    var state = state
    state.byteCount = byteCount
    state.groupCount += 1
    do throws(SystemError) {
      try recent.keep(document)
      try recent.set(state)
    } catch { try? recent.invalidate() }
  }
}
