import Hashing
import ObjectStorage
import SystemIO

extension WorkingTree {
  /// A piece of a file that was read and cut.
  private struct Piece: Sendable {
    let bytes: [UInt8]
    /// The chunks that ended in it.
    let chunks: [ChunkList.Chunk]
  }

  static let pieceByteCount = 256 << 10
  /// How many pieces are in memory.
  static let waitingPieceCount = 8

  /// The digest of a large file and the chunks that it is cut into, both of the same bytes, read once.
  ///
  /// One thread reads and cuts, another one hashes the whole. Memory: some pieces of 256 KiB.
  ///
  /// - Parameters:
  ///   - byteCount: the file's length.
  ///   - progress: is told of the bytes that were read.
  /// - Returns: `nil` where it has another length.
  static func cut(
    _ file: SharedFile, byteCount: UInt64, progress: ByteProgress = .none
  ) throws(SystemError) -> (content: ObjectID, chunks: ChunkList)? {
    // One more finds the end.
    guard let count = Int(exactly: byteCount / UInt64(pieceByteCount) + 1) else { return nil }
    var chunks: [ChunkList.Chunk] = []
    var hasher = SHA256()
    var readByteCount: UInt64 = 0
    try OrderedWork<Swift.Result<Piece, SystemError>>.run(
      count: count, threadCount: 1, isSequential: true,
      bounds: OrderedWork.Bounds(pieceCount: waitingPieceCount, weight: .max),
      weight: { _ in 1 }, makeWorker: { cutter(of: file, pieceCount: count) },
      { (work) throws(SystemError) in
        while let result = work.next() {
          try Interruption.check()
          let piece = try result.get()
          hasher.update(piece.bytes)
          readByteCount += UInt64(piece.bytes.count)
          chunks += piece.chunks
          progress.report(readByteCount, byteCount)
        }
      })
    guard readByteCount == byteCount, let list = ChunkList(chunks: chunks), list.byteCount == byteCount else {
      return nil
    }
    return (hasher.finalized(), list)
  }

  /// Reads and cuts piece after piece.
  private static func cutter(
    of file: SharedFile, pieceCount: Int
  ) -> OrderedWork<Swift.Result<Piece, SystemError>>.Worker {
    var scanner = ChunkScanner()
    return { number in
      do throws(SystemError) {
        let bytes = try file.bytes(at: UInt64(number) * UInt64(pieceByteCount), count: pieceByteCount)
        bytes.withUnsafeBytes { scanner.add($0) }
        if number == pieceCount - 1 { scanner.finish() }
        return .success(Piece(bytes: bytes, chunks: scanner.takeChunks()))
      } catch { return .failure(error) }
    }
  }
}
