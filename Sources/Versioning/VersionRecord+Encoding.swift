public import Hashing

extension VersionRecord {
  /// All permission bits.
  static let maximumMode: UInt16 = 0o7777

  /// The identity of the record, as ``Record/id`` gives it.
  ///
  /// - Parameter writer: memory for the encoding, which serves one record after the other.
  public func id(encodingWith writer: inout ByteWriter) -> RecordID {
    writer.restart()
    writer.u8(Record.format)
    writer.u8(Record.versionType)
    encode(into: &writer)
    return RecordID(SHA256.hash(writer.bytes))
  }

  func encode(into writer: inout ByteWriter) {
    writer.uuid(document)
    writer.recordIDs(parents)
    writer.bytes(path.bytes)
    writer.u8(kind.rawValue)
    if let content { writer.id(content) }
    writer.varint(size)
    writer.varint(UInt64(mode))
    writer.fileTime(modificationTime)
    writer.logicalTime(logicalTime)
    writer.zigzag(wallTime)
    writer.optionalUUID(device)
    writer.u8(origin.rawValue)
    writer.varint(UInt64(mergeRules))
    writer.bytes(message)
  }

  init(from reader: inout ByteReader) throws(DecodingFailure) {
    document = try reader.uuid()
    parents = try reader.recordIDs(limit: Self.maximumParentCount)
    path = try reader.path()
    kind = try VersionKind(from: &reader)
    content = kind == .deleted ? nil : try reader.id()
    size = try reader.varint(limit: Self.maximumContentByteCount)
    mode = try reader.mode()
    modificationTime = try reader.fileTime()
    logicalTime = try reader.logicalTime()
    wallTime = try reader.wallTime()
    device = try reader.optionalUUID()
    origin = try VersionOrigin(from: &reader)
    mergeRules = UInt32(try reader.varint(limit: UInt64(UInt32.max)))
    message = try reader.bytes(limit: Self.maximumMessageByteCount)
  }

  /// The limits and invariants of docs/format.md, "Version record".
  func checkFields() throws(DecodingFailure) {
    guard parents.count <= Self.maximumParentCount, size <= Self.maximumContentByteCount, mode <= Self.maximumMode,
      message.count <= Self.maximumMessageByteCount
    else { throw .limitExceeded }
    try LogicalTime.checkRange(logicalTime.milliseconds)
    try LogicalTime.checkRange(wallTime)
    guard !path.isReserved, (content == nil) == (kind == .deleted), kind != .deleted || size == 0 else {
      throw .invalidValue
    }
    try checkParents()
    guard isAutomatic == (mergeRules > 0) else { throw .invalidValue }
    guard !isAutomatic || (origin == .merge && parents.count == 2 && message.isEmpty) else { throw .invalidValue }
  }

  private func checkParents() throws(DecodingFailure) {
    guard let first = parents.first, parents.count > 1 else { return }
    let others = Array(parents.dropFirst())
    guard others.isStrictlyAscending, !others.contains(first) else { throw .invalidValue }
  }
}

extension VersionKind {
  init(from reader: inout ByteReader) throws(DecodingFailure) {
    guard let kind = VersionKind(rawValue: try reader.u8()) else { throw .invalidValue }
    self = kind
  }
}

extension VersionOrigin {
  init(from reader: inout ByteReader) throws(DecodingFailure) {
    guard let origin = VersionOrigin(rawValue: try reader.u8()) else { throw .invalidValue }
    self = origin
  }
}
