public import Hashing

/// The blobs that a large content is cut into, in order.
///
/// Source: docs/format.md, "Objects".
public struct ChunkList: Hashable, Sendable {
  /// One blob of a content.
  public struct Chunk: Hashable, Sendable {
    public var id: ObjectID
    public var byteCount: UInt64

    public init(id: ObjectID, byteCount: UInt64) {
      self.id = id
      self.byteCount = byteCount
    }
  }

  /// The greatest length of a content.
  public static let byteCountLimit: UInt64 = 1 << 53 - 1

  /// At least one chunk.
  public let chunks: [Chunk]

  /// The length of the content.
  public let byteCount: UInt64

  /// Creates a list, or `nil` where it is empty, a chunk is, or the content is longer than ``byteCountLimit``.
  public init?(chunks: [Chunk]) {
    guard !chunks.isEmpty else { return nil }
    var sum: UInt64 = 0
    for chunk in chunks {
      guard chunk.byteCount > 0, chunk.byteCount <= Self.byteCountLimit - sum else { return nil }
      sum += chunk.byteCount
    }
    self.chunks = chunks
    byteCount = sum
  }

  /// Decodes a list; memory is in proportion to the bytes.
  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    var reader = ByteReader(bytes)
    let count = try reader.varint()
    guard count > 0 else { throw .invalidValue }
    // An id and at least one byte of length each.
    guard count <= UInt64(reader.remaining / (ObjectID.byteCount + 1)) else { throw .truncated }
    var chunks: [Chunk] = []
    chunks.reserveCapacity(Int(count))
    for _ in 0..<count {
      let id = try reader.id()
      chunks.append(Chunk(id: id, byteCount: try reader.varint(limit: Self.byteCountLimit)))
    }
    try reader.finish()
    guard let list = ChunkList(chunks: chunks) else { throw .invalidValue }
    self = list
  }

  /// The bytes of the object.
  public func encoded() -> [UInt8] {
    var writer = ByteWriter(capacity: 10 + chunks.count * (ObjectID.byteCount + 3))
    writer.varint(UInt64(chunks.count))
    for chunk in chunks {
      writer.id(chunk.id)
      writer.varint(chunk.byteCount)
    }
    return writer.bytes
  }
}
