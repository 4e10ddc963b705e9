import Hashing

/// The most ids that a removal or retraction can list within ``Record/maximumByteCount``.
private let maximumListedCount = Record.maximumByteCount / ObjectID.byteCount

extension RemovalRecord {
  func encode(into writer: inout ByteWriter) {
    writer.id(kept.digest)
    writer.u8(removesAncestors ? 1 : 0)
    writer.recordIDs(listed)
    writer.uuid(device)
    writer.logicalTime(logicalTime)
    writer.zigzag(wallTime)
  }

  init(from reader: inout ByteReader) throws(DecodingFailure) {
    kept = try reader.recordID()
    removesAncestors = try reader.flag()
    listed = try reader.recordIDs(limit: maximumListedCount)
    device = try reader.uuid()
    logicalTime = try reader.logicalTime()
    wallTime = try reader.wallTime()
  }

  func checkFields() throws(DecodingFailure) {
    guard removesAncestors || !listed.isEmpty, listed.isStrictlyAscending else { throw .invalidValue }
    try LogicalTime.checkRange(logicalTime.milliseconds)
    try LogicalTime.checkRange(wallTime)
  }
}

extension RetractionRecord {
  func encode(into writer: inout ByteWriter) {
    writer.recordIDs(names)
    writer.uuid(device)
    writer.logicalTime(logicalTime)
    writer.zigzag(wallTime)
  }

  init(from reader: inout ByteReader) throws(DecodingFailure) {
    names = try reader.recordIDs(limit: maximumListedCount)
    device = try reader.uuid()
    logicalTime = try reader.logicalTime()
    wallTime = try reader.wallTime()
  }

  func checkFields() throws(DecodingFailure) {
    guard !names.isEmpty, names.isStrictlyAscending else { throw .invalidValue }
    try LogicalTime.checkRange(logicalTime.milliseconds)
    try LogicalTime.checkRange(wallTime)
  }
}

extension DeviceRecord {
  /// The longest name and the longest platform, in bytes.
  public static let maximumNameByteCount = 255

  func encode(into writer: inout ByteWriter) {
    writer.uuid(device)
    writer.bytes(name)
    writer.bytes(platform)
    writer.optionalUUID(continues)
    writer.u8(isRetired ? 1 : 0)
    writer.uuid(author)
    writer.logicalTime(logicalTime)
    writer.zigzag(wallTime)
  }

  init(from reader: inout ByteReader) throws(DecodingFailure) {
    device = try reader.uuid()
    name = try reader.bytes(limit: Self.maximumNameByteCount)
    platform = try reader.bytes(limit: Self.maximumNameByteCount)
    continues = try reader.optionalUUID()
    isRetired = try reader.flag()
    author = try reader.uuid()
    logicalTime = try reader.logicalTime()
    wallTime = try reader.wallTime()
  }

  func checkFields() throws(DecodingFailure) {
    guard !name.isEmpty else { throw .invalidValue }
    guard name.count <= Self.maximumNameByteCount, platform.count <= Self.maximumNameByteCount else {
      throw .limitExceeded
    }
    try LogicalTime.checkRange(logicalTime.milliseconds)
    try LogicalTime.checkRange(wallTime)
  }
}

extension SettingRecord {
  /// The longest key, in bytes.
  public static let maximumKeyByteCount = 255
  /// The longest value, in bytes.
  public static let maximumValueByteCount = 65_536

  func encode(into writer: inout ByteWriter) {
    writer.bytes(key)
    if let value {
      writer.u8(1)
      writer.bytes(value)
    } else {
      writer.u8(0)
    }
    writer.uuid(device)
    writer.logicalTime(logicalTime)
    writer.zigzag(wallTime)
  }

  init(from reader: inout ByteReader) throws(DecodingFailure) {
    key = try reader.bytes(limit: Self.maximumKeyByteCount)
    value = try reader.flag() ? try reader.bytes(limit: Self.maximumValueByteCount) : nil
    device = try reader.uuid()
    logicalTime = try reader.logicalTime()
    wallTime = try reader.wallTime()
  }

  func checkFields() throws(DecodingFailure) {
    guard !key.isEmpty else { throw .invalidValue }
    guard key.count <= Self.maximumKeyByteCount, value?.count ?? 0 <= Self.maximumValueByteCount else {
      throw .limitExceeded
    }
    try LogicalTime.checkRange(logicalTime.milliseconds)
    try LogicalTime.checkRange(wallTime)
  }
}
