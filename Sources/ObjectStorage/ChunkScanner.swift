import Hashing

/// Cuts a large content that comes in pieces of any length, and hashes its chunks on the way.
///
/// The cuts are those of ``Chunker``, wherever the pieces end. Cost: about a millisecond a megabyte.
public struct ChunkScanner {
  private let chunker: Chunker
  private var state = Chunker.State()
  private var hasher = SHA256()
  private var chunks: [ChunkList.Chunk] = []

  public init(_ chunker: Chunker = Chunker()) {
    self.chunker = chunker
  }

  /// Goes on with the next bytes.
  public mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    while !rest.isEmpty {
      let (count, isCut) = chunker.goOn(&state, in: rest)
      hasher.update(UnsafeRawBufferPointer(rebasing: rest[..<count]))
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      if isCut { endChunk() }
    }
  }

  /// Hands over the chunks that are whole and were not handed over before.
  public mutating func takeChunks() -> [ChunkList.Chunk] {
    defer { chunks = [] }
    return chunks
  }

  /// Ends the content.
  public mutating func finish() {
    if state.byteCount > 0 { endChunk() }
  }

  private mutating func endChunk() {
    chunks.append(ChunkList.Chunk(id: hasher.finalized(), byteCount: UInt64(state.byteCount)))
    state = Chunker.State()
    hasher = SHA256()
  }
}
