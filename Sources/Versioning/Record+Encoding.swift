public import Hashing

/// The canonical encoding of records: `u8` format, `u8` type, the fields of the type.
///
/// Source: docs/format.md, "Records".
extension Record {
  /// The format that is written, the only one that is read.
  public static let format: UInt8 = 1
  /// The longest encoding, in bytes (R5).
  public static let maximumByteCount = 1 << 20

  static let versionType: UInt8 = 1

  private var type: UInt8 {
    switch self {
    case .version: Self.versionType
    case .removal: 2
    case .retraction: 3
    case .device: 5
    case .setting: 6
    }
  }

  /// The canonical encoding, whatever the fields hold: see ``validate()``.
  public func encoded() -> [UInt8] {
    var writer = ByteWriter()
    writer.u8(Self.format)
    writer.u8(type)
    switch self {
    case .version(let record): record.encode(into: &writer)
    case .removal(let record): record.encode(into: &writer)
    case .retraction(let record): record.encode(into: &writer)
    case .device(let record): record.encode(into: &writer)
    case .setting(let record): record.encode(into: &writer)
    }
    return writer.bytes
  }

  /// Decodes a canonical encoding; encoding the record again gives the same bytes.
  ///
  /// - Throws: `unsupportedFormat` with the number of a newer format or an unknown type; any other failure where the
  ///   bytes are no valid record.
  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    guard bytes.count <= Self.maximumByteCount else { throw .limitExceeded }
    var reader = ByteReader(bytes)
    let format = try reader.u8()
    guard format == Self.format else { throw .unsupportedFormat(UInt64(format)) }
    let type = try reader.u8()
    switch type {
    case Self.versionType: self = .version(try VersionRecord(from: &reader))
    case 2: self = .removal(try RemovalRecord(from: &reader))
    case 3: self = .retraction(try RetractionRecord(from: &reader))
    case 5: self = .device(try DeviceRecord(from: &reader))
    case 6: self = .setting(try SettingRecord(from: &reader))
    default: throw .unsupportedFormat(UInt64(type))
    }
    try reader.finish()
    try checkFields()
  }

  /// The SHA-256 of the canonical encoding.
  public var id: RecordID { RecordID(SHA256.hash(encoded())) }

  /// The records that have to be there before this one (R6).
  public var named: [RecordID] {
    switch self {
    case .version(let record): record.parents
    case .removal(let record): [record.kept] + record.listed
    case .retraction(let record): record.names
    case .device, .setting: []
    }
  }

  /// Refuses a record that no reader would take.
  public func validate() throws(DecodingFailure) {
    try checkFields()
    guard encoded().count <= Self.maximumByteCount else { throw .limitExceeded }
  }

  private func checkFields() throws(DecodingFailure) {
    switch self {
    case .version(let record): try record.checkFields()
    case .removal(let record): try record.checkFields()
    case .retraction(let record): try record.checkFields()
    case .device(let record): try record.checkFields()
    case .setting(let record): try record.checkFields()
    }
  }
}
