import Deflate
import Hashing

/// The body of an objects block: many versions of one text, each against the one before it.
///
///     varint  members, 1 to 256
///     varint  distance to the base: an object entry that is no delta, or another block, of which it is the first member
///     varint  depth: 0, or 1 + the depth of the block that the base is in
///     u8      1 where the first member is the far end of the block, else 0
///     varint  length of the base
///     varint  length of the edits, and deflated
///     varint  length of the inserted bytes, and deflated
///     ids     one for each member
///     u8      one for each member: members ascending by id
///     edits, deflated; inserted bytes, deflated
///
/// Source: docs/format.md, "Blocks".
struct ObjectBlock {
  static let memberCountLimit = 256
  /// The longest edits, and the longest inserted bytes, of one block.
  static let streamByteCountLimit = 1 << 20

  /// Where the entry begins in the pack.
  let offset: UInt64
  let memberCount: Int
  /// Where the base's entry begins.
  let base: UInt64
  let depth: UInt8
  /// Whether the first member is stored against the base beside the second one, and not before it.
  let hasFarEnd: Bool
  let baseByteCount: Int
  let editsByteCount: Int
  let insertedByteCount: Int
  /// Ranges in the pack.
  let ids: Range<Int>
  let order: Range<Int>
  let edits: Range<Int>
  let inserted: Range<Int>

  /// Reads the body of the entry that begins at `offset`.
  init(_ bytes: UnsafeRawBufferPointer, in body: Range<Int>, offset: UInt64) throws(DecodingFailure) {
    var reader = RawReader(bytes, in: body)
    self.offset = offset
    let count = try reader.varint()
    guard count >= 1, count <= UInt64(Self.memberCountLimit) else { throw .limitExceeded }
    memberCount = Int(count)
    let distance = try reader.varint()
    guard distance > 0, distance <= offset else { throw .invalidValue }
    base = offset - distance
    guard let depth = UInt8(exactly: try reader.varint()) else { throw .limitExceeded }
    self.depth = depth
    let form = try reader.u8()
    guard form <= 1 else { throw .invalidValue }
    hasFarEnd = form == 1
    baseByteCount = try Self.length(&reader, limit: PackFormat.maximumObjectByteCount)
    editsByteCount = try Self.length(&reader, limit: UInt64(Self.streamByteCountLimit))
    let editsStored = try Self.length(&reader, limit: UInt64(reader.remaining))
    insertedByteCount = try Self.length(&reader, limit: UInt64(Self.streamByteCountLimit))
    let insertedStored = try Self.length(&reader, limit: UInt64(reader.remaining))
    let idsByteCount = memberCount * ObjectID.byteCount
    guard reader.remaining == idsByteCount + memberCount + editsStored + insertedStored,
      Inflater.canInflate(editsStored, to: editsByteCount), Inflater.canInflate(insertedStored, to: insertedByteCount),
      insertedByteCount > 0 || insertedStored == 0
    else { throw .invalidValue }
    ids = reader.offset..<reader.offset + idsByteCount
    order = ids.upperBound..<ids.upperBound + memberCount
    edits = order.upperBound..<order.upperBound + editsStored
    inserted = edits.upperBound..<reader.end
  }

  private static func length(_ reader: inout RawReader, limit: UInt64) throws(DecodingFailure) -> Int {
    let value = try reader.varint()
    guard value <= limit else { throw .limitExceeded }
    return Int(value)
  }

  /// The id of a member.
  func id(_ number: Int, in bytes: UnsafeRawBufferPointer) -> ObjectID? {
    guard (0..<memberCount).contains(number) else { return nil }
    return ObjectID(digestAt: UnsafeRawBufferPointer(rebasing: bytes[(ids.lowerBound + 32 * number)..<ids.upperBound]))
  }

  /// The members whose ids begin so, by binary search.
  func members(prefix: UInt64, in bytes: UnsafeRawBufferPointer) -> [Int] {
    BlockOrder(bytes, order: order).members(equalTo: prefix) { number in
      UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: ids.lowerBound + 32 * number, as: UInt64.self))
    }
  }

  /// Whether each member is named once in the order, and ids do not descend.
  func isOrdered(in bytes: UnsafeRawBufferPointer) -> Bool {
    BlockOrder(bytes, order: order).isOrdered { id($0, in: bytes) }
  }
}

/// The members of a block in another order than that in which they are stored.
struct BlockOrder {
  private let bytes: UnsafeRawBufferPointer
  private let order: Range<Int>

  init(_ bytes: UnsafeRawBufferPointer, order: Range<Int>) {
    self.bytes = bytes
    self.order = order
  }

  private func member(_ place: Int) -> Int { min(Int(bytes[order.lowerBound + place]), order.count - 1) }

  /// The members with a key, where they ascend by it.
  func members<Key: Comparable>(equalTo wanted: Key, by key: (Int) -> Key) -> [Int] {
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      if key(member(middle)) < wanted { low = middle + 1 } else { high = middle }
    }
    var found: [Int] = []
    while low < order.count, key(member(low)) == wanted {
      found.append(member(low))
      low += 1
    }
    return found
  }

  func isOrdered<Key: Comparable>(_ key: (Int) -> Key?) -> Bool {
    var seen: Set<Int> = []
    var last: Key?
    for place in 0..<order.count {
      let member = Int(bytes[order.lowerBound + place])
      guard member < order.count, seen.insert(member).inserted, let next = key(member) else { return false }
      if let last, next < last { return false }
      last = next
    }
    return true
  }
}
