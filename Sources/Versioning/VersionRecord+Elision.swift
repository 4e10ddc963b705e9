public import Hashing

/// The parts of a version record that are written where they don't follow from its predecessor.
///
/// Source: docs/format.md, "Version record against a predecessor".
struct WrittenParts: OptionSet {
  let rawValue: UInt64

  static let parents = WrittenParts(rawValue: 1 << 0)
  static let document = WrittenParts(rawValue: 1 << 1)
  static let path = WrittenParts(rawValue: 1 << 2)
  static let kindAndMode = WrittenParts(rawValue: 1 << 3)
  static let content = WrittenParts(rawValue: 1 << 4)
  static let logicalTime = WrittenParts(rawValue: 1 << 5)
  static let device = WrittenParts(rawValue: 1 << 6)
  static let originAndRules = WrittenParts(rawValue: 1 << 7)
  static let message = WrittenParts(rawValue: 1 << 8)

  static let all: UInt64 = 1 << 9 - 1

  /// The parts of a record that don't follow; the content as if the entry had no choice.
  init(_ record: VersionRecord, _ predecessor: Version, contentInEntry: ObjectID?) {
    let earlier = predecessor.record
    var parts: WrittenParts = []
    if record.parents.count != 1 || record.parents[0] != predecessor.id { parts.insert(.parents) }
    if record.document != earlier.document { parts.insert(.document) }
    if record.path != earlier.path { parts.insert(.path) }
    if record.kind != earlier.kind || record.mode != earlier.mode { parts.insert(.kindAndMode) }
    if record.kind != .deleted, record.content != contentInEntry ?? earlier.content { parts.insert(.content) }
    if record.logicalTime != LogicalTime(milliseconds: record.wallTime, counter: 0) { parts.insert(.logicalTime) }
    if record.device != earlier.device { parts.insert(.device) }
    if record.origin != earlier.origin || record.mergeRules != earlier.mergeRules { parts.insert(.originAndRules) }
    if !record.message.isEmpty { parts.insert(.message) }
    self = parts
  }

  init(rawValue: UInt64) { self.rawValue = rawValue }
}

extension FileTime {
  /// Milliseconds since 1970, rounded towards the past: wider than any 64-bit number of seconds needs.
  fileprivate var milliseconds: Int128 { Int128(seconds) * 1000 + Int128(nanoseconds / 1_000_000) }
}

extension VersionRecord {
  /// The record with the fields left out that follow from another version of the same pack.
  ///
  /// - Parameters:
  ///   - predecessor: usually the first parent.
  ///   - contentInEntry: the id of the object in the same pack entry, where there is one.
  /// - Returns: `nil` where a difference doesn't fit 64 bits: then the record is written in full.
  public func elided(against predecessor: Version, contentInEntry: ObjectID?) -> [UInt8]? {
    let earlier = predecessor.record
    let (seconds, overflow) = modificationTime.seconds.subtractingReportingOverflow(earlier.modificationTime.seconds)
    guard !overflow, let delay = Int64(exactly: Int128(wallTime) - modificationTime.milliseconds),
      let growth = Int64(exactly: Int128(size) - Int128(earlier.size))
    else { return nil }
    let parts = WrittenParts(self, predecessor, contentInEntry: contentInEntry)
    var writer = ByteWriter(capacity: 64)
    writer.varint(parts.rawValue)
    if parts.contains(.parents) { writer.recordIDs(parents) }
    if parts.contains(.document) { writer.uuid(document) }
    if parts.contains(.path) { writer.bytes(path.bytes) }
    if parts.contains(.kindAndMode) {
      writer.u8(kind.rawValue)
      writer.varint(UInt64(mode))
    }
    if parts.contains(.content), let content { writer.id(content) }
    if kind != .deleted { writer.zigzag(growth) }
    writer.zigzag(seconds)
    writer.varint(UInt64(modificationTime.nanoseconds))
    writer.zigzag(delay)
    if parts.contains(.logicalTime) { writer.logicalTime(logicalTime) }
    if parts.contains(.device) { writer.optionalUUID(device) }
    if parts.contains(.originAndRules) {
      writer.u8(origin.rawValue)
      writer.varint(UInt64(mergeRules))
    }
    if parts.contains(.message) { writer.bytes(message) }
    return writer.bytes
  }

  /// Decodes what ``elided(against:contentInEntry:)`` gives, with the same predecessor and object.
  ///
  /// Refuses a part that is written though it follows, except the content where the entry has that object, and a record
  /// that breaks a limit or an invariant. The caller checks the id.
  public static func decode(
    elided bytes: [UInt8], predecessor: Version, contentInEntry: ObjectID?
  ) throws(DecodingFailure) -> VersionRecord {
    guard bytes.count <= Record.maximumByteCount else { throw .limitExceeded }
    var reader = ByteReader(bytes)
    let written = WrittenParts(rawValue: try reader.varint(limit: WrittenParts.all))
    let record = try VersionRecord(
      elided: &reader, written: written, predecessor: predecessor, contentInEntry: contentInEntry)
    try reader.finish()
    try record.checkFields()
    var needed = WrittenParts(record, predecessor, contentInEntry: contentInEntry)
    if written.contains(.content), record.content != nil, record.content == contentInEntry { needed.insert(.content) }
    guard written == needed else { throw .invalidValue }
    return record
  }

  private init(
    elided reader: inout ByteReader, written: WrittenParts, predecessor: Version, contentInEntry: ObjectID?
  ) throws(DecodingFailure) {
    self = predecessor.record
    let earlier = predecessor.record
    parents =
      written.contains(.parents) ? try reader.recordIDs(limit: Self.maximumParentCount) : [predecessor.id]
    if written.contains(.document) { document = try reader.uuid() }
    if written.contains(.path) { path = try reader.path() }
    if written.contains(.kindAndMode) {
      kind = try VersionKind(from: &reader)
      mode = try reader.mode()
    }
    content = kind == .deleted ? nil : contentInEntry ?? earlier.content
    if written.contains(.content) { content = try reader.id() }
    size = kind == .deleted ? 0 : try reader.difference(to: Int128(earlier.size))
    let seconds: Int64 = try reader.difference(to: Int128(earlier.modificationTime.seconds))
    modificationTime = try reader.fileTime(seconds: seconds)
    wallTime = try reader.difference(to: modificationTime.milliseconds)
    logicalTime =
      written.contains(.logicalTime) ? try reader.logicalTime() : LogicalTime(milliseconds: wallTime, counter: 0)
    if written.contains(.device) { device = try reader.optionalUUID() }
    if written.contains(.originAndRules) {
      origin = try VersionOrigin(from: &reader)
      mergeRules = UInt32(try reader.varint(limit: UInt64(UInt32.max)))
    }
    message = written.contains(.message) ? try reader.bytes(limit: Self.maximumMessageByteCount) : []
  }
}

extension ByteReader {
  /// The sum of a known number and the signed difference that is read.
  fileprivate mutating func difference<Number: FixedWidthInteger>(
    to earlier: Int128
  ) throws(DecodingFailure) -> Number {
    guard let value = Number(exactly: earlier + Int128(try zigzag())) else { throw .limitExceeded }
    return value
  }
}
