import Archives
import Deflate
import Hashing

/// The bytes of an archive object.
///
/// Source: docs/format.md, "Archive".
extension ArchiveObject {
  fileprivate enum Bit {
    static let source: UInt8 = 3
    static let header: UInt8 = 1 << 2
    static let signedDescriptor: UInt8 = 1 << 3
    static let descriptor: UInt8 = 1 << 4
    static let gap: UInt8 = 1 << 5
    static let numbers: UInt8 = 1 << 6
  }

  func encoded() -> [UInt8] {
    var writer = ByteWriter(capacity: 64 + items.count * 48)
    writer.u8(Self.format)
    writer.u8(ReproducibleDeflater.version)
    writer.varint(UInt64(byteCount))
    writer.id(skeleton)
    writer.varint(UInt64(skeletonByteCount))
    writer.varint(directoryGap.map { UInt64($0) + 1 } ?? 0)
    writer.varint(UInt64(items.count))
    var modified: UInt32 = 0
    for item in items {
      item.encode(to: &writer, after: modified)
      modified = item.member.modified
    }
    return writer.bytes
  }

  /// Decodes an object and checks every limit; memory is in proportion to the bytes.
  ///
  /// - Throws: `unsupportedFormat` with the number of the form, or of the encoder, that isn't known.
  init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    var reader = ByteReader(bytes)
    for known in [Self.format, ReproducibleDeflater.version] {
      let version = try reader.u8()
      guard version != 0 else { throw .invalidValue }
      guard version <= known else { throw .unsupportedFormat(UInt64(version)) }
    }
    let limit = UInt64(Self.byteCountLimit)
    byteCount = Int(try reader.varint(limit: limit))
    skeleton = try reader.id()
    skeletonByteCount = Int(try reader.varint(limit: UInt64(byteCount)))
    let gap = try reader.varint(limit: UInt64(skeletonByteCount) + 1)
    directoryGap = gap == 0 ? nil : Int(gap) - 1
    let count = try reader.varint()
    // Flags and time at least.
    guard count <= UInt64(reader.remaining / 2) else { throw .truncated }
    items = []
    var modified: UInt32 = 0
    for _ in 0..<count {
      let item = try Item(from: &reader, after: modified, skeletonByteCount: skeletonByteCount)
      modified = item.member.modified
      items.append(item)
    }
    try reader.finish()
    try checkLengths()
  }

  private func checkLengths() throws(DecodingFailure) {
    var stored = UInt64(skeletonByteCount)
    var inflated: UInt64 = 0
    for item in items {
      switch item.source {
      case .skeleton: break
      case .stored(_, let count): stored += UInt64(count)
      case .deflated(_, let count, _): inflated += UInt64(count)
      }
      guard stored <= UInt64(byteCount), inflated <= Self.inflatedByteCountLimit,
        inflated <= UInt64(byteCount) * Self.greatestRatio
      else { throw .limitExceeded }
    }
  }
}

extension ArchiveObject.Item {
  private typealias Bit = ArchiveObject.Bit

  fileprivate func encode(to writer: inout ByteWriter, after modified: UInt32) {
    var flags: UInt8
    switch source {
    case .skeleton: flags = 0
    case .stored: flags = 1
    case .deflated: flags = 2
    }
    if member.filled.contains(.header) { flags |= Bit.header }
    if member.filled.contains(.signedDescriptor) { flags |= Bit.signedDescriptor }
    if member.filled.contains(.descriptor) { flags |= Bit.descriptor }
    if member.gap > 0 { flags |= Bit.gap }
    if numbers != nil { flags |= Bit.numbers }
    writer.u8(flags)
    if member.gap > 0 { writer.varint(UInt64(member.gap)) }
    writer.zigzag(Int64(member.modified) - Int64(modified))
    switch source {
    case .skeleton: writer.varint(UInt64(member.inlineByteCount ?? 0))
    case .stored(let id, let byteCount):
      writer.id(id)
      writer.varint(UInt64(byteCount))
    case .deflated(let id, let byteCount, let recipe):
      writer.id(id)
      writer.varint(UInt64(byteCount))
      recipe.encode(to: &writer, byteCount: byteCount)
    }
    if let numbers {
      writer.u32(numbers.checksum)
      writer.varint(numbers.inflatedByteCount)
    }
  }

  fileprivate init(
    from reader: inout ByteReader, after modified: UInt32, skeletonByteCount: Int
  ) throws(DecodingFailure) {
    let flags = try reader.u8()
    guard flags & 0x80 == 0 else { throw .invalidValue }
    let limit = UInt64(skeletonByteCount)
    var gap = 0
    if flags & Bit.gap != 0 {
      gap = Int(try reader.varint(limit: limit))
      guard gap > 0 else { throw .invalidValue }
    }
    let difference = try reader.zigzag()
    guard abs(difference.clamped) <= Int64(UInt32.max),
      let time = UInt32(exactly: Int64(modified) + difference.clamped)
    else { throw .invalidValue }
    var inlineByteCount: Int?
    switch flags & Bit.source {
    case 0:
      inlineByteCount = Int(try reader.varint(limit: limit))
      source = .skeleton
    case 1:
      let id = try reader.id()
      source = .stored(id, byteCount: Int(try reader.varint(limit: UInt64(ArchiveObject.byteCountLimit))))
    case 2:
      let id = try reader.id()
      let byteCount = Int(try reader.varint(limit: UInt64(ArchiveObject.byteCountLimit)))
      source = .deflated(id, byteCount: byteCount, try DeflateRecipe(from: &reader, byteCount: byteCount))
    default: throw .invalidValue
    }
    var filled: ZipSkeleton.Filled = []
    if flags & Bit.header != 0 { filled.insert(.header) }
    if flags & Bit.signedDescriptor != 0 { filled.insert(.signedDescriptor) }
    if flags & Bit.descriptor != 0 { filled.insert(.descriptor) }
    guard !filled.isSuperset(of: [.signedDescriptor, .descriptor]) else { throw .invalidValue }
    member = ZipSkeleton.Member(gap: gap, filled: filled, modified: time, inlineByteCount: inlineByteCount)
    numbers = nil
    if flags & Bit.numbers != 0 {
      numbers = ArchiveObject.Numbers(checksum: try reader.u32(), inflatedByteCount: try reader.varint())
    }
  }
}

extension Int64 {
  /// Nearer to zero where it is too far from it to be added to anything.
  fileprivate var clamped: Int64 { Swift.max(-(1 << 40), Swift.min(self, 1 << 40)) }
}

/// Settings as one byte, flushes from the last one to the first, so that one at the end is the same whatever the length.
extension DeflateRecipe {
  private static let settingsByNumber: [UInt8: DeflateSettings] = {
    var settings: [UInt8: DeflateSettings] = [0x20: .word, 0x21: .excel]
    for level in 0...9 {
      settings[UInt8(level)] = DeflateSettings(level: level)
      settings[UInt8(0x10 + level)] = DeflateSettings(level: level, memoryLevel: 9)
    }
    return settings
  }()
  private static let flushCountLimit = 1 << 16
  private static let numbersBySettings = Dictionary(
    settingsByNumber.map { ($0.value, $0.key) }, uniquingKeysWith: { Swift.min($0, $1) })

  /// Whether the format has a number for the settings.
  var isStorable: Bool { Self.numbersBySettings[settings] != nil && flushes.count <= Self.flushCountLimit }

  fileprivate func encode(to writer: inout ByteWriter, byteCount: Int) {
    guard let number = Self.numbersBySettings[settings] else { preconditionFailure("settings without a number") }
    writer.u8(number)
    writer.varint(UInt64(flushes.count))
    var end = byteCount
    for flush in flushes.reversed() {
      writer.varint(UInt64(end - flush.position) << 2 | UInt64(flush.kind.rawValue))
      end = flush.position
    }
  }

  fileprivate init(from reader: inout ByteReader, byteCount: Int) throws(DecodingFailure) {
    guard let settings = Self.settingsByNumber[try reader.u8()] else { throw .invalidValue }
    let count = try reader.varint()
    guard count <= UInt64(reader.remaining) else { throw .truncated }
    guard count <= UInt64(Self.flushCountLimit) else { throw .limitExceeded }
    var flushes: [DeflateFlush] = []
    var end = byteCount
    for _ in 0..<count {
      let number = try reader.varint()
      guard let kind = DeflateFlush.Kind(rawValue: UInt8(number & 3)), number >> 2 <= UInt64(end) else {
        throw .invalidValue
      }
      end -= Int(number >> 2)
      flushes.append(DeflateFlush(kind, at: end))
    }
    self.init(settings: settings, flushes: flushes.reversed())
  }
}
