public import Hashing
public import SystemIO

extension ObjectStore {
  /// A content: one blob, or a list of them.
  private enum Content {
    case blob([UInt8])
    case chunks(ChunkList)
  }

  /// Where both a blob and a chunk list have the id, the blob is taken unless it is damaged.
  private func open(_ id: ObjectID) throws(ObjectStoreError) -> Content {
    let (found, failure) = try places(of: id)
    guard !found.isEmpty else { throw failure ?? .notFound(id) }
    let hasList = found.contains { $0.object.kind == .chunkList }
    if found.contains(where: { $0.object.kind == .blob }) {
      do throws(ObjectStoreError) {
        return .blob(try bytes(of: id, kind: .blob))
      } catch {
        guard hasList else { throw error }
      }
    }
    do {
      return .chunks(try ChunkList(decoding: try bytes(of: id, kind: .chunkList)))
    } catch let error as ObjectStoreError {
      throw error
    } catch {
      throw .corruptContent(id)
    }
  }

  /// The length of a content, as the store says it: verified only by reading it.
  public func contentByteCount(_ id: ObjectID) throws(ObjectStoreError) -> UInt64 {
    let (found, failure) = try places(of: id)
    if let blob = found.first(where: { $0.object.kind == .blob }) { return blob.object.byteCount }
    guard !found.isEmpty else { throw failure ?? .notFound(id) }
    guard case .chunks(let list) = try open(id) else { throw .corruptContent(id) }
    return list.byteCount
  }

  /// Whether a content and all its chunks are at hand; nothing but a chunk list is decoded.
  public func containsContent(_ id: ObjectID) throws(ObjectStoreError) -> Bool {
    let found = try places(of: id).found
    if found.contains(where: { $0.object.kind == .blob }) { return true }
    guard !found.isEmpty, case .chunks(let list) = try open(id) else { return false }
    for chunk in list.chunks where try !contains(chunk.id) { return false }
    return true
  }

  /// A content in one piece, verified.
  ///
  /// - Throws: `tooLarge` where it is longer than `limit`, before it is read.
  public func content(_ id: ObjectID, limit: UInt64) throws(ObjectStoreError) -> [UInt8] {
    guard try contentByteCount(id) <= limit else { throw .tooLarge }
    var bytes: [UInt8] = []
    try writeContent(id) { (piece) throws(SystemError) in bytes.append(contentsOf: piece) }
    return bytes
  }

  /// Gives a content piece by piece, at most one chunk at a time in memory.
  ///
  /// A chunk is verified before it is given, the whole only at the end: what was given counts when this returns.
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
    case .blob(let bytes):
      try give(bytes)
    case .chunks(let list):
      var hasher = SHA256()
      for chunk in list.chunks {
        let bytes = try bytes(of: chunk.id, kind: .blob)
        guard UInt64(bytes.count) == chunk.byteCount else { throw .corruptContent(id) }
        hasher.update(bytes)
        try give(bytes)
      }
      guard hasher.finalized() == id else { throw .corruptContent(id) }
    }
  }
}
