import Deflate
import Hashing

/// The bytes of entries.
///
///     entry = u8 head, varint body length, body, u32 CRC-32C over head, length and body
///
/// Source: docs/format.md, "Entries".
extension PackFormat {
  static let baseMarkBit: UInt8 = 0x80
  /// A commit entry has always the same length.
  static let commitByteCount = 7

  enum EntryType {
    static let object: UInt8 = 1
    static let record: UInt8 = 2
    static let recordWithObject: UInt8 = 3
    static let commit: UInt8 = 4
    static let journal: UInt8 = 5
    /// In sealed packs, from version 2 on.
    static let objectsBlock: UInt8 = 6
    static let recordsBlock: UInt8 = 7
  }

  // MARK: Encoding

  /// Encodes an entry.
  ///
  /// - Precondition: an object's data is at hand (`.bytes`); a mark stands on an entry with a record only.
  public static func encodeEntry(_ content: PackContent, isBaseMark: Bool = false) -> [UInt8] {
    let pieces = EntryPieces(content, isBaseMark: isBaseMark)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(pieces.byteCount)
    pieces.append(to: &bytes)
    return bytes
  }

  /// An entry before its pieces are put together, so that an object's data is copied once.
  struct EntryPieces {
    private let front: [UInt8]
    private let data: [UInt8]

    init(_ content: PackContent, isBaseMark: Bool) {
      precondition(!isBaseMark || content.record != nil, "only an entry with a record can be marked")
      let (type, fields) = PackFormat.encodeFields(content)
      data = content.object.map(PackFormat.data) ?? []
      var writer = ByteWriter(capacity: fields.count + 16)
      writer.u8(isBaseMark ? type | baseMarkBit : type)
      writer.varint(UInt64(fields.count + data.count))
      writer.raw(fields)
      front = writer.bytes
    }

    var byteCount: Int { front.count + data.count + 4 }

    func append(to bytes: inout [UInt8]) {
      var checksum = front.withUnsafeBytes { CRC32C.checksum($0) }
      checksum = data.withUnsafeBytes { CRC32C.checksum($0, continuing: checksum) }
      bytes.append(contentsOf: front)
      bytes.append(contentsOf: data)
      withUnsafeBytes(of: checksum.littleEndian) { bytes.append(contentsOf: $0) }
    }
  }

  /// The body of an entry, less an object's data, which comes last.
  private static func encodeFields(_ content: PackContent) -> (type: UInt8, fields: [UInt8]) {
    switch content {
    case .object(let object):
      return (EntryType.object, encodeFields(object))
    case .record(let record):
      return (EntryType.record, encodeRecord(record))
    case .recordWithObject(let record, let object):
      var writer = ByteWriter(capacity: 320)
      writer.bytes(encodeRecord(record))
      writer.raw(encodeFields(object))
      return (EntryType.recordWithObject, writer.bytes)
    case .commit(let operation):
      return (EntryType.commit, [operation.rawValue])
    case .journal(let body):
      return (EntryType.journal, body)
    }
  }

  private static func data(_ object: ObjectEntry) -> [UInt8] {
    guard case .bytes(let data) = object.data else {
      preconditionFailure("an object is written with its data")
    }
    return data
  }

  private static func encodeFields(_ object: ObjectEntry) -> [UInt8] {
    precondition((object.encoding == .delta) == (object.base != nil), "a delta, and nothing else, has a base")
    var writer = ByteWriter(capacity: 64)
    writer.id(object.id)
    writer.u8(object.kind.rawValue << 4 | object.encoding.rawValue)
    writer.varint(object.byteCount)
    switch object.base {
    case .near(let distance):
      precondition(distance > 0, "an entry is not its own base")
      writer.varint(distance)
      writer.varint(UInt64(object.depth))
    case .far(let id):
      writer.varint(0)
      writer.id(id)
      writer.varint(UInt64(object.depth))
    case nil:
      break
    }
    return writer.bytes
  }

  private static func encodeRecord(_ record: RecordEntry) -> [UInt8] {
    var writer = ByteWriter(capacity: 256)
    switch record {
    case .full(let bytes):
      writer.u8(0)
      writer.raw(bytes)
    case .elided(let distance, let depth, let bytes):
      precondition(distance > 0 && depth > 0, "a record is not its own predecessor")
      writer.u8(1)
      writer.varint(distance)
      writer.varint(UInt64(depth))
      writer.raw(bytes)
    case .member: preconditionFailure("a member is written with its block")
    }
    return writer.bytes
  }

  // MARK: Decoding

  /// Decodes the entry that begins at an offset, with its checksum. The data of objects is not copied.
  ///
  /// `bytes` begins where the pack does, and may end anywhere behind the entry.
  public static func decodeEntry(
    in bytes: UnsafeRawBufferPointer, at offset: UInt64
  ) throws(PackFormatError) -> PackEntry {
    let (head, body) = try decodeFrame(in: bytes, at: offset, types: EntryType.object...EntryType.journal)
    do throws(DecodingFailure) {
      let content = try decodeBody(bytes, in: body, type: head & ~baseMarkBit, offset: offset)
      let isMarked = head & baseMarkBit != 0
      guard !isMarked || content.record != nil else { throw .invalidValue }
      return PackEntry(
        offset: offset, byteCount: UInt64(body.upperBound + 4) - offset, isBaseMark: isMarked, content: content)
    } catch {
      throw .malformed(error)
    }
  }

  /// Decodes the record of the entry that begins at an offset, with its checksum, and the id of the object in the same entry.
  ///
  /// - Throws: as ``decodeEntry(in:at:)``; `.inconsistent` where it has no record.
  static func decodeRecordEntry(
    in bytes: UnsafeRawBufferPointer, at offset: UInt64
  ) throws(PackFormatError) -> (record: RecordEntry, content: ObjectID?) {
    let (head, body) = try decodeFrame(in: bytes, at: offset, types: EntryType.object...EntryType.journal)
    do throws(DecodingFailure) {
      switch head & ~baseMarkBit {
      case EntryType.record:
        return (try decodeRecord(bytes, in: body, offset: offset), nil)
      case EntryType.recordWithObject:
        let range = try recordRange(bytes, in: body)
        let record = try decodeRecord(bytes, in: range, offset: offset)
        return (record, try decodeObject(bytes, in: range.upperBound..<body.upperBound, offset: offset).id)
      default: break
      }
    } catch {
      throw .malformed(error)
    }
    throw .inconsistent
  }

  /// The record in the body of an entry with a record and an object.
  private static func recordRange(
    _ bytes: UnsafeRawBufferPointer, in body: Range<Int>
  ) throws(DecodingFailure) -> Range<Int> {
    var reader = RawReader(bytes, in: body)
    let length = try reader.varint()
    guard length <= UInt64(reader.remaining) else { throw .truncated }
    return reader.offset..<reader.offset + Int(length)
  }

  /// Finds the body of the entry that begins at an offset, and checks its checksum.
  static func decodeFrame(
    in bytes: UnsafeRawBufferPointer, at offset: UInt64, types: ClosedRange<UInt8>
  ) throws(PackFormatError) -> (head: UInt8, body: Range<Int>) {
    guard offset < UInt64(bytes.count) else { throw .truncated }
    let start = Int(offset)
    let head: UInt8
    let body: Range<Int>
    do {
      var reader = RawReader(bytes, in: start..<bytes.count)
      head = try reader.u8()
      let type = head & ~baseMarkBit
      guard types ~= type else { throw PackFormatError.unknownEntryType(type) }
      let length = try reader.varint()
      guard length <= UInt64(reader.remaining), reader.remaining - Int(length) >= 4 else {
        throw PackFormatError.truncated
      }
      body = reader.offset..<reader.offset + Int(length)
    } catch let failure as PackFormatError {
      throw failure
    } catch let failure as DecodingFailure {
      throw failure == .truncated ? .truncated : .malformed(failure)
    } catch {
      throw .inconsistent
    }
    let checksum = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: body.upperBound, as: UInt32.self))
    guard CRC32C.checksum(UnsafeRawBufferPointer(rebasing: bytes[start..<body.upperBound])) == checksum else {
      throw .checksum
    }
    return (head, body)
  }

  /// Encodes a block around its body.
  static func encodeBlock(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
    var writer = ByteWriter(capacity: body.count + 16)
    writer.u8(type)
    writer.bytes(body)
    writer.u32(checksum(writer.bytes))
    return writer.bytes
  }

  private static func decodeBody(
    _ bytes: UnsafeRawBufferPointer, in body: Range<Int>, type: UInt8, offset: UInt64
  ) throws(DecodingFailure) -> PackContent {
    switch type {
    case EntryType.object:
      return .object(try decodeObject(bytes, in: body, offset: offset))
    case EntryType.record:
      return .record(try decodeRecord(bytes, in: body, offset: offset))
    case EntryType.recordWithObject:
      let record = try recordRange(bytes, in: body)
      return .recordWithObject(
        try decodeRecord(bytes, in: record, offset: offset),
        try decodeObject(bytes, in: record.upperBound..<body.upperBound, offset: offset))
    case EntryType.commit:
      guard body.count == 1, let operation = PackOperation(rawValue: bytes[body.lowerBound]) else {
        throw .invalidValue
      }
      return .commit(operation)
    default:
      return .journal(Array(bytes[body]))
    }
  }

  private static func decodeObject(
    _ bytes: UnsafeRawBufferPointer, in range: Range<Int>, offset: UInt64
  ) throws(DecodingFailure) -> ObjectEntry {
    var reader = RawReader(bytes, in: range)
    let id = try reader.id()
    let byte = try reader.u8()
    guard let kind = ObjectKind(rawValue: byte >> 4), let encoding = ObjectEncoding(rawValue: byte & 15) else {
      throw .invalidValue
    }
    let byteCount = try reader.varint()
    guard byteCount <= maximumObjectByteCount else { throw .limitExceeded }
    var base: EntryReference?
    var depth: UInt8 = 0
    if encoding == .delta {
      let distance = try reader.varint()
      guard distance <= offset else { throw .invalidValue }
      base = distance > 0 ? .near(distance: distance) : .far(try reader.id())
      depth = try decodeDepth(&reader)
    }
    guard encoding != .raw || UInt64(reader.remaining) == byteCount else { throw .invalidValue }
    return ObjectEntry(
      id: id, kind: kind, encoding: encoding, byteCount: byteCount, base: base, depth: depth,
      data: .stored(UInt64(reader.offset)..<UInt64(reader.end)))
  }

  private static func decodeRecord(
    _ bytes: UnsafeRawBufferPointer, in range: Range<Int>, offset: UInt64
  ) throws(DecodingFailure) -> RecordEntry {
    var reader = RawReader(bytes, in: range)
    switch try reader.u8() {
    case 0:
      guard reader.remaining <= maximumRecordByteCount else { throw .limitExceeded }
      return .full(try reader.raw(UInt64(reader.remaining)))
    case 1:
      let distance = try reader.varint()
      guard distance > 0, distance <= offset else { throw .invalidValue }
      let depth = try decodeDepth(&reader)
      guard reader.remaining <= maximumRecordByteCount else { throw .limitExceeded }
      return .elided(distance: distance, depth: depth, bytes: try reader.raw(UInt64(reader.remaining)))
    default:
      throw .invalidValue
    }
  }

  private static func decodeDepth(_ reader: inout RawReader) throws(DecodingFailure) -> UInt8 {
    let depth = try reader.varint()
    guard depth > 0 else { throw .invalidValue }
    guard let depth = UInt8(exactly: depth) else { throw .limitExceeded }
    return depth
  }
}
