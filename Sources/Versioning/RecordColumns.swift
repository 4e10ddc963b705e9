public import Hashing

/// Records of a block of a pack, column by column: fields of the same sort lie together, since they compress best so.
///
/// Source: docs/format.md, "Blocks".
public struct RecordColumns {
  private var predecessors = ByteWriter()
  private var contents = ByteWriter()
  private var full = ByteWriter()
  private var parts = ElidedColumns()
  private var lastContent: UInt64 = 0

  /// The records' columns, one behind the other.
  ///
  /// - Parameter contentOffset: where the object of a content stands in the same pack, where it does.
  public static func encode(
    _ records: [IdentifiedRecord], contentOffset: (ObjectID) -> UInt64?
  ) -> [UInt8] {
    var columns = RecordColumns()
    var places: [RecordID: Int] = [:]
    for (place, record) in records.enumerated() {
      columns.add(record.record, at: place, among: records, places, contentOffset)
      places[record.id] = place
    }
    var writer = ByteWriter(capacity: 64 * records.count)
    for column in [columns.predecessors, columns.contents, columns.full] { writer.bytes(column.bytes) }
    for column in columns.parts.writers { writer.bytes(column.bytes) }
    return writer.bytes
  }

  private mutating func add(
    _ record: Record, at place: Int, among records: [IdentifiedRecord], _ places: [RecordID: Int],
    _ contentOffset: (ObjectID) -> UInt64?
  ) {
    guard case .version(let version) = record,
      let earlier = version.parents.first.flatMap({ places[$0] }) ?? (place > 0 ? place - 1 : nil),
      let predecessor = records[earlier].version
    else { return addFull(record) }
    let offset = version.content.flatMap(contentOffset)
    guard let elided = version.elided(against: predecessor, contentInEntry: offset == nil ? nil : version.content),
      parts.add(elided, predecessor: predecessor.record.kind)
    else { return addFull(record) }
    predecessors.varint(UInt64(place - earlier))
    if let offset {
      let difference = Int64(offset) - Int64(lastContent)
      contents.varint(UInt64(bitPattern: difference << 1 ^ difference >> 63) + 1)
      lastContent = offset
    } else {
      contents.u8(0)
    }
  }

  private mutating func addFull(_ record: Record) {
    predecessors.u8(0)
    full.bytes(record.encoded())
  }

  /// Decodes what ``encode(_:contentOffset:)`` gives.
  ///
  /// - Parameter content: gives the id of the object at an offset, or `nil` where there is none.
  public static func decode(
    _ bytes: [UInt8], count: Int, content: (UInt64) -> ObjectID?
  ) throws(DecodingFailure) -> [IdentifiedRecord] {
    var reader = ByteReader(bytes)
    var predecessors = try column(&reader)
    var contents = try column(&reader)
    var full = try column(&reader)
    var parts = try ElidedColumns.Readers(&reader)
    try reader.finish()
    var records: [IdentifiedRecord] = []
    var offset: Int64 = 0
    for place in 0..<count {
      let distance = Int(try predecessors.varint(limit: UInt64(place)))
      guard distance > 0 else {
        let record = try Record(decoding: try full.bytes(limit: Record.maximumByteCount))
        records.append(IdentifiedRecord(id: record.id, record: record))
        continue
      }
      guard let predecessor = records[place - distance].version else { throw .invalidValue }
      let elided = try parts.next(predecessor: predecessor.record.kind)
      var inEntry: ObjectID?
      let coded = try contents.varint()
      if coded > 0 {
        let difference = Int64(bitPattern: (coded - 1) >> 1) ^ -Int64(bitPattern: (coded - 1) & 1)
        let (next, overflow) = offset.addingReportingOverflow(difference)
        guard !overflow, next > 0, let id = content(UInt64(next)) else { throw .invalidValue }
        offset = next
        inEntry = id
      }
      let record = Record.version(
        try VersionRecord.decode(elided: elided, predecessor: predecessor, contentInEntry: inEntry))
      records.append(IdentifiedRecord(id: record.id, record: record))
    }
    for rest in [predecessors, contents, full] { try rest.finish() }
    try parts.finish()
    return records
  }

  fileprivate static func column(_ reader: inout ByteReader) throws(DecodingFailure) -> ByteReader {
    ByteReader(try reader.bytes(limit: reader.remaining))
  }
}

/// The parts of records that are written against a predecessor.
private struct ElidedColumns {
  static let count = 6

  /// What precedes the size, sizes, seconds, nanoseconds, wall times, what follows.
  private(set) var writers = [ByteWriter](repeating: ByteWriter(), count: count)

  /// Adds a record; `false`, and nothing added, where it can't be taken apart.
  mutating func add(_ elided: [UInt8], predecessor: VersionKind) -> Bool {
    var columns = writers
    var reader = ByteReader(elided)
    do throws(DecodingFailure) {
      let (written, kind) = try Self.copyHead(&reader, to: &columns[0], predecessor: predecessor)
      if kind != .deleted { columns[1].varint(try reader.varint()) }
      for place in 2...4 { columns[place].varint(try reader.varint()) }
      try Self.copyTail(&reader, to: &columns[5], written)
      try reader.finish()
    } catch { return false }
    writers = columns
    return true
  }

  private static func copyHead(
    _ reader: inout ByteReader, to writer: inout ByteWriter, predecessor: VersionKind
  ) throws(DecodingFailure) -> (WrittenParts, VersionKind) {
    let written = WrittenParts(rawValue: try reader.varint(limit: WrittenParts.all))
    writer.varint(written.rawValue)
    if written.contains(.parents) {
      let count = try reader.varint(limit: UInt64(VersionRecord.maximumParentCount))
      writer.varint(count)
      writer.raw(try reader.raw(Int(count) * ObjectID.byteCount))
    }
    if written.contains(.document) { writer.raw(try reader.raw(16)) }
    if written.contains(.path) { writer.bytes(try reader.bytes(limit: reader.remaining)) }
    var kind = predecessor
    if written.contains(.kindAndMode) {
      let byte = try reader.u8()
      guard let known = VersionKind(rawValue: byte) else { throw .invalidValue }
      kind = known
      writer.u8(byte)
      writer.varint(try reader.varint())
    }
    if written.contains(.content) { writer.id(try reader.id()) }
    return (written, kind)
  }

  private static func copyTail(
    _ reader: inout ByteReader, to writer: inout ByteWriter, _ written: WrittenParts
  ) throws(DecodingFailure) {
    if written.contains(.logicalTime) {
      writer.varint(try reader.varint())
      writer.varint(try reader.varint())
    }
    if written.contains(.device) {
      let byte = try reader.u8()
      guard byte <= 1 else { throw .invalidValue }
      writer.u8(byte)
      if byte == 1 { writer.raw(try reader.raw(16)) }
    }
    if written.contains(.originAndRules) {
      writer.u8(try reader.u8())
      writer.varint(try reader.varint())
    }
    if written.contains(.message) { writer.bytes(try reader.bytes(limit: reader.remaining)) }
  }

  struct Readers {
    private var readers: [ByteReader] = []

    init(_ reader: inout ByteReader) throws(DecodingFailure) {
      for _ in 0..<count { readers.append(try RecordColumns.column(&reader)) }
    }

    /// The next record as ``VersionRecord/decode(elided:predecessor:contentInEntry:)`` takes it.
    mutating func next(predecessor: VersionKind) throws(DecodingFailure) -> [UInt8] {
      var writer = ByteWriter(capacity: 64)
      let (written, kind) = try copyHead(&readers[0], to: &writer, predecessor: predecessor)
      if kind != .deleted { writer.varint(try readers[1].varint()) }
      for place in 2...4 { writer.varint(try readers[place].varint()) }
      try copyTail(&readers[5], to: &writer, written)
      return writer.bytes
    }

    func finish() throws(DecodingFailure) {
      for reader in readers { try reader.finish() }
    }
  }
}
