public import Hashing
public import Versioning

/// What is known of one working file on this device.
public struct FileRow: Hashable, Sendable {
  public var path: DocumentPath
  /// The version that was placed or saved, then other heads equal to it.
  public var base: [RecordID]
  /// The heads in conflict with the base when the file was last placed or saved.
  public var seen: [RecordID]
  /// `nil` where the file has to be hashed.
  public var status: CachedStatus?
  /// The id of the content that the file had at ``status``.
  public var content: ObjectID?
  /// The permission bits.
  public var mode: UInt16
  public var kind: VersionKind
  /// Why the current version could not be placed, as the journal has it; `nil` where nothing was in the way.
  public var unplacedReason: UInt8?
  /// How the volume gives the name back where that differs from the path.
  public var spelling: [UInt8]?

  public init(
    path: DocumentPath, base: [RecordID], seen: [RecordID], status: CachedStatus?, content: ObjectID?, mode: UInt16,
    kind: VersionKind, unplacedReason: UInt8? = nil, spelling: [UInt8]? = nil
  ) {
    self.path = path
    self.base = base
    self.seen = seen
    self.status = status
    self.content = content
    self.mode = mode
    self.kind = kind
    self.unplacedReason = unplacedReason
    self.spelling = spelling
  }
}

/// The body of a working file: `u8 parts, base, seen, varint mode, u8 kind`, then the parts whose bits are set (1
/// status, 2 content, 4 reason, 8 spelling), and the check, which covers the path.
extension FileRow {
  var encoded: [UInt8] {
    var writer = ByteWriter(capacity: 192)
    let parts: [Bool] = [status != nil, content != nil, unplacedReason != nil, spelling != nil]
    writer.u8(parts.enumerated().reduce(0) { $0 | ($1.element ? 1 << UInt8($1.offset) : 0) })
    writer.recordIDs(base)
    writer.recordIDs(seen)
    writer.varint(UInt64(mode))
    writer.u8(kind.rawValue)
    if let status { writer.status(status) }
    if let content { writer.id(content) }
    if let unplacedReason { writer.u8(unplacedReason) }
    if let spelling { writer.bytes(spelling) }
    return BodyCheck.sealing(writer.bytes, for: path.bytes)
  }

  init(path: DocumentPath, decoding body: [UInt8]) throws(DecodingFailure) {
    var reader = try BodyCheck.opening(body, for: path.bytes)
    let parts = try reader.u8()
    guard parts < 16 else { throw .invalidValue }
    let base = try reader.recordIDs()
    let seen = try reader.recordIDs()
    let mode = try reader.varint(limit: UInt64(UInt16.max))
    guard let kind = VersionKind(rawValue: try reader.u8()) else { throw .invalidValue }
    let status = parts & 1 != 0 ? try reader.status() : nil
    let content = parts & 2 != 0 ? try reader.id() : nil
    let reason = parts & 4 != 0 ? try reader.u8() : nil
    let spelling = parts & 8 != 0 ? try reader.bytes(limit: DocumentPath.maximumByteCount) : nil
    try reader.finish()
    self.init(
      path: path, base: base, seen: seen, status: status, content: content, mode: UInt16(mode), kind: kind,
      unplacedReason: reason, spelling: spelling)
  }
}
