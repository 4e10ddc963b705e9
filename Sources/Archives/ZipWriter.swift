internal import Deflate

/// Puts a zip archive together from members copied out of others and from new ones.
///
/// The result is a function of the parts alone: contents are compressed by ``ReproducibleDeflater`` at level 6.
public struct ZipWriter {
  private var bytes: [UInt8] = []
  private var directory: [UInt8] = []
  private var memberCount = 0

  public init() {}

  /// Appends a member as it lies in an archive: header, stored bytes and descriptor are the same bytes.
  public mutating func append(_ member: ZipMember, of archive: ZipArchive) throws(ZipError) {
    let offset = bytes.count
    var entry = ZipFields(bytes: Array(archive.bytes[member.directoryRange]))
    let extraStart = 46 + member.name.count
    var numbers = ZipNumbers64(entry, extra: extraStart..<(extraStart + member.extra.count))
    _ = try numbers.full(entry.word(at: 24), at: 0)
    _ = try numbers.full(entry.word(at: 20), at: 0)
    var record = entry.bytes
    if try entry.word(at: 42) == 0xFFFF_FFFF {
      guard numbers.range.count >= 8 else { throw .malformed(offset: member.directoryRange.lowerBound) }
      record.replace(at: numbers.range.lowerBound, littleEndian: UInt64(offset))
    } else {
      guard offset < 0xFFFF_FFFF else { throw .tooLong }
      record.replace(at: 42, littleEndian: UInt32(offset))
    }
    entry = ZipFields(bytes: record)
    directory += entry.bytes
    bytes += archive.bytes[member.range]
    memberCount += 1
  }

  /// Appends a member with a content; method, time, attributes and extra fields are taken from the member as it is given,
  /// sizes and checksum from the content.
  ///
  /// The sizes stand in the header, no descriptor follows. A method other than stored and deflated becomes deflated.
  public mutating func append(_ member: ZipMember, content: [UInt8]) throws(ZipError) {
    let offset = bytes.count
    guard content.count <= Int(Int32.max), offset < 0xFFFF_FFFF, member.name.count <= 0xFFFF,
      member.comment.count <= 0xFFFF
    else { throw .tooLong }
    let isStored = member.method == .stored
    guard isStored || ReproducibleDeflater.givesKnownAnswers(for: DeflateSettings(level: 6)) else {
      throw .wrongEncoder
    }
    let stored = isStored ? content : Self.deflated(content)
    let flags = member.flags.subtracting([.hasDescriptor, .encrypted, .stronglyEncrypted, .maskedHeaders])
    var common: [UInt8] = []
    common.append(littleEndian: member.versionNeeded)
    common.append(littleEndian: flags.rawValue)
    common.append(littleEndian: (isStored ? ZipMethod.stored : .deflated).rawValue)
    common.append(littleEndian: member.modified)
    common.append(littleEndian: CRC32.checksum(content))
    common.append(littleEndian: UInt32(truncatingIfNeeded: stored.count))
    common.append(littleEndian: UInt32(truncatingIfNeeded: content.count))
    common.append(littleEndian: UInt16(member.name.count))

    let localExtra = Self.withoutNumbers(member.localExtra)
    bytes.append(littleEndian: ZipSignature.localHeader)
    bytes += common
    bytes.append(littleEndian: UInt16(localExtra.count))
    bytes += member.name
    bytes += localExtra
    bytes += stored

    let extra = Self.withoutNumbers(member.extra)
    directory.append(littleEndian: ZipSignature.directoryEntry)
    directory.append(littleEndian: member.versionMadeBy)
    directory += common
    directory.append(littleEndian: UInt16(extra.count))
    directory.append(littleEndian: UInt16(member.comment.count))
    directory.append(littleEndian: 0 as UInt16)
    directory.append(littleEndian: member.internalAttributes)
    directory.append(littleEndian: member.externalAttributes)
    directory.append(littleEndian: UInt32(truncatingIfNeeded: offset))
    directory += member.name
    directory += extra
    directory += member.comment
    memberCount += 1
  }

  /// The archive with its directory and a comment.
  public consuming func finish(comment: [UInt8] = []) throws(ZipError) -> [UInt8] {
    let start = bytes.count
    guard start + directory.count < 0xFFFF_FFFF, comment.count <= 0xFFFF else { throw .tooLong }
    let size = directory.count
    bytes += directory
    if memberCount >= 0xFFFF { appendEnd64(start: start, size: size) }
    let count = UInt16(min(memberCount, 0xFFFF))
    bytes.append(littleEndian: ZipSignature.end)
    bytes.append(littleEndian: 0 as UInt32)
    bytes.append(littleEndian: count)
    bytes.append(littleEndian: count)
    bytes.append(littleEndian: UInt32(truncatingIfNeeded: size))
    bytes.append(littleEndian: UInt32(truncatingIfNeeded: start))
    bytes.append(littleEndian: UInt16(comment.count))
    return bytes + comment
  }

  private mutating func appendEnd64(start: Int, size: Int) {
    let offset = bytes.count
    bytes.append(littleEndian: ZipSignature.end64)
    bytes.append(littleEndian: 44 as UInt64)
    bytes.append(littleEndian: 45 as UInt16)
    bytes.append(littleEndian: 45 as UInt16)
    bytes.append(littleEndian: 0 as UInt64)
    bytes.append(littleEndian: UInt64(memberCount))
    bytes.append(littleEndian: UInt64(memberCount))
    bytes.append(littleEndian: UInt64(size))
    bytes.append(littleEndian: UInt64(start))
    bytes.append(littleEndian: ZipSignature.locator64)
    bytes.append(littleEndian: 0 as UInt32)
    bytes.append(littleEndian: UInt64(offset))
    bytes.append(littleEndian: 1 as UInt32)
  }

  private static func deflated(_ content: [UInt8]) -> [UInt8] {
    content.withUnsafeBytes { ReproducibleDeflater().deflate($0) }
  }

  /// Extra fields without the 64-bit sizes, which new headers don't need. What is no list of fields is left as it is.
  private static func withoutNumbers(_ extra: [UInt8]) -> [UInt8] {
    let range = ZipNumbers64(ZipFields(bytes: extra), extra: extra.indices).range
    guard range.lowerBound >= 4 else { return extra }
    return Array(extra[..<(range.lowerBound - 4)] + extra[range.upperBound...])
  }
}

extension ZipMember {
  /// A member to be written, of the earliest date that the format has.
  public init(name: [UInt8], method: ZipMethod = .deflated, modified: UInt32 = 0x0021_0000) {
    self.init(
      name: name, method: method, flags: name.allSatisfy { $0 < 0x80 } ? [] : .isUTF8, versionMadeBy: 20,
      versionNeeded: method == .stored ? 10 : 20, modified: modified, checksum: 0, internalAttributes: 0,
      externalAttributes: 0, extra: [], localExtra: [], comment: [], storedByteCount: 0, inflatedByteCount: 0,
      directoryRange: 0..<0, range: 0..<0, dataRange: 0..<0)
  }
}
