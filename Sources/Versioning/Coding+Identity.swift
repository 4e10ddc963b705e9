import Hashing

extension ByteWriter {
  mutating func uuid(_ value: some Identifier128) {
    withUnsafeBytes(of: (value.high.bigEndian, value.low.bigEndian)) { raw($0) }
  }

  mutating func optionalUUID(_ value: (some Identifier128)?) {
    guard let value else { return u8(0) }
    u8(1)
    uuid(value)
  }

  mutating func recordIDs(_ values: [RecordID]) {
    varint(UInt64(values.count))
    for value in values { id(value.digest) }
  }

  mutating func logicalTime(_ value: LogicalTime) {
    zigzag(value.milliseconds)
    varint(UInt64(value.counter))
  }

  mutating func fileTime(_ value: FileTime) {
    zigzag(value.seconds)
    varint(UInt64(value.nanoseconds))
  }
}

extension ByteReader {
  mutating func uuid<Identifier: Identifier128>() throws(DecodingFailure) -> Identifier {
    guard let value = Identifier(bytes: try raw(16)) else { throw .truncated }
    return value
  }

  mutating func optionalUUID<Identifier: Identifier128>() throws(DecodingFailure) -> Identifier? {
    try flag() ? try uuid() as Identifier : nil
  }

  /// A byte that is 0 or 1.
  mutating func flag() throws(DecodingFailure) -> Bool {
    let value = try u8()
    guard value <= 1 else { throw .invalidValue }
    return value == 1
  }

  mutating func recordID() throws(DecodingFailure) -> RecordID { RecordID(try id()) }

  /// Ids behind their count, which is believed only as far as bytes are left.
  mutating func recordIDs(limit: Int) throws(DecodingFailure) -> [RecordID] {
    let count = Int(try varint(limit: UInt64(limit)))
    guard count <= remaining / ObjectID.byteCount else { throw .truncated }
    var values: [RecordID] = []
    values.reserveCapacity(count)
    for _ in 0..<count { values.append(try recordID()) }
    return values
  }

  mutating func logicalTime() throws(DecodingFailure) -> LogicalTime {
    let milliseconds = try wallTime()
    return LogicalTime(milliseconds: milliseconds, counter: UInt32(try varint(limit: UInt64(UInt32.max))))
  }

  /// Milliseconds since 1970 in the years 1 to 9999.
  mutating func wallTime() throws(DecodingFailure) -> Int64 {
    let milliseconds = try zigzag()
    try LogicalTime.checkRange(milliseconds)
    return milliseconds
  }

  mutating func fileTime() throws(DecodingFailure) -> FileTime {
    let seconds = try zigzag()
    return try fileTime(seconds: seconds)
  }

  /// The nanoseconds of a time whose seconds are known.
  mutating func fileTime(seconds: Int64) throws(DecodingFailure) -> FileTime {
    let nanoseconds = UInt32(try varint(limit: UInt64(UInt32.max)))
    guard let time = FileTime(seconds: seconds, nanoseconds: nanoseconds) else { throw .limitExceeded }
    return time
  }

  mutating func path() throws(DecodingFailure) -> DocumentPath {
    guard let path = DocumentPath(try bytes(limit: DocumentPath.maximumByteCount)) else { throw .invalidValue }
    return path
  }

  mutating func mode() throws(DecodingFailure) -> UInt16 {
    UInt16(try varint(limit: UInt64(VersionRecord.maximumMode)))
  }
}

extension LogicalTime {
  static func checkRange(_ milliseconds: Int64) throws(DecodingFailure) {
    guard (firstMillisecond...lastMillisecond).contains(milliseconds) else { throw .limitExceeded }
  }
}

extension DocumentPath {
  /// Whether the first component is the store's own folder.
  var isReserved: Bool {
    // Looked at for every record that is read.
    guard bytes.first == UInt8(ascii: ".") else { return false }
    let name = Array(".dver".utf8)
    return bytes.starts(with: name) && (bytes.count == name.count || bytes[name.count] == UInt8(ascii: "/"))
  }
}

extension Array where Element: Comparable {
  /// Whether every element is smaller than the next.
  var isStrictlyAscending: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }
}
