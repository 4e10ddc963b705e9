import Deflate
import Hashing

/// The bytes of a pack's header, footer and index items: pure functions.
///
/// Source: docs/format.md, "Packs".
public enum PackFormat {
  /// The format version of active packs, and the newest that is read; all before it are read too.
  public static let version: UInt16 = 3
  /// The format version of sealed packs.
  public static let sealedVersion: UInt16 = 2
  /// The first version whose packs hold archives.
  public static let archivesVersion: UInt16 = 2
  /// The greatest length of a pack: offsets in an index have 32 bits.
  public static let maximumByteCount: UInt64 = 1 << 32 - 1
  /// The greatest length of one stored object, decoded.
  public static let maximumObjectByteCount: UInt64 = 64 << 20
  /// The greatest length of a stored record.
  public static let maximumRecordByteCount = 1 << 20
  static let headerMagic: [UInt8] = Array("dverpak".utf8) + [0]
  static let footerMagic: [UInt8] = Array("dverend".utf8) + [0]

  // MARK: Header

  public static func encode(_ header: PackHeader) -> [UInt8] {
    var writer = ByteWriter(capacity: header.byteCount)
    writer.raw(headerMagic)
    writer.u16(header.version)
    writer.u8(header.isSealed ? 1 : 0)
    writer.u8(0)
    writer.raw(header.device)
    writer.u32(UInt32(header.replaces.count))
    for pack in header.replaces { writer.id(pack.digest) }
    return checksummed(writer)
  }

  /// Decodes the header at the start of a pack.
  public static func decodeHeader(in bytes: UnsafeRawBufferPointer) throws(PackFormatError) -> PackHeader {
    guard bytes.count >= headerMagic.count else { throw .truncated }
    guard bytes.prefix(headerMagic.count).elementsEqual(headerMagic) else { throw .notAPack }
    do {
      return try decodeHeaderFields(bytes)
    } catch .truncated {
      throw .truncated
    } catch .unsupportedFormat(let version) {
      throw .unsupportedFormat(version: UInt16(truncatingIfNeeded: version))
    } catch .limitExceeded {
      throw .checksum
    } catch {
      throw .malformed(error)
    }
  }

  private static func decodeHeaderFields(_ bytes: UnsafeRawBufferPointer) throws(DecodingFailure) -> PackHeader {
    var reader = RawReader(bytes, in: headerMagic.count..<bytes.count)
    let version = try reader.u16()
    guard (1...Self.version).contains(version) else { throw .unsupportedFormat(UInt64(version)) }
    let isSealed = try reader.u8()
    guard isSealed != 1 || version <= sealedVersion else { throw .unsupportedFormat(UInt64(version)) }
    let reserved = try reader.u8()
    let device = try reader.raw(16)
    let count = Int(try reader.u32())
    guard count <= reader.remaining / ObjectID.byteCount else { throw .truncated }
    var replaces: [PackID] = []
    for _ in 0..<count { replaces.append(PackID(try reader.id())) }
    let checked = UnsafeRawBufferPointer(rebasing: bytes[..<reader.offset])
    // A wrong checksum goes by a name that nothing else here throws.
    guard try reader.u32() == CRC32C.checksum(checked) else { throw .limitExceeded }
    guard isSealed <= 1, reserved == 0, zip(replaces, replaces.dropFirst()).allSatisfy(<) else { throw .invalidValue }
    return PackHeader(isSealed: isSealed == 1, device: device, replaces: replaces, version: version)
  }

  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 { CRC32C.checksum(bytes) }

  static func checksum(_ bytes: [UInt8]) -> UInt32 { bytes.withUnsafeBytes { CRC32C.checksum($0) } }

  private static func checksummed(_ writer: ByteWriter) -> [UInt8] {
    var writer = writer
    writer.u32(checksum(writer.bytes))
    return writer.bytes
  }

  // MARK: Footer and index

  public static func encode(_ footer: PackFooter) -> [UInt8] {
    var writer = ByteWriter(capacity: PackFooter.byteCount)
    writer.u64(footer.recordsOffset)
    writer.u64(footer.indexOffset)
    writer.u32(footer.objectCount)
    writer.u32(footer.recordCount)
    writer.u32(footer.indexChecksum)
    return checksummed(writer) + footerMagic
  }

  /// Decodes the footer at the end of a sealed pack and checks its offsets against the length of the pack.
  public static func decodeFooter(
    in bytes: UnsafeRawBufferPointer, headerByteCount: Int, version: UInt16 = Self.version
  ) throws(PackFormatError) -> PackFooter {
    guard bytes.count >= headerByteCount + PackFooter.byteCount else { throw .truncated }
    let start = bytes.count - PackFooter.byteCount
    guard bytes.suffix(footerMagic.count).elementsEqual(footerMagic) else { throw .truncated }
    var footer: PackFooter
    do {
      var reader = RawReader(bytes, in: start..<bytes.count)
      footer = PackFooter(
        recordsOffset: try reader.u64(), indexOffset: try reader.u64(), objectCount: try reader.u32(),
        recordCount: try reader.u32(), indexChecksum: try reader.u32())
      let checked = UnsafeRawBufferPointer(rebasing: bytes[start..<reader.offset])
      guard try reader.u32() == CRC32C.checksum(checked) else { throw PackFormatError.checksum }
    } catch let failure as PackFormatError {
      throw failure
    } catch {
      throw .truncated
    }
    guard UInt64(headerByteCount) <= footer.recordsOffset, footer.recordsOffset <= footer.indexOffset,
      footer.indexOffset <= UInt64(start), footer.itemsByteCount <= UInt64(start) - footer.indexOffset
    else { throw .inconsistent }
    let blocks = UInt64(start) - footer.indexOffset - footer.itemsByteCount
    guard blocks == 0 || version > 1, blocks.isMultiple(of: UInt64(PackFooter.blockItemByteCount)),
      let count = UInt32(exactly: blocks / UInt64(PackFooter.blockItemByteCount))
    else { throw .inconsistent }
    footer.blockCount = count
    return footer
  }

  /// The part of an index that lists blocks, which come in the order of the pack.
  static func encodeBlocks(_ blocks: [(offset: UInt32, memberCount: Int)]) -> [UInt8] {
    var writer = ByteWriter(capacity: blocks.count * PackFooter.blockItemByteCount)
    for block in blocks {
      writer.u32(block.offset)
      writer.u8(UInt8(block.memberCount - 1))
    }
    return writer.bytes
  }

  /// One part of an index: its items ascending by prefix, then offset.
  static func encodeIndex(_ items: [(prefix: UInt64, offset: UInt32)]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(items.count * PackFooter.indexItemByteCount)
    for item in items.sorted(by: { ($0.prefix, $0.offset) < ($1.prefix, $1.offset) }) {
      withUnsafeBytes(of: item.prefix.bigEndian) { bytes.append(contentsOf: $0) }
      withUnsafeBytes(of: item.offset.littleEndian) { bytes.append(contentsOf: $0) }
    }
    return bytes
  }
}
