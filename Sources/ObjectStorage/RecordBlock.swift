import Deflate
import Hashing

/// The body of a records block.
///
///     varint  members, 1 to 256
///     varint  length of the columns
///     u32     one for each member: the first four bytes of its id, big-endian
///     u8      one for each member: members ascending by these
///     columns, deflated
///
/// What the columns hold is the business of whoever writes records.
///
/// Source: docs/format.md, "Blocks".
struct RecordBlock {
  static let memberCountLimit = 256
  static let columnsByteCountLimit = 4 << 20
  private static let prefixByteCount = 4

  let memberCount: Int
  private let columnsByteCount: Int
  private let prefixes: Range<Int>
  private let order: Range<Int>
  private let stored: Range<Int>

  init(_ bytes: UnsafeRawBufferPointer, in body: Range<Int>) throws(DecodingFailure) {
    var reader = RawReader(bytes, in: body)
    let count = try reader.varint()
    guard count >= 1, count <= UInt64(Self.memberCountLimit) else { throw .limitExceeded }
    memberCount = Int(count)
    let length = try reader.varint()
    guard length <= UInt64(Self.columnsByteCountLimit) else { throw .limitExceeded }
    columnsByteCount = Int(length)
    guard reader.remaining >= memberCount * (Self.prefixByteCount + 1) else { throw .truncated }
    prefixes = reader.offset..<reader.offset + memberCount * Self.prefixByteCount
    order = prefixes.upperBound..<prefixes.upperBound + memberCount
    stored = order.upperBound..<reader.end
  }

  /// Encodes the body of a block of records with these ids.
  static func encode(_ ids: [ObjectID], columns: [UInt8], deflater: Deflater) -> [UInt8] {
    var writer = ByteWriter(capacity: columns.count)
    writer.varint(UInt64(ids.count))
    writer.varint(UInt64(columns.count))
    for id in ids { writer.raw(id.digest.prefix(prefixByteCount)) }
    let order = ids.indices.sorted { (ids[$0].prefix >> 32, $0) < (ids[$1].prefix >> 32, $1) }
    writer.raw(order.map { UInt8($0) })
    writer.raw(columns.withUnsafeBytes { deflater.deflate($0) })
    return writer.bytes
  }

  func columns(in bytes: UnsafeRawBufferPointer) throws(PackFormatError) -> [UInt8] {
    do throws(DeflateError) {
      return try Inflater().inflate(UnsafeRawBufferPointer(rebasing: bytes[stored]), byteCount: columnsByteCount)
    } catch { throw .malformed(.invalidValue) }
  }

  private func prefix(_ number: Int, in bytes: UnsafeRawBufferPointer) -> UInt32 {
    let start = prefixes.lowerBound + number * Self.prefixByteCount
    return UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self))
  }

  /// The members whose ids begin so as far as the block knows, by binary search.
  func members(prefix wanted: UInt64, in bytes: UnsafeRawBufferPointer) -> [Int] {
    BlockOrder(bytes, order: order).members(equalTo: UInt32(wanted >> 32)) { prefix($0, in: bytes) }
  }

  func isOrdered(in bytes: UnsafeRawBufferPointer) -> Bool {
    BlockOrder(bytes, order: order).isOrdered { prefix($0, in: bytes) }
  }
}
