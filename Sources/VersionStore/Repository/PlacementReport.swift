public import SystemIO
public import Versioning

/// Why a document's current version is not in the folder.
public enum UnplacedReason: UInt8, Sendable {
  /// Another document's path is a part of this one's, or the other way round, and that one is greater (R13).
  case pathInTheWay = 1
  /// The volume takes the name for that of another file.
  case nameTaken = 2
  /// The volume can't hold the name.
  case nameImpossible = 3
  /// The path leads through a symbolic link.
  case behindLink = 4
}

/// What bringing the working files up to date did (R2).
public struct PlacementReport: Sendable {
  public struct Unplaced: Equatable, Sendable {
    public let path: DocumentPath
    public let reason: UnplacedReason
  }

  /// Files that were unmodified and have other content now.
  public var replaced: [DocumentPath] = []
  public var created: [DocumentPath] = []
  public var removed: [DocumentPath] = []
  /// Files with changes that no version holds: they were left alone.
  public var left: [DocumentPath] = []
  public var unplaced: [Unplaced] = []
  /// Versions of files that somebody wrote to at the very moment they were replaced.
  public var rescued: [Version] = []
  /// Files that an interrupted run left, with content that no version holds: where they are now.
  public var displaced: [FilePath] = []

  public init() {}
}
