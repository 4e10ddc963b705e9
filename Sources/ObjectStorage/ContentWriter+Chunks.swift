import Deflate
import Hashing
import SystemIO

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
    return try encode(list, id: id, candidates: candidates, asPart: asPart)
  }

  /// The list of a content whose chunks are written.
  func encode(
    _ list: ChunkList, id: ObjectID, candidates: [DeltaCandidate], asPart: Bool
  ) throws(ObjectStoreError) -> Written {
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

  func append(_ encoded: DeltaPolicy.Encoded, of chunk: ChunkList.Chunk) throws(ObjectStoreError) {
    let object = ObjectEntry(
      id: chunk.id, kind: .blob, encoding: encoded.encoding, byteCount: chunk.byteCount, data: .bytes(encoded.data))
    try append(chunk: object, to: makeRoom(UInt64(encoded.data.count + 256)))
  }

  func append(chunk object: ObjectEntry, to writer: ActivePackWriter) throws(ObjectStoreError) {
    didAppend(object, try writer.append(.object(object)))
    written.insert(object.id)
  }
}
