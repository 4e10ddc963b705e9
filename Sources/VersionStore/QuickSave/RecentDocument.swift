import Catalog
import Hashing
import ObjectStorage
import SystemIO
import Versioning

/// What a save leaves for the next save of the same document, so that it needs neither the catalog nor the version's chain.
///
/// The document then has this version as its only head, nothing else claims its path, and the working file has it as its
/// base. Source: docs/format.md, "Recent saves".
struct RecentDocument: Equatable {
  /// Where something stands in the active pack, and how much must be read before it.
  struct Place: Equatable {
    var offset: UInt64
    var depth: UInt8
  }

  /// Longer content is kept only where the active pack alone doesn't give it back: it would be written twice at every
  /// save, and decoding it costs a long document's save little.
  static let shortByteCount = 32 << 10
  /// Content that would have to be kept and is longer is left to the catalog.
  static let keptByteCountLimit = 256 << 10
  /// A head of the greatest record and path, and the fields around them.
  static let byteCountLimit = keptByteCountLimit + (2 << 20)

  /// The ``RecentSaves/State/generation`` in which it was written.
  var generation: UInt64
  var version: Version
  /// How many versions the document's family has.
  var versionCount: Int
  var record: Place
  var object: Place
  var status: CachedStatus?
  /// The version's content, or `nil` where it is in the active pack with all that it is stored against.
  var content: [UInt8]?

  private static let format: UInt8 = 1
  private static let checkByteCount = 16

  /// Leaves out the content where the pack gives it back.
  ///
  /// - Returns: `false` where the document can't be kept: its content is too long.
  mutating func leaveOutContent(where end: ChainEnd) -> Bool {
    guard let byteCount = content?.count, byteCount > Self.shortByteCount else { return true }
    if end == .samePack { content = nil }
    return end == .samePack || byteCount <= Self.keptByteCountLimit
  }

  func encoded() -> [UInt8] {
    var writer = ByteWriter(capacity: (content?.count ?? 0) + 640)
    writer.u8(Self.format)
    writer.u64(generation)
    writer.varint(UInt64(max(versionCount, 0)))
    for place in [record, object] {
      writer.varint(place.offset)
      writer.u8(place.depth)
    }
    writer.u8(status == nil ? 0 : 1)
    if let status { writer.status(status) }
    writer.id(version.id.digest)
    writer.bytes(Record.version(version.record).encoded())
    writer.raw(SHA256.hash(writer.bytes).digest[..<Self.checkByteCount])
    if let content { writer.raw(content) }
    return writer.bytes
  }

  /// Reads what ``encoded()`` gives, and checks all of it.
  init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    var reader = ByteReader(bytes)
    self = try Self(header: &reader)
    if reader.remaining == 0 && version.record.size > Self.shortByteCount { return }
    guard UInt64(reader.remaining) == version.record.size else { throw .truncated }
    let content = try reader.raw(reader.remaining)
    guard SHA256.hash(content) == version.record.content else { throw .invalidValue }
    self.content = content
  }

  /// Reads everything but the content.
  init(header reader: inout ByteReader) throws(DecodingFailure) {
    let start = reader
    guard try reader.u8() == Self.format else { throw .invalidValue }
    generation = try reader.u64()
    guard let count = Int(exactly: try reader.varint()) else { throw .invalidValue }
    versionCount = count
    record = Place(offset: try reader.varint(), depth: try reader.u8())
    object = Place(offset: try reader.varint(), depth: try reader.u8())
    status = try reader.u8() == 1 ? try reader.status() : nil
    let id = RecordID(try reader.id())
    guard case .version(let fields) = try Record(decoding: try reader.bytes(limit: Record.maximumByteCount)) else {
      throw .invalidValue
    }
    version = Version(id: id, record: fields)
    content = nil
    var whole = start
    let checked = try whole.raw(reader.offset - start.offset)
    guard try reader.raw(Self.checkByteCount).elementsEqual(SHA256.hash(checked).digest[..<Self.checkByteCount]) else {
      throw .invalidValue
    }
  }

  init(
    generation: UInt64, version: Version, versionCount: Int, record: Place, object: Place, status: CachedStatus?,
    content: [UInt8]?
  ) {
    self.generation = generation
    self.version = version
    self.versionCount = versionCount
    self.record = record
    self.object = object
    self.status = status
    self.content = content
  }
}
