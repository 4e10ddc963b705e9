/// An entry as it stands in a pack.
public struct PackEntry: Equatable, Sendable {
  /// Where the entry begins, in bytes from the pack's start.
  public let offset: UInt64
  /// The length of the whole entry, checksum included.
  public let byteCount: UInt64
  /// The private mark: the working file at the record's path has this version as its base.
  public let isBaseMark: Bool
  public let content: PackContent

  public init(offset: UInt64, byteCount: UInt64, isBaseMark: Bool, content: PackContent) {
    self.offset = offset
    self.byteCount = byteCount
    self.isBaseMark = isBaseMark
    self.content = content
  }

  /// Where the next entry begins.
  public var end: UInt64 { offset + byteCount }

  public var object: ObjectEntry? { content.object }

  public var record: RecordEntry? { content.record }
}
