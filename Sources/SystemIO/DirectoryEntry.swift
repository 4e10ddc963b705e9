/// A name in a folder.
public struct DirectoryEntry: Hashable, Sendable {
  public let name: [UInt8]
  /// `nil` where the file system does not tell without another call.
  public let kind: FileKind?

  public init(name: [UInt8], kind: FileKind?) {
    self.name = name
    self.kind = kind
  }
}
