import Deflate
public import Hashing
public import SystemIO

extension ContentWriter {
  /// From so many chunks on they are read, hashed and deflated on several threads.
  private static let threadedChunkCount = 16
  /// In bytes: what may wait to be written.
  private static let waitingByteCount = 8 << 20

  /// Takes in a file's content by the chunks that it was cut into when it was read: only those that the store lacks are
  /// read again. A few new ones between two that an earlier content has are stored against what they are there for.
  ///
  /// Memory is bounded whatever the length, but for 40 bytes for each chunk, and 60 for each of the earlier content.
  ///
  /// - Parameters:
  ///   - id: the digest of the whole content.
  ///   - candidates: earlier contents, as ``write(candidates:from:)`` takes them.
  ///   - progress: is told how many bytes of the file are behind what is stored, and its length.
  ///   - chunkCandidates: gives a chunk of one of them as what another chunk may be stored against.
  /// - Returns: `nil` where a chunk is not in the file any more. What was written does no harm.
  public func write(
    _ list: ChunkList, id: ObjectID, of file: SharedFile, candidates: [DeltaCandidate],
    chunkCandidates: (ObjectID) throws(ObjectStoreError) -> [DeltaCandidate], threadCount: Int,
    progress: (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in }
  ) throws(ObjectStoreError) -> Written? {
    let missing = try missingChunks(of: list, after: candidates)
    let threads = missing.count < Self.threadedChunkCount ? 0 : threadCount
    let ownDeflater = Deflater.forBulk()
    let isWhole = try OrderedWork<CutChunk>.run(
      count: missing.count, threadCount: threads,
      bounds: OrderedWork.Bounds(pieceCount: 64, weight: Self.waitingByteCount),
      weight: { $0.byteCount },
      makeWorker: {
        // Large contents are mostly pictures, sound and archives; in what is text thoroughness costs more than it saves.
        let deflater = Deflater.forBulk()
        return { number in Self.read(missing[number], of: file, deflater) }
      },
      { (work) throws(ObjectStoreError) in
        for place in missing {
          switch work.next() {
          case .encoded(let encoded): try append(encoded, of: place.chunk)
          case .bytes(let bytes):
            var bases: [DeltaCandidate] = []
            for id in place.bases { bases += try chunkCandidates(id) }
            try append(bytes, of: place.chunk, against: bases, ownDeflater)
          case .failed(let cause): throw .source(cause)
          case .changed, nil: return false
          }
          progress(place.offset + place.chunk.byteCount, list.byteCount)
        }
        return true
      })
    guard isWhole else { return nil }
    return try encode(list, id: id, candidates: candidates, asPart: false)
  }

  private struct PlacedChunk: Sendable {
    let chunk: ChunkList.Chunk
    let offset: UInt64
    let bases: [ObjectID]
  }

  /// What a thread made of a chunk.
  private enum CutChunk: Sendable {
    case encoded(DeltaPolicy.Encoded)
    /// Its bytes: an earlier chunk may be its base.
    case bytes([UInt8])
    /// The file has other bytes there by now.
    case changed
    case failed(SystemError)

    var byteCount: Int {
      switch self {
      case .encoded(let encoded): encoded.data.count
      case .bytes(let bytes): bytes.count
      case .changed, .failed: 0
      }
    }
  }

  private func missingChunks(
    of list: ChunkList, after candidates: [DeltaCandidate]
  ) throws(ObjectStoreError) -> [PlacedChunk] {
    // A base that can't be read costs bytes, no more.
    let earlier = candidates.first { $0.kind == .chunkList }.flatMap { try? ChunkList(decoding: $0.load()) }
    let bases = earlier.map { ChunkBases(of: list, in: $0) }
    var missing: [PlacedChunk] = []
    var seen: Set<ObjectID> = []
    var offset: UInt64 = 0
    for (number, chunk) in list.chunks.enumerated() {
      if seen.insert(chunk.id).inserted, try !isStored(chunk.id, asPart: true) {
        missing.append(PlacedChunk(chunk: chunk, offset: offset, bases: bases?[number] ?? []))
      }
      offset += chunk.byteCount
    }
    return missing
  }

  private static func read(_ place: PlacedChunk, of file: SharedFile, _ deflater: Deflater) -> CutChunk {
    do throws(SystemError) {
      let bytes = try file.bytes(at: place.offset, count: Int(place.chunk.byteCount))
      guard SHA256.hash(bytes) == place.chunk.id else { return .changed }
      if !place.bases.isEmpty { return .bytes(bytes) }
      return .encoded(DeltaPolicy.encodeWhole(bytes, deflater: deflater))
    } catch { return .failed(error) }
  }

  private func append(
    _ bytes: [UInt8], of chunk: ChunkList.Chunk, against candidates: [DeltaCandidate], _ deflater: Deflater
  ) throws(ObjectStoreError) {
    let writer = try makeRoom(UInt64(bytes.count + 256))
    let candidates = candidates.filter { $0.depth < DeltaPolicy.maximumChunkDepth }
    let object = bytes.withUnsafeBytes { bytes in
      Self.object(
        bytes, id: chunk.id, kind: .blob, against: candidates, in: writer.name, at: writer.nextOffset,
        deflater: deflater)
    }
    try append(chunk: object, to: writer)
  }
}
