import Deflate
public import Hashing

/// How a blob is to be stored, worked out apart from the pack that it goes into.
public struct PreparedBlob: Equatable, Sendable {
  public let encoding: ObjectEncoding
  public let data: [UInt8]
  /// The blob that it is stored against, which has to be in the same pack as no delta; `nil` where it stands by itself.
  public let neighbour: ObjectID?

  /// The object for a place of a pack.
  ///
  /// - Parameter distance: how far before it the neighbour's entry begins.
  public func object(id: ObjectID, byteCount: Int, distance: UInt64?) -> ObjectEntry {
    precondition((distance == nil) == (neighbour == nil), "a neighbour is named by its distance")
    return ObjectEntry(
      id: id, kind: .blob, encoding: encoding, byteCount: UInt64(byteCount), base: distance.map { .near(distance: $0) },
      depth: distance == nil ? 0 : 1, data: .bytes(data))
  }
}

/// A blob of which others, likely to be similar, are stored: its beginning is their dictionary.
public struct BlobNeighbour: Sendable {
  let id: ObjectID
  let bytes: [UInt8]

  /// Takes in a blob; `nil` where it would be of no use to others.
  public init?(_ bytes: [UInt8], id: ObjectID) {
    guard bytes.count >= Self.leastByteCount, bytes.count <= Self.greatestByteCount,
      !bytes.withUnsafeBytes({ Compressibility.isIncompressible($0) })
    else { return nil }
    self.id = id
    self.bytes = Array(bytes.prefix(DeltaCodec.dictionaryReach))
  }

  private static let leastByteCount = 256
  /// Who reads a blob reads its neighbour too.
  private static let greatestByteCount = 256 << 10
}

/// Encodes the blobs of many new documents. One serves one thread.
///
/// A blob of text is stored after a neighbour where there is one, such as the first document in its folder with the same
/// ending. With the words of that at hand less search gives shorter results than more search without: in trees of
/// source texts and of prose a quick search with a neighbour is shorter than level 6, in 0.4 of the time.
public final class BlobEncoder {
  private let alone = Deflater(level: 6)
  /// For what has a neighbour, and what is long.
  private let quick = Deflater.forBulk()

  public init() {}

  /// - Parameter neighbour: another blob.
  public func encode(_ bytes: [UInt8], id: ObjectID, after neighbour: BlobNeighbour?) -> PreparedBlob {
    if let neighbour, neighbour.id != id, bytes.count > 64, bytes.count <= Self.longestInsertion {
      let delta = bytes.withUnsafeBytes { raw -> [UInt8]? in
        if Compressibility.isIncompressible(raw) { return nil }
        return neighbour.bytes.withUnsafeBytes {
          DeltaCodec.encodeInsertion(raw, base: $0, deflater: quick)
        }
      }
      if let delta, delta.count < bytes.count {
        return PreparedBlob(encoding: .delta, data: delta, neighbour: neighbour.id)
      }
    }
    let whole = DeltaPolicy.encodeWhole(bytes, deflater: bytes.count > Self.longestThorough ? quick : alone)
    return PreparedBlob(encoding: whole.encoding, data: whole.data, neighbour: nil)
  }

  /// Longer texts make out most of an import's time; in them the higher level saves 2 %.
  private static let longestThorough = 64 << 10
  /// In longer blobs the beginning is a small part.
  private static let longestInsertion = 256 << 10
}
