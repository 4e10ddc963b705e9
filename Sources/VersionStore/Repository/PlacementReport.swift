public import SystemIO
public import Versioning

/// Why a document's current version is not in the folder.
public enum UnplacedReason: UInt8, Sendable {
  /// Another document's path is a part of this one's, or the other way round, and that one is greater (R13); or something
  /// that dver did not place is in the way.
  case pathInTheWay = 1
  /// The volume takes the name for that of another file.
  case nameTaken = 2
  /// The volume can't hold the name.
  case nameImpossible = 3
  /// The path leads through a symbolic link.
  case behindLink = 4
  /// The volume holds no symbolic links.
  case kindImpossible = 5
}

/// What bringing the working files up to date did (R2).
public struct PlacementReport: Sendable {
  public struct Unplaced: Equatable, Sendable {
    public let path: DocumentPath
    public let reason: UnplacedReason
  }

  public struct Failure: Equatable, Sendable {
    public let path: DocumentPath
    public let error: RepositoryError
  }

  /// Files that were unmodified and have other content now.
  public var replaced: [DocumentPath] = []
  /// Those of them that had other names in the file system (hard links): these keep the old content.
  public var unlinked: [DocumentPath] = []
  public var created: [DocumentPath] = []
  public var removed: [DocumentPath] = []
  /// Files with changes that no version holds: they were left alone.
  public var left: [DocumentPath] = []
  public var unplaced: [Unplaced] = []
  /// Files that could not be brought up to date, and not seen either: they are as they were.
  public var failed: [Failure] = []
  /// Versions of files that somebody wrote to at the very moment they were replaced.
  public var rescued: [Version] = []
  /// Files that an interrupted run left, with content that no version holds: where they are now.
  public var displaced: [FilePath] = []

  public init() {}
}
