public import Hashing

/// What an entry of a package is.
public enum PackageEntryKind: UInt8, Hashable, Sendable {
  case file = 1
  case symbolicLink = 3
  /// An empty folder.
  case folder = 5
}

/// One file, link or empty folder of a package.
public struct PackageEntry: Hashable, Sendable {
  /// Relative to the package.
  public var path: DocumentPath
  public var kind: PackageEntryKind
  /// The permission bits, at most 0o7777.
  public var mode: UInt16
  public var modificationTime: FileTime
  /// The SHA-256 of the file's bytes or the link's target text; `nil` exactly for a folder.
  public var content: ObjectID?
  /// The bytes of the content; 0 for a folder.
  public var size: UInt64

  public init(
    path: DocumentPath, kind: PackageEntryKind, mode: UInt16, modificationTime: FileTime, content: ObjectID?,
    size: UInt64
  ) {
    self.path = path
    self.kind = kind
    self.mode = mode
    self.modificationTime = modificationTime
    self.content = content
    self.size = size
  }
}
