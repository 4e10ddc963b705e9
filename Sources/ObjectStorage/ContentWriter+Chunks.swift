import Deflate
public import Hashing
public import SystemIO

/// Bytes that were pulled and not yet used.
struct PullBuffer: ~Copyable {
  private let storage: UnsafeMutableRawBufferPointer
  private var start = 0
  private var end = 0
  private(set) var isAtEnd = false

  init(byteCount: Int) {
    storage = .allocate(byteCount: byteCount, alignment: 16)
  }

  deinit {
    storage.deallocate()
  }

  /// Valid until the buffer is filled again.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[start..<end]) }

  mutating func drop(_ count: Int) {
    start += count
  }

  /// Pulls until the buffer is full or the content ends.
  mutating func fill(_ pull: ContentWriter.Pull) throws(ObjectStoreError) {
    if start > 0 {
      if end > start { storage.copyMemory(from: bytes) }
      end -= start
      start = 0
    }
    while end < storage.count, !isAtEnd {
      let rest = UnsafeMutableRawBufferPointer(rebasing: storage[end...])
      do throws(SystemError) {
        let count = try pull(rest)
        precondition(count >= 0 && count <= rest.count, "no more than the buffer holds")
        if count == 0 { isAtEnd = true }
        end += count
      } catch {
        throw .source(error)
      }
    }
  }
}

extension ContentWriter {
  /// Cuts a content that does not fit one blob. `buffer` holds its beginning.
  func writeChunks(
    _ buffer: inout PullBuffer, candidates: [DeltaCandidate], asPart: Bool, _ pull: Pull
  ) throws(ObjectStoreError) -> Written {
    var hasher = SHA256()
    var chunks: [ChunkList.Chunk] = []
    while true {
      if buffer.bytes.count < chunker.maximum, !buffer.isAtEnd { try buffer.fill(pull) }
      guard !buffer.bytes.isEmpty else { break }
      let count = chunker.firstCut(in: buffer.bytes)
      let chunk = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])
      hasher.update(chunk)
      chunks.append(ChunkList.Chunk(id: try writeChunk(chunk), byteCount: UInt64(count)))
      buffer.drop(count)
    }
    let id = hasher.finalized()
    guard let list = ChunkList(chunks: chunks) else { throw .tooLarge }
    let bytes = list.encoded()
    guard UInt64(bytes.count) <= PackFormat.maximumObjectByteCount else { throw .tooLarge }
    return try bytes.withRawBytes { (raw) throws(ObjectStoreError) in
      try encode(raw, id: id, kind: .chunkList, byteCount: list.byteCount, candidates: candidates, asPart: asPart)
    }
  }

  private func writeChunk(_ bytes: UnsafeRawBufferPointer) throws(ObjectStoreError) -> ObjectID {
    let id = SHA256.hash(bytes)
    guard try !isStored(id, asPart: true) else { return id }
    let encoded = DeltaPolicy.encodeWhole(bytes, deflater: deflater)
    try append(encoded, of: ChunkList.Chunk(id: id, byteCount: UInt64(bytes.count)))
    return id
  }

  private func append(_ encoded: DeltaPolicy.Encoded, of chunk: ChunkList.Chunk) throws(ObjectStoreError) {
    let object = ObjectEntry(
      id: chunk.id, kind: .blob, encoding: encoded.encoding, byteCount: chunk.byteCount, data: .bytes(encoded.data))
    let offset = try makeRoom(UInt64(encoded.data.count + 256)).append(.object(object))
    didAppend(object, offset)
    written.insert(chunk.id)
  }

  // MARK: Content that was cut before

  /// From so many chunks on they are read, hashed and deflated on several threads.
  private static let threadedChunkCount = 16
  /// In bytes: what may wait to be written.
  private static let waitingByteCount = 8 << 20

  /// Takes in a file's content by the chunks that it was cut into when it was read: only those that the store lacks are
  /// read again.
  ///
  /// Memory is bounded whatever the length, but for 40 bytes for each chunk.
  ///
  /// - Parameter id: the digest of the whole content.
  /// - Returns: `nil` where a chunk is not in the file any more. What was written does no harm.
  public func write(
    _ list: ChunkList, id: ObjectID, of file: SharedFile, candidates: [DeltaCandidate], threadCount: Int
  ) throws(ObjectStoreError) -> Written? {
    let missing = try missingChunks(of: list)
    let threads = missing.count < Self.threadedChunkCount ? 0 : threadCount
    typealias Chunk = Swift.Result<DeltaPolicy.Encoded?, SystemError>
    let isWhole = try OrderedWork<Chunk>.run(
      count: missing.count, threadCount: threads,
      bounds: OrderedWork.Bounds(pieceCount: 64, weight: Self.waitingByteCount),
      weight: { (try? $0.get())?.data.count ?? 0 },
      makeWorker: {
        let deflater = Deflater(level: Self.chunkLevel, chainLength: 8)
        return { number in Self.encode(missing[number], of: file, deflater) }
      },
      { (work) throws(ObjectStoreError) in
        for chunk in missing {
          guard let result = work.next() else { return false }
          switch result {
          case .success(let encoded?): try append(encoded, of: chunk.chunk)
          case .success(nil): return false
          case .failure(let cause): throw .source(cause)
          }
        }
        return true
      })
    guard isWhole else { return nil }
    let bytes = list.encoded()
    guard UInt64(bytes.count) <= PackFormat.maximumObjectByteCount else { throw .tooLarge }
    return try bytes.withRawBytes { (raw) throws(ObjectStoreError) in
      try encode(raw, id: id, kind: .chunkList, byteCount: list.byteCount, candidates: candidates)
    }
  }

  /// Large contents are mostly pictures, sound and archives; in what is text the higher levels cost more than they save.
  private static let chunkLevel = 4

  private struct PlacedChunk: Sendable {
    let chunk: ChunkList.Chunk
    let offset: UInt64
  }

  private func missingChunks(of list: ChunkList) throws(ObjectStoreError) -> [PlacedChunk] {
    var missing: [PlacedChunk] = []
    var seen: Set<ObjectID> = []
    var offset: UInt64 = 0
    for chunk in list.chunks {
      if seen.insert(chunk.id).inserted, try !isStored(chunk.id, asPart: true) {
        missing.append(PlacedChunk(chunk: chunk, offset: offset))
      }
      offset += chunk.byteCount
    }
    return missing
  }

  /// Reads and encodes a chunk; `nil` where the file has other bytes there by now.
  private static func encode(
    _ place: PlacedChunk, of file: SharedFile, _ deflater: Deflater
  ) -> Swift.Result<DeltaPolicy.Encoded?, SystemError> {
    do throws(SystemError) {
      let bytes = try file.bytes(at: place.offset, count: Int(place.chunk.byteCount))
      guard SHA256.hash(bytes) == place.chunk.id else { return .success(nil) }
      return .success(DeltaPolicy.encodeWhole(bytes, deflater: deflater))
    } catch { return .failure(error) }
  }
}
