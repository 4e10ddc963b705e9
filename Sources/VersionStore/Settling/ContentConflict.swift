public import Versioning

/// A file, link or folder that two versions of a document changed so that somebody has to choose.
public struct ContentConflict: Hashable, Sendable {
  /// Why nothing certain follows from the two sides.
  public enum Reason: String, Hashable, Sendable {
    /// Both changed it.
    case bothChanged = "both-changed"
    /// Both have it, differently, and no common version has.
    case bothAdded = "both-added"
    /// The current version hasn't got it any more, the other changed it.
    case deletedInCurrent = "deleted-in-current"
    /// The other version hasn't got it any more, the current one changed it.
    case deletedInOther = "deleted-in-other"
    /// Both moved it, to different places.
    case movedApart = "moved-apart"
    /// One moved it, the other deleted it.
    case movedAndDeleted = "moved-and-deleted"
    /// One added it to a folder whose entries the other moved away.
    case folderMoved = "folder-moved"
    /// One side has a file where the other has a folder.
    case fileAgainstFolder = "file-against-folder"
    /// One is a file, the other a link or a package.
    case kindsDiffer = "kinds-differ"
  }

  /// The path inside the package; `nil` for what the document itself is.
  public let entry: DocumentPath?
  public let reason: Reason
  /// What the three versions have; `nil` where one has nothing, or a package.
  public let base: PackageEntry?
  public let current: PackageEntry?
  public let other: PackageEntry?

  init(
    _ entry: DocumentPath?, _ reason: Reason, base: PackageEntry?, current: PackageEntry?, other: PackageEntry?
  ) {
    self.entry = entry
    self.reason = reason
    self.base = base
    self.current = current
    self.other = other
  }

  /// Whether both sides are files, which a tool, or somebody hunk by hunk, can put together.
  public var isOfFiles: Bool {
    [.bothChanged, .bothAdded].contains(reason) && current?.kind == .file && other?.kind == .file
      && (base == nil || base?.kind == .file)
  }
}
