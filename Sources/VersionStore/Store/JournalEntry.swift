import Hashing
import Versioning

/// What only this device knows, as entries of its active pack that are never exchanged.
///
/// Source: docs/format.md, "Journal".
enum JournalEntry: Equatable {
  /// The working file at a path came from these versions (equal heads are all of them), and these others were seen.
  case base(path: DocumentPath, base: [RecordID], seen: [RecordID])
  /// There is no working file at the path any more.
  case gone(path: DocumentPath)
  /// An operation whose records are known already, or one whose records other devices may have made too.
  case operation(UInt8, wallTime: Int64, records: [RecordID])
  /// The operation whose first record is named was taken back.
  case undone(RecordID)
  /// The current version of the path could not be placed.
  case unplaced(path: DocumentPath, reason: UInt8)
  /// How the volume gives back the name of a file placed at a path.
  case spelling(path: DocumentPath, name: [UInt8])

  func encoded() -> [UInt8] {
    var writer = ByteWriter(capacity: 128)
    switch self {
    case .base(let path, let base, let seen):
      writer.u8(1)
      writer.bytes(path.bytes)
      writer.ids(base)
      writer.ids(seen)
    case .gone(let path):
      writer.u8(2)
      writer.bytes(path.bytes)
    case .operation(let operation, let wallTime, let records):
      writer.u8(3)
      writer.u8(operation)
      writer.zigzag(wallTime)
      writer.ids(records)
    case .undone(let record):
      writer.u8(4)
      writer.id(record.digest)
    case .unplaced(let path, let reason):
      writer.u8(5)
      writer.bytes(path.bytes)
      writer.u8(reason)
    case .spelling(let path, let name):
      writer.u8(6)
      writer.bytes(path.bytes)
      writer.bytes(name)
    }
    return writer.bytes
  }

  /// The entries that the body of one stands for.
  static func entries(decoding bytes: [UInt8]) throws(DecodingFailure) -> [JournalEntry] {
    if bytes.first == CarriedJournal.type { return try CarriedJournal(decoding: bytes).entries }
    return [try JournalEntry(decoding: bytes)]
  }

  init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    var reader = ByteReader(bytes)
    switch try reader.u8() {
    case 1: self = .base(path: try reader.path(), base: try reader.ids(), seen: try reader.ids())
    case 2: self = .gone(path: try reader.path())
    case 3:
      self = .operation(try reader.u8(), wallTime: try reader.zigzag(), records: try reader.ids())
    case 4: self = .undone(RecordID(try reader.id()))
    case 5: self = .unplaced(path: try reader.path(), reason: try reader.u8())
    case 6: self = .spelling(path: try reader.path(), name: try reader.bytes(limit: DocumentPath.maximumByteCount))
    default: throw .invalidValue
    }
    try reader.finish()
  }
}

extension ByteWriter {
  fileprivate mutating func ids(_ ids: [RecordID]) {
    varint(UInt64(ids.count))
    for id in ids { self.id(id.digest) }
  }
}

extension ByteReader {
  fileprivate mutating func path() throws(DecodingFailure) -> DocumentPath {
    guard let path = DocumentPath(try bytes(limit: DocumentPath.maximumByteCount)) else { throw .invalidValue }
    return path
  }

  fileprivate mutating func ids() throws(DecodingFailure) -> [RecordID] {
    let count = try varint(limit: UInt64(remaining / ObjectID.byteCount))
    var ids: [RecordID] = []
    ids.reserveCapacity(Int(count))
    for _ in 0..<count { ids.append(RecordID(try id())) }
    return ids
  }
}
