extension ZipArchive {
  /// Reads the directory, and for each entry the local header that it points at.
  static func members(_ fields: ZipFields, _ end: ZipEnd) throws(ZipError) -> [ZipMember] {
    var members: [ZipMember] = []
    var names: Set<[UInt8]> = []
    var offset = end.directoryRange.lowerBound
    while offset < end.directoryRange.upperBound {
      let member = try member(fields, offset, within: end.directoryRange)
      guard names.insert(member.name).inserted else { throw .duplicateName(member.name) }
      offset = member.directoryRange.upperBound
      members.append(member)
    }
    guard UInt64(members.count) == end.memberCount else { throw .malformed(offset: end.range.lowerBound) }
    return members
  }

  private static func member(
    _ fields: ZipFields, _ offset: Int, within directory: Range<Int>
  ) throws(ZipError) -> ZipMember {
    guard try fields.word(at: offset) == ZipSignature.directoryEntry else { throw .malformed(offset: offset) }
    let name = try fields.range(at: offset + 46, UInt64(fields.short(at: offset + 28)))
    let extra = try fields.range(at: name.upperBound, UInt64(fields.short(at: offset + 30)))
    let comment = try fields.range(at: extra.upperBound, UInt64(fields.short(at: offset + 32)))
    guard comment.upperBound <= directory.upperBound, !name.isEmpty else { throw .malformed(offset: offset) }
    var numbers = ZipNumbers64(fields, extra: extra)
    let inflated = try numbers.full(fields.word(at: offset + 24), at: offset)
    let stored = try numbers.full(fields.word(at: offset + 20), at: offset)
    let start = try numbers.full(fields.word(at: offset + 42), at: offset)
    guard try fields.short(at: offset + 34) == 0 else { throw .multipleParts }
    var member = ZipMember(
      name: Array(fields.bytes[name]), method: ZipMethod(rawValue: try fields.short(at: offset + 10)),
      flags: ZipFlags(rawValue: try fields.short(at: offset + 8)), versionMadeBy: try fields.short(at: offset + 4),
      versionNeeded: try fields.short(at: offset + 6), modified: try fields.word(at: offset + 12),
      checksum: try fields.word(at: offset + 16), internalAttributes: try fields.short(at: offset + 36),
      externalAttributes: try fields.word(at: offset + 38), extra: Array(fields.bytes[extra]), localExtra: [],
      comment: Array(fields.bytes[comment]), storedByteCount: stored, inflatedByteCount: inflated,
      directoryRange: offset..<comment.upperBound, range: 0..<0, dataRange: 0..<0)
    try readLocalHeader(fields, try fields.offset(start, at: offset), &member)
    return member
  }

  private static func readLocalHeader(
    _ fields: ZipFields, _ offset: Int, _ member: inout ZipMember
  ) throws(ZipError) {
    guard try fields.word(at: offset) == ZipSignature.localHeader else { throw .malformed(offset: offset) }
    let name = try fields.range(at: offset + 30, UInt64(fields.short(at: offset + 26)))
    let extra = try fields.range(at: name.upperBound, UInt64(fields.short(at: offset + 28)))
    guard fields.bytes[name].elementsEqual(member.name), try fields.short(at: offset + 6) == member.flags.rawValue,
      try fields.short(at: offset + 8) == member.method.rawValue
    else { throw .malformed(offset: offset) }
    member.localExtra = Array(fields.bytes[extra])
    member.dataRange = try fields.range(at: extra.upperBound, member.storedByteCount)
    let checksum = try fields.word(at: offset + 14)
    let sizes = try (fields.word(at: offset + 18), fields.word(at: offset + 22))
    var numbers = ZipNumbers64(fields, extra: extra)
    var agrees = checksum == member.checksum
    if let inflated = numbers.fullIfThere(sizes.1), let stored = numbers.fullIfThere(sizes.0) {
      agrees = agrees && inflated == member.inflatedByteCount && stored == member.storedByteCount
    } else {
      agrees = false
    }
    var end = member.dataRange.upperBound
    if member.flags.contains(.hasDescriptor) {
      if let descriptor = descriptorSize(fields, member, mayBe64: sizes == (0xFFFF_FFFF, 0xFFFF_FFFF)) {
        // What the descriptor tells need not be in the header.
        agrees = agrees || (checksum == 0 && sizes == (0, 0)) || sizes == (0xFFFF_FFFF, 0xFFFF_FFFF)
        end += descriptor
      }
    }
    guard agrees else { throw .malformed(offset: offset) }
    member.range = offset..<end
  }

  /// The size of the record behind the data that repeats checksum and sizes, in any of its four forms; `nil` if none is
  /// there.
  private static func descriptorSize(_ fields: ZipFields, _ member: ZipMember, mayBe64: Bool) -> Int? {
    let start = member.dataRange.upperBound
    for byteCount in [4, 8] {
      var record: [UInt8] = []
      record.append(littleEndian: ZipSignature.descriptor)
      record.append(littleEndian: member.checksum)
      if byteCount == 4 {
        guard member.storedByteCount <= 0xFFFF_FFFF, member.inflatedByteCount <= 0xFFFF_FFFF else { continue }
        record.append(littleEndian: UInt32(member.storedByteCount))
        record.append(littleEndian: UInt32(member.inflatedByteCount))
      } else {
        record.append(littleEndian: member.storedByteCount)
        record.append(littleEndian: member.inflatedByteCount)
      }
      for form in [record[...], record[4...]] where fields.bytes[start...].starts(with: form) {
        return form.count
      }
    }
    return nil
  }
}

/// The 64-bit numbers of an extra field, taken in order for the 32-bit ones that are at their greatest.
struct ZipNumbers64 {
  /// Where the next number lies, and where the numbers end.
  private(set) var range: Range<Int>
  private let fields: ZipFields

  /// Finds the field with the numbers; what isn't a list of fields has none.
  init(_ fields: ZipFields, extra: Range<Int>) {
    self.fields = fields
    range = 0..<0
    var offset = extra.lowerBound
    while offset + 4 <= extra.upperBound {
      guard let id = try? fields.short(at: offset), let size = try? fields.short(at: offset + 2) else { return }
      let end = offset + 4 + Int(size)
      guard end <= extra.upperBound else { return }
      if id == 1 {
        range = (offset + 4)..<end
        return
      }
      offset = end
    }
  }

  mutating func fullIfThere(_ value: UInt32) -> UInt64? {
    guard value == 0xFFFF_FFFF else { return UInt64(value) }
    guard range.count >= 8, let full = try? fields.number(at: range.lowerBound, 8) else { return nil }
    range = (range.lowerBound + 8)..<range.upperBound
    return full
  }

  mutating func full(_ value: UInt32, at offset: Int) throws(ZipError) -> UInt64 {
    guard let full = fullIfThere(value) else { throw .malformed(offset: offset) }
    return full
  }
}
