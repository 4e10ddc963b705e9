/// The end record, which says where the directory lies; with its 64-bit forms where there are any.
struct ZipEnd {
  let memberCount: UInt64
  let directoryRange: Range<Int>
  /// The end records and the comment.
  let range: Range<Int>
  let commentRange: Range<Int>

  private static let byteCount = 22

  init(_ fields: ZipFields) throws(ZipError) {
    let offset = try Self.find(fields)
    let disks = try (fields.short(at: offset + 4), fields.short(at: offset + 6))
    let counts = try (fields.short(at: offset + 8), fields.short(at: offset + 10))
    commentRange = try fields.range(at: offset + Self.byteCount, UInt64(fields.short(at: offset + 20)))
    var size = UInt64(try fields.word(at: offset + 12))
    var start = UInt64(try fields.word(at: offset + 16))
    var count = UInt64(counts.1)
    var first = offset
    if let end64 = try ZipEnd64(fields, before: offset) {
      guard counts.1 == 0xFFFF || UInt64(counts.1) == end64.memberCount,
        size == 0xFFFF_FFFF || size == end64.directorySize, start == 0xFFFF_FFFF || start == end64.directoryStart,
        disks.0 == 0 || disks.0 == 0xFFFF, disks.1 == 0 || disks.1 == 0xFFFF, counts.0 == counts.1
      else { throw .malformed(offset: offset) }
      (count, size, start, first) = (end64.memberCount, end64.directorySize, end64.directoryStart, end64.offset)
    } else {
      guard disks == (0, 0), counts.0 == counts.1 else { throw .multipleParts }
    }
    memberCount = count
    directoryRange = try fields.range(at: try fields.offset(start, at: offset), size)
    guard directoryRange.upperBound == first else { throw .malformed(offset: offset) }
    range = first..<commentRange.upperBound
  }

  /// The last end record whose comment ends with the archive, or else the last whose comment lies within it.
  private static func find(_ fields: ZipFields) throws(ZipError) -> Int {
    let bytes = fields.bytes
    guard bytes.count >= byteCount else { throw .notAnArchive }
    var other: Int?
    let first = max(0, bytes.count - byteCount - 0xFFFF)
    for offset in (first...(bytes.count - byteCount)).reversed() where bytes[offset] == 0x50 {
      guard try fields.word(at: offset) == ZipSignature.end else { continue }
      let end = offset + byteCount + Int(try fields.short(at: offset + 20))
      if end == bytes.count { return offset }
      if end < bytes.count && other == nil { other = offset }
    }
    guard let other else { throw .notAnArchive }
    return other
  }
}

/// The end record with 64-bit numbers.
private struct ZipEnd64 {
  let offset: Int
  let memberCount: UInt64
  let directorySize: UInt64
  let directoryStart: UInt64

  /// Reads the record that the locator before the end record points at; `nil` if there is no locator.
  init?(_ fields: ZipFields, before end: Int) throws(ZipError) {
    let locator = end - 20
    guard locator >= 0, try fields.word(at: locator) == ZipSignature.locator64 else { return nil }
    guard try fields.word(at: locator + 4) == 0, try fields.word(at: locator + 16) <= 1 else { throw .multipleParts }
    offset = try fields.offset(fields.number(at: locator + 8, 8), at: locator)
    guard try fields.word(at: offset) == ZipSignature.end64 else { throw .malformed(offset: offset) }
    let size = try fields.number(at: offset + 4, 8)
    guard size >= 44, try fields.range(at: offset + 12, size).upperBound == locator else {
      throw .malformed(offset: offset)
    }
    guard try fields.word(at: offset + 16) == 0, try fields.word(at: offset + 20) == 0,
      try fields.number(at: offset + 24, 8) == fields.number(at: offset + 32, 8)
    else { throw .multipleParts }
    memberCount = try fields.number(at: offset + 32, 8)
    directorySize = try fields.number(at: offset + 40, 8)
    directoryStart = try fields.number(at: offset + 48, 8)
  }
}
