public import SystemIO
import VersionStore

/// A folder as a remote: one of its own, a store, or a repository's folder with the store in it.
public final class DirectoryRemote: Remote {
  /// What a folder may hold and still be empty: what systems put on every volume by themselves.
  private static let systemNames: Set<[UInt8]> = Set(
    [
      "lost+found", "System Volume Information", ".DS_Store", "desktop.ini", "Thumbs.db", ".Trashes", ".fseventsd",
      ".Spotlight-V100",
    ].map { Array($0.utf8) })

  private let root: FilePath
  private var knownTree: FilePath?

  public init(_ root: FilePath) {
    self.root = root
  }

  public var place: String { root.description }

  /// The folder that holds the tree.
  public var tree: FilePath {
    if let knownTree { return knownTree }
    let inner = root.appending(RepositoryLayout.storeName)
    for folder in [root, inner] where isFile(folder.appending(RemoteName.marker.text)) {
      knownTree = folder
      return folder
    }
    return root
  }

  private func isFile(_ path: FilePath) -> Bool {
    (try? FileStatus.of(path))?.kind == .file
  }

  func path(of name: RemoteName) -> FilePath { tree.appending(name.text) }

  // MARK: The place

  public func condition() throws(RemoteError) -> RemoteCondition {
    let marker: [UInt8]
    do { marker = try FileSystem.read(path(of: .marker), limit: 4096) } catch {
      if error.isTooLarge { throw .notARemote(place: place, reason: Self.strangeMarker) }
      guard error.isNotFound else { throw failure(error) }
      return try conditionWithoutMarker()
    }
    if marker == RepositoryLayout.marker { return .ready }
    if marker.starts(with: "dver-remote ".utf8) {
      throw .unsupportedFormat(FilePath.printable(marker.dropFirst(12).prefix { $0 > 32 }))
    }
    throw .notARemote(place: place, reason: Self.strangeMarker)
  }

  private static let strangeMarker = "its dver-remote file holds something else"

  private func conditionWithoutMarker() throws(RemoteError) -> RemoteCondition {
    let entries: [DirectoryEntry]
    do { entries = try FileSystem.list(root) } catch {
      if error.code == Self.notADirectory { throw .notARemote(place: place, reason: "it is no folder") }
      guard error.isNotFound else { throw failure(error) }
      // A folder that can be made in one that is there; more that is missing looks like a volume that isn't mounted.
      guard let parent = try? FileStatus.of(root.parent, followingLinks: true), parent.kind == .folder else {
        throw .unreachable(place: place, reason: "it is not there")
      }
      return .empty
    }
    let isEmpty = entries.allSatisfy {
      Self.systemNames.contains($0.name) || $0.name.starts(with: RepositoryLayout.temporaryPrefix)
        || $0.name.starts(with: ".Trash-".utf8)
    }
    return isEmpty ? .empty : .unmarked
  }

  private static let notADirectory: Int32 = 20

  public func setUp() throws(RemoteError) {
    do {
      if try !FileSystem.makeFolders(at: root).isEmpty { try FileSystem.synchronizeFolder(at: root.parent) }
      try AtomicFile.write(RepositoryLayout.marker, to: root.appending(RemoteName.marker.text))
    } catch { throw failure(error) }
    knownTree = nil
  }

  /// A failed call on the remote, by what it means for a person.
  func failure(_ error: SystemError) -> RemoteError {
    if error.isReadOnly || error.isPermission { return .readOnly(place: place) }
    if error.isNoSpace { return .noSpace(place: place) }
    return .system(error)
  }
}
