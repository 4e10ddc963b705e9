public import Hashing

/// What a version is a state of.
public enum VersionKind: UInt8, Hashable, Sendable {
  case file = 1
  case package = 2
  case symbolicLink = 3
  case deleted = 4
}

/// How a version came about.
public enum VersionOrigin: UInt8, Hashable, Sendable {
  case save = 1
  case restore = 2
  /// An automatic merge (R9), or a merge that a person asked for.
  case merge = 3
  case resolve = 4
  case `import` = 5
  case watch = 6
  case delete = 7
  case rename = 8
  case undo = 9
}

/// One saved state of a document, as its immutable record has it.
///
/// Source: docs/format.md, "Version record".
public struct VersionRecord: Hashable, Sendable {
  /// The most parents of a version (R5).
  public static let maximumParentCount = 4096
  /// The longest message, in bytes (R5).
  public static let maximumMessageByteCount = 65_536
  /// The largest content, in bytes (R5).
  public static let maximumContentByteCount: UInt64 = 1 << 53 - 1

  public var document: DocumentID
  /// The version that the working file came from first, the rest ascending (R10).
  public var parents: [RecordID]
  public var path: DocumentPath
  public var kind: VersionKind
  /// The SHA-256 of the file's bytes, of a link's target text, or of a package's manifest; `nil` exactly for a deletion.
  public var content: ObjectID?
  /// The bytes of the content: of a file its length, of a link that of its target, of a package that of its files
  /// together; 0 for a deletion.
  public var size: UInt64
  /// The permission bits, at most 0o7777.
  public var mode: UInt16
  public var modificationTime: FileTime
  public var logicalTime: LogicalTime
  /// When it was saved by that device's clock, in milliseconds since 1970.
  public var wallTime: Int64
  /// `nil` exactly for an automatic merge (R9).
  public var device: DeviceID?
  public var origin: VersionOrigin
  /// The number of the rules of an automatic merge; 0 where a person or an app made the version.
  public var mergeRules: UInt32
  /// UTF-8, not necessarily valid, at most ``maximumMessageByteCount`` bytes.
  public var message: [UInt8]

  public init(
    document: DocumentID, parents: [RecordID], path: DocumentPath, kind: VersionKind, content: ObjectID?, size: UInt64,
    mode: UInt16, modificationTime: FileTime, logicalTime: LogicalTime, wallTime: Int64, device: DeviceID?,
    origin: VersionOrigin, mergeRules: UInt32 = 0, message: [UInt8] = []
  ) {
    self.document = document
    self.parents = parents
    self.path = path
    self.kind = kind
    self.content = content
    self.size = size
    self.mode = mode
    self.modificationTime = modificationTime
    self.logicalTime = logicalTime
    self.wallTime = wallTime
    self.device = device
    self.origin = origin
    self.mergeRules = mergeRules
    self.message = message
  }

  /// Whether the version says that the document is deleted (R11).
  public var isDeletion: Bool { kind == .deleted }

  /// Whether it is an automatic merge (R9).
  public var isAutomatic: Bool { device == nil }
}

/// A version record with its identity.
public struct Version: Hashable, Sendable, Identifiable {
  public let id: RecordID
  public let record: VersionRecord

  /// Pairs a record with an identity that the caller answers for; the identity of a record is ``Record/id``.
  public init(id: RecordID, record: VersionRecord) {
    self.id = id
    self.record = record
  }
}
