public import Hashing
public import SystemIO

extension ObjectStore {
  /// A content: one blob, a list of them, or what an archive is put together from, in one way or another.
  private enum Content {
    case blob([UInt8])
    case chunks(ChunkList)
    case archive([ArchiveObject])

    var byteCount: UInt64 {
      switch self {
      case .blob(let bytes): UInt64(bytes.count)
      case .chunks(let list): list.byteCount
      case .archive(let archives): UInt64(archives.first?.byteCount ?? 0)
      }
    }
  }

  /// Where several objects have the id, a blob is taken before a chunk list and that before an archive, unless it is
  /// damaged.
  ///
  /// - Parameter isPart: whether it is part of an archive, and must be no archive itself.
  private func open(_ id: ObjectID, isPart: Bool = false) throws(ObjectStoreError) -> Content {
    let (found, failure) = try places(of: id)
    var firstFailure = failure
    for kind in [ObjectKind.blob, .chunkList, .archive] where found.contains(where: { $0.object.kind == kind }) {
      if kind == .archive && isPart { continue }
      do throws(ObjectStoreError) {
        switch kind {
        case .blob: return .blob(try bytes(of: id, kind: .blob))
        case .chunkList: return .chunks(try chunkList(id))
        case .archive: return .archive(try archives(id))
        }
      } catch {
        firstFailure = firstFailure ?? error
      }
    }
    throw firstFailure ?? .notFound(id)
  }

  private func chunkList(_ id: ObjectID) throws(ObjectStoreError) -> ChunkList {
    let bytes = try bytes(of: id, kind: .chunkList)
    do throws(DecodingFailure) { return try ChunkList(decoding: bytes) } catch { throw .corruptContent(id) }
  }

  /// The ids of the blobs that a content is cut into, verified only by reading it.
  public func chunks(of id: ObjectID) throws(ObjectStoreError) -> [ObjectID] {
    try chunkList(id).chunks.map(\.id)
  }

  /// The length of a content, as the store says it: verified only by reading it.
  public func contentByteCount(_ id: ObjectID) throws(ObjectStoreError) -> UInt64 {
    let (found, failure) = try places(of: id)
    if let blob = found.first(where: { $0.object.kind == .blob }) { return blob.object.byteCount }
    guard !found.isEmpty else { throw failure ?? .notFound(id) }
    return try open(id).byteCount
  }

  /// Whether a content and all that it is put together from is at hand; nothing but chunk lists and archives is decoded.
  public func containsContent(_ id: ObjectID) throws(ObjectStoreError) -> Bool {
    try containsContent(id, isPart: false)
  }

  private func containsContent(_ id: ObjectID, isPart: Bool) throws(ObjectStoreError) -> Bool {
    let found = try places(of: id).found
    if found.contains(where: { $0.object.kind == .blob }) { return true }
    guard !found.isEmpty, let content = try? open(id, isPart: isPart) else { return false }
    switch content {
    case .blob: return true
    case .chunks(let list):
      for chunk in list.chunks where try !contains(chunk.id, .blob) { return false }
    case .archive(let archives):
      for archive in archives where try containsParts(of: archive) { return true }
      return false
    }
    return true
  }

  private func containsParts(of archive: ArchiveObject) throws(ObjectStoreError) -> Bool {
    for part in [archive.skeleton] + archive.contents where try !containsContent(part, isPart: true) { return false }
    return true
  }

  /// A content in one piece, verified.
  ///
  /// - Throws: `tooLarge` where it is longer than `limit`, before it is read.
  public func content(_ id: ObjectID, limit: UInt64) throws(ObjectStoreError) -> [UInt8] {
    try whole(id, try open(id), limit: limit)
  }

  /// A content that is part of an archive, verified, of a known length.
  func part(_ id: ObjectID, byteCount: Int) throws(ObjectStoreError) -> [UInt8] {
    let content = try open(id, isPart: true)
    guard content.byteCount == UInt64(byteCount) else { throw .corruptContent(id) }
    return try whole(id, content, limit: UInt64(byteCount))
  }

  private func whole(_ id: ObjectID, _ content: Content, limit: UInt64) throws(ObjectStoreError) -> [UInt8] {
    if case .archive(let archives) = content { return try rebuilt(archives, id: id, limit: limit) }
    guard content.byteCount <= limit else { throw .tooLarge }
    switch content {
    case .archive: return []
    case .blob(let bytes): return bytes
    case .chunks(let list):
      var whole: [UInt8] = []
      try give(list, id) { (bytes) throws(ObjectStoreError) in whole += bytes }
      return whole
    }
  }

  /// Gives a content piece by piece, at most one chunk, or one archive, at a time in memory.
  ///
  /// A piece is verified before it is given, a list of chunks only at the end: what was given counts when this returns.
  ///
  /// - Throws: `destination` with what `body` throws.
  public func writeContent(
    _ id: ObjectID, to body: (UnsafeRawBufferPointer) throws(SystemError) -> Void
  ) throws(ObjectStoreError) {
    func give(_ bytes: [UInt8]) throws(ObjectStoreError) {
      do throws(SystemError) {
        try bytes.withRawBytes(body)
      } catch {
        throw .destination(error)
      }
    }
    switch try open(id) {
    case .blob(let bytes): try give(bytes)
    case .archive(let archives): try give(try rebuilt(archives, id: id, limit: .max))
    case .chunks(let list): try self.give(list, id, to: give)
    }
  }

  /// Gives the chunks of a content in order, each verified, and checks the whole at the end.
  private func give(
    _ list: ChunkList, _ id: ObjectID, to body: ([UInt8]) throws(ObjectStoreError) -> Void
  ) throws(ObjectStoreError) {
    var hasher = SHA256()
    for chunk in list.chunks {
      let bytes = try bytes(of: chunk.id, kind: .blob)
      guard UInt64(bytes.count) == chunk.byteCount else { throw .corruptContent(id) }
      hasher.update(bytes)
      try body(bytes)
    }
    guard hasher.finalized() == id else { throw .corruptContent(id) }
  }
}
