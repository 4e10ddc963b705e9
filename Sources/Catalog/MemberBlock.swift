internal import Hashing

/// Where the records of one family lie in a part of a pack.
///
/// The records of a document that is saved again and again lie close together: a row for each would be as long as the records
/// themselves. The value: `u16` for each, the offset in the part, strictly ascending.
struct MemberBlock {
  /// How long the parts of a pack are.
  static let byteCount: UInt64 = 4096

  private var offsets: [UInt16] = []

  /// Reads a row, or begins one.
  init(_ row: ByteReader?) throws(CatalogError) {
    guard var reader = row else { return }
    offsets = try Keyspace.member.decode { () throws(DecodingFailure) in
      var offsets: [UInt16] = []
      offsets.reserveCapacity(reader.remaining / 2)
      while reader.remaining > 0 {
        let offset = try reader.u16()
        guard offset < Self.byteCount, offsets.last.map({ $0 < offset }) ?? true else { throw .invalidValue }
        offsets.append(offset)
      }
      return offsets
    }
  }

  /// Adds the record at an offset of the pack.
  ///
  /// - Returns: whether it wasn't there.
  mutating func insert(_ offset: UInt64) -> Bool {
    let offset = UInt16(offset % Self.byteCount)
    let place = offsets.lastIndex { $0 <= offset }
    if let place, offsets[place] == offset { return false }
    offsets.insert(offset, at: place.map { $0 + 1 } ?? 0)
    return true
  }

  var encoded: [UInt8] {
    var writer = ByteWriter(capacity: offsets.count * 2)
    for offset in offsets { writer.u16(offset) }
    return writer.bytes
  }

  /// The places in the pack, where the part begins at a place.
  func offsets(from start: UInt64) -> [UInt64] { offsets.map { start + UInt64($0) } }
}
