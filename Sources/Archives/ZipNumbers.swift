/// The numbers that the records of an archive tell of a member's data.
public struct ZipNumbers: Hashable, Sendable {
  public var checksum: UInt32
  public var storedByteCount: UInt64
  public var inflatedByteCount: UInt64

  public init(checksum: UInt32, storedByteCount: UInt64, inflatedByteCount: UInt64) {
    self.checksum = checksum
    self.storedByteCount = storedByteCount
    self.inflatedByteCount = inflatedByteCount
  }

  init(_ member: ZipMember) {
    self.init(
      checksum: member.checksum, storedByteCount: member.storedByteCount,
      inflatedByteCount: member.inflatedByteCount)
  }

  /// Whether the sizes fit fields of 32 bits, whose greatest value means that they are elsewhere.
  var isShort: Bool { storedByteCount < 0xFFFF_FFFF && inflatedByteCount < 0xFFFF_FFFF }

  /// Checksum and sizes as records hold them.
  fileprivate var fields: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: checksum)
    bytes.append(littleEndian: UInt32(truncatingIfNeeded: storedByteCount))
    bytes.append(littleEndian: UInt32(truncatingIfNeeded: inflatedByteCount))
    return bytes
  }

  /// The record behind the data in one of its two short forms.
  func descriptor(_ form: ZipSkeleton.Filled) -> [UInt8] {
    guard isShort else { return [] }
    var bytes: [UInt8] = []
    if form.contains(.signedDescriptor) { bytes.append(littleEndian: ZipSignature.descriptor) }
    return bytes + fields
  }
}

extension [UInt8] {
  /// Fills in time, checksum and sizes of the local header at an offset.
  mutating func fillHeader(at offset: Int, modified: UInt32, _ numbers: ZipNumbers) {
    replace(at: offset + 10, littleEndian: modified)
    replaceSubrange(offset + 14..<offset + 26, with: numbers.fields)
  }
}

/// Fills in the directory of an archive and where it begins.
enum ZipDirectoryFill {
  struct Entry {
    var modified: UInt32
    var numbers: ZipNumbers
    var offset: Int
  }

  /// What comes behind the last member, with an entry for each one in order, and the end record directly behind them.
  ///
  /// - Parameters:
  ///   - gap: how many bytes come before the directory.
  ///   - start: where in the archive the directory begins.
  static func filled(_ rest: [UInt8], at gap: Int, _ entries: [Entry], start: Int) throws(ZipError) -> [UInt8] {
    let fields = ZipFields(bytes: rest)
    var filled = rest
    var position = try fields.range(at: 0, UInt64(Swift.max(gap, 0))).upperBound
    for entry in entries {
      guard try fields.word(at: position) == ZipSignature.directoryEntry, entry.numbers.isShort,
        entry.offset < 0xFFFF_FFFF
      else { throw .malformed(offset: position) }
      let lengths = try (
        fields.short(at: position + 28), fields.short(at: position + 30), fields.short(at: position + 32)
      )
      let end = try fields.range(
        at: position, 46 + UInt64(lengths.0) + UInt64(lengths.1) + UInt64(lengths.2)
      ).upperBound
      filled.replace(at: position + 12, littleEndian: entry.modified)
      filled.replaceSubrange(position + 16..<position + 28, with: entry.numbers.fields)
      filled.replace(at: position + 42, littleEndian: UInt32(entry.offset))
      position = end
    }
    guard try fields.word(at: position) == ZipSignature.end, start < 0xFFFF_FFFF else {
      throw .malformed(offset: position)
    }
    _ = try fields.word(at: position + 16)
    filled.replace(at: position + 16, littleEndian: UInt32(start))
    return filled
  }
}
