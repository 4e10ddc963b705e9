public import SystemIO
public import VersionStore
import Versioning

/// Makes repositories from remotes.
public enum Clone {
  /// The name by which a cloned repository knows the remote.
  public static let remoteName = Array("origin".utf8)

  /// Makes a repository from a remote, with all its documents, and remembers the remote as `origin`. Nothing is sent.
  ///
  /// Contents are fetched whole even where only metadata is asked for: packs hold both.
  ///
  /// - Parameters:
  ///   - start: an absolute folder that a relative place starts from.
  ///   - progress: is told what it is at.
  ///   - folder: missing or empty, and absolute. Folders above it are made.
  /// - Throws: `.remote` where there is no remote: nothing was made then.
  public static func run(
    from url: RemoteURL, relativeTo start: FilePath, into folder: FilePath, isMetadataOnly: Bool,
    environment: StoreEnvironment, progress: @escaping (ExchangeProgress) -> Void = { _ in }
  ) throws(ExchangeError) -> (repository: Repository, report: ExchangeReport) {
    let remote = url.open(from: start)
    do throws(RemoteError) {
      guard try remote.condition() == .ready else {
        throw .notARemote(place: remote.place, reason: "no remote is there")
      }
    } catch { throw .remote(error) }
    try makeEmptyFolder(folder)
    let repository: Repository
    do throws(RepositoryError) {
      repository = try Repository.create(at: folder, environment: environment).repository
      try repository.setRemotes([RemoteEntry(name: remoteName, url: url.key(from: start))])
      // So that every file is placed, whatever happens in between.
      try repository.store.markUnsettled()
    } catch { throw .repository(error) }
    let session = ExchangeSession(
      repository, with: remote, key: url.key(from: start), options: ExchangeOptions(setsUpRemote: false))
    session.isSending = false
    session.progress = progress
    return (repository, try session.run())
  }

  private static func makeEmptyFolder(_ folder: FilePath) throws(ExchangeError) {
    do throws(SystemError) {
      for made in try FileSystem.makeFolders(at: folder) { try FileSystem.synchronizeFolder(at: made.parent) }
      if try FileSystem.list(folder).isEmpty { return }
    } catch {
      if error.alreadyExists { throw .notEmpty(folder) }
      throw .repository(error.isReadOnly || error.isPermission ? .readOnly(folder) : .system(error))
    }
    throw .notEmpty(folder)
  }
}
