internal import Hashing
public import Versioning

/// The derived state of one document.
public struct DocumentRow: Hashable, Sendable {
  public let document: DocumentID
  public let family: Int64
  /// All heads, greatest first; at least one.
  public let heads: [Version]
  /// Whether the caller may take a short way with this document; means nothing to the catalog.
  public let isPlain: Bool
  public let hasConflict: Bool
  /// Whether a removal names a version of the family, or its descendants.
  public let hasRemovals: Bool
  public let versionCount: Int

  /// - Precondition: there is a head.
  public init(
    document: DocumentID, family: Int64, heads: [Version], isPlain: Bool, hasConflict: Bool, hasRemovals: Bool = false,
    versionCount: Int
  ) {
    precondition(!heads.isEmpty, "a document has a head")
    self.document = document
    self.family = family
    self.heads = heads
    self.isPlain = isPlain
    self.hasConflict = hasConflict
    self.hasRemovals = hasRemovals
    self.versionCount = versionCount
  }

  /// The greatest head.
  public var current: Version { heads[0] }

  /// The path of the current version.
  public var path: DocumentPath { current.record.path }

  public var isDeleted: Bool { current.record.isDeletion }

  func moved(to family: Int64) -> DocumentRow {
    DocumentRow(
      document: document, family: family, heads: heads, isPlain: isPlain, hasConflict: hasConflict,
      hasRemovals: hasRemovals, versionCount: versionCount)
  }
}

/// The body of a document: `document, varint family, u8 1 plain + 2 in conflict + 4 removals, varint version count, varint head
/// count, for each head its record behind the length`, and the check. A head's id is the digest of its record.
extension DocumentRow {
  private static let owner = Array("document".utf8)
  private static let maximumRecordByteCount = 1 << 20

  var encoded: [UInt8] {
    var writer = ByteWriter(capacity: 256 * heads.count)
    writer.raw(document.bytes)
    writer.varint(UInt64(bitPattern: family))
    writer.u8((isPlain ? 1 : 0) | (hasConflict ? 2 : 0) | (hasRemovals ? 4 : 0))
    writer.varint(UInt64(max(versionCount, 0)))
    writer.varint(UInt64(heads.count))
    for head in heads {
      writer.bytes(Record.version(head.record).encoded())
    }
    return BodyCheck.sealing(writer.bytes, for: Self.owner)
  }

  init(decoding body: [UInt8]) throws(DecodingFailure) {
    var reader = try BodyCheck.opening(body, for: Self.owner)
    let document: DocumentID = try reader.identifier()
    guard let family = Int64(exactly: try reader.varint()) else { throw .invalidValue }
    let flags = try reader.u8()
    guard flags < 8, let versionCount = Int(exactly: try reader.varint()) else { throw .invalidValue }
    let headCount = try reader.varint(limit: UInt64(reader.remaining))
    guard headCount > 0 else { throw .invalidValue }
    var heads: [Version] = []
    for _ in 0..<headCount {
      let bytes = try reader.bytes(limit: Self.maximumRecordByteCount)
      guard case .version(let record) = try Record(decoding: bytes) else { throw .invalidValue }
      heads.append(Version(id: RecordID(SHA256.hash(bytes)), record: record))
    }
    try reader.finish()
    self.init(
      document: document, family: family, heads: heads, isPlain: flags & 1 != 0, hasConflict: flags & 2 != 0,
      hasRemovals: flags & 4 != 0, versionCount: versionCount)
  }
}
