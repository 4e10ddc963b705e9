internal import Deflate

/// A zip archive in memory, read strictly: what two readers might understand differently is refused.
///
/// Directory, local headers and descriptors must agree, members must not overlap or share a name. Which bytes belong to
/// none of them is told. Reading allocates in proportion to the archive, never by what it claims.
///
/// Source: PKWARE, "APPNOTE.TXT - .ZIP File Format Specification", version 6.3.10.
public struct ZipArchive: Sendable {
  /// The whole archive.
  public let bytes: [UInt8]
  /// In the order of the directory.
  public let members: [ZipMember]
  public let comment: [UInt8]
  /// Bytes before, between and after the records that belong to none, in order.
  public let unaccounted: [Range<Int>]

  /// A member inflates to at most so many times its stored size.
  public static let greatestRatio: UInt64 = 200
  /// A member inflates to less than this.
  static let greatestByteCount = UInt64(Int32.max)

  /// Reads directory and headers, not the contents.
  public init(_ bytes: [UInt8]) throws(ZipError) {
    let fields = ZipFields(bytes: bytes)
    let end = try ZipEnd(fields)
    let members = try Self.members(fields, end)
    unaccounted = try Self.unaccounted(members, end, byteCount: bytes.count)
    self.members = members
    self.bytes = bytes
    comment = Array(bytes[end.commentRange])
  }

  /// Whether bytes begin as an archive with members does.
  public static func isLikely(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x50, 0x4B, 0x03, 0x04])
  }

  /// The member's bytes as they are stored.
  public func stored(_ member: ZipMember) -> ArraySlice<UInt8> {
    bytes[member.dataRange]
  }

  /// The member's bytes, inflated and checked.
  public func content(of member: ZipMember) throws(ZipError) -> [UInt8] {
    guard !member.isEncrypted else { throw .encrypted }
    let content: [UInt8]
    switch member.method {
    case .stored:
      guard member.storedByteCount == member.inflatedByteCount else {
        throw .malformed(offset: member.directoryRange.lowerBound)
      }
      content = Array(bytes[member.dataRange])
    case .deflated: content = try inflated(member)
    case let other: throw .unsupportedMethod(other.rawValue)
    }
    guard CRC32.checksum(content) == member.checksum else { throw .damagedContent }
    return content
  }

  private func inflated(_ member: ZipMember) throws(ZipError) -> [UInt8] {
    let size = member.inflatedByteCount
    guard size / Self.greatestRatio <= member.storedByteCount, size <= Self.greatestByteCount else {
      throw .inflatesTooFar
    }
    let result = bytes[member.dataRange].withUnsafeBufferPointer { stored in
      do throws(DeflateError) {
        let raw = UnsafeRawBufferPointer(stored)
        return Result<[UInt8], ZipError>.success(try Inflater().inflate(raw, byteCount: Int(size)))
      } catch {
        return .failure(.damagedContent)
      }
    }
    return try result.get()
  }

  private static func unaccounted(
    _ members: [ZipMember], _ end: ZipEnd, byteCount: Int
  ) throws(ZipError) -> [Range<Int>] {
    var gaps: [Range<Int>] = []
    var position = 0
    let ranges = members.map(\.range).sorted { $0.lowerBound < $1.lowerBound }
    for range in ranges + [end.directoryRange, end.range] {
      guard position <= range.lowerBound else { throw .overlappingMembers(offset: range.lowerBound) }
      if position < range.lowerBound { gaps.append(position..<range.lowerBound) }
      position = range.upperBound
    }
    if position < byteCount { gaps.append(position..<byteCount) }
    return gaps
  }
}
