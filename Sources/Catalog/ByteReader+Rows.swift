internal import Hashing
internal import Versioning

extension ByteReader {
  mutating func identifier<Identifier: Identifier128>() throws(DecodingFailure) -> Identifier {
    guard let identifier = Identifier(bytes: try raw(16)) else { throw .truncated }
    return identifier
  }

  /// Ids behind their count. A count beyond what is left is refused before anything is allocated.
  mutating func recordIDs() throws(DecodingFailure) -> [RecordID] {
    let count = try varint(limit: UInt64(remaining / ObjectID.byteCount))
    var ids: [RecordID] = []
    ids.reserveCapacity(Int(count))
    for _ in 0..<count { ids.append(RecordID(try id())) }
    return ids
  }

  /// All bytes that are left.
  mutating func rest() throws(DecodingFailure) -> [UInt8] { try raw(remaining) }

  /// A number that SQLite can hold, in the order of the keys.
  mutating func orderedRow() throws(DecodingFailure) -> Int64 {
    guard let number = Int64(exactly: try ordered()) else { throw .invalidValue }
    return number
  }
}

extension ByteWriter {
  mutating func recordIDs(_ ids: [RecordID]) {
    varint(UInt64(ids.count))
    for id in ids { self.id(id.digest) }
  }

  /// A number of a row, which is never negative.
  mutating func orderedRow(_ number: Int64) { ordered(UInt64(bitPattern: number)) }
}
