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
      bytes.count <= RecentDocument.contentByteCountLimit, !ContentWriter.mayBeArchive(bytes)
    else { return .declined }
    if file.isEqual(to: document.version.record) { return .unchanged }
    guard isIntact(document, state) else { return .declined }
    guard let (entry, next) = encode(file, bytes, after: document, message, state, at: writer.nextOffset) else {
      return .declined
    }
    try append(entry, to: writer)
    keep(next, state, writer.byteCount)
    return .saved(next.version)
  }

  /// Whether everything in the pack that the next version would stand on can be read: on damage nothing is built.
  private func isIntact(_ document: RecentDocument, _ state: RecentSaves.State) -> Bool {
    let name = PackName.active(device: device.bytes, number: state.pack)
    guard let pack = try? PackFile.open(folder.activePack(state.pack), name: name),
      let entry = try? pack.entry(at: document.record.offset), entry.record != nil
    else { return false }
    return pack.isChainIntact(at: document.object.offset, of: document.version.record.content)
  }

  /// The next version of a document, as an entry of the pack and as what is left for the version after it.
  private func encode(
    _ file: WorkingFile, _ bytes: [UInt8], after document: RecentDocument, _ message: [UInt8],
    _ state: RecentSaves.State, at offset: UInt64
  ) -> (entry: PackContent, document: RecentDocument)? {
    let base = document.version
    guard base.record.kind == .file, let baseContent = base.record.content, baseContent != file.content,
      document.object.offset < offset, document.record.offset < offset
    else { return nil }
    let name = PackName.active(device: device.bytes, number: state.pack)
    let content = document.content
    let candidate = DeltaCandidate(
      id: baseContent, kind: .blob, location: ObjectLocation(pack: name, offset: document.object.offset),
      depth: document.object.depth, load: { content })
    let object = bytes.withUnsafeBytes { bytes in
      ContentWriter.object(
        bytes, id: file.content, kind: .blob, against: [candidate], in: name, at: offset)
    }
    let now = environment.clampedNow
    let record = VersionRecord.next(
      on: [base], path: base.record.path, kind: .file, content: .inline(object), size: file.byteCount, mode: file.mode,
      modificationTime: file.modificationTime, now: now, device: device, origin: .save, message: message)
    let encoded = RecordEntry.version(
      record, at: offset, contentInEntry: object.id,
      after: (version: base, offset: document.record.offset, depth: document.record.depth))
    let version = Version(id: Record.version(record).id, record: record)
    let next = RecentDocument(
      generation: state.generation, version: version, versionCount: document.versionCount + 1,
      record: RecentDocument.Place(offset: offset, depth: encoded.depth),
      object: RecentDocument.Place(offset: offset, depth: object.depth), status: CachedStatus(file),
      content: bytes)
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
