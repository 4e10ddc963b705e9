/// A member of a zip archive as its directory tells of it, and where its bytes lie.
public struct ZipMember: Hashable, Sendable {
  /// The path of the member, bytes as they are; nothing says that it is safe to use as a path.
  public var name: [UInt8]
  public var method: ZipMethod
  public var flags: ZipFlags
  public var versionMadeBy: UInt16
  public var versionNeeded: UInt16
  /// Date and time in the format of MS-DOS, the date in the upper half; the greater is the later.
  public var modified: UInt32
  public var checksum: UInt32
  public var internalAttributes: UInt16
  public var externalAttributes: UInt32
  /// The extra fields of the directory entry.
  public var extra: [UInt8]
  /// The extra fields of the local header, which may be others.
  public var localExtra: [UInt8]
  public var comment: [UInt8]

  public var storedByteCount: UInt64
  public var inflatedByteCount: UInt64

  /// The member's directory entry.
  public internal(set) var directoryRange: Range<Int>
  /// All that belongs to the member outside of the directory: local header, data, descriptor.
  public internal(set) var range: Range<Int>
  /// The stored bytes.
  public internal(set) var dataRange: Range<Int>

  public var isEncrypted: Bool {
    !flags.isDisjoint(with: [.encrypted, .stronglyEncrypted, .maskedHeaders])
  }
}

/// How a member's bytes are stored.
public struct ZipMethod: RawRepresentable, Hashable, Sendable {
  public static let stored = ZipMethod(rawValue: 0)
  public static let deflated = ZipMethod(rawValue: 8)

  public var rawValue: UInt16

  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }
}

/// The general purpose bits of a member.
public struct ZipFlags: OptionSet, Hashable, Sendable {
  public static let encrypted = ZipFlags(rawValue: 1 << 0)
  /// Checksum and sizes come after the data.
  public static let hasDescriptor = ZipFlags(rawValue: 1 << 3)
  public static let isPatch = ZipFlags(rawValue: 1 << 5)
  public static let stronglyEncrypted = ZipFlags(rawValue: 1 << 6)
  /// Name and comment are UTF-8.
  public static let isUTF8 = ZipFlags(rawValue: 1 << 11)
  public static let maskedHeaders = ZipFlags(rawValue: 1 << 13)

  public var rawValue: UInt16

  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }
}
