public import SystemIO
public import VersionStore

/// Makes repositories from remotes.
public enum Clone {
  /// Makes a repository from a remote, with all its documents, and remembers the remote.
  ///
  /// - Parameters:
  ///   - text: the remote's place; a relative path starts from `start`.
  ///   - start: an absolute folder.
  ///   - folder: missing or empty, and absolute.
  /// - Throws: `.remote(.notARemote)` where there is none: nothing is set up there.
  public static func run(
    from url: RemoteURL, relativeTo start: FilePath, into folder: FilePath, isMetadataOnly: Bool,
    environment: StoreEnvironment
  ) throws(ExchangeError) -> (repository: Repository, report: ExchangeReport) {
    throw .notEmpty(folder)
  }
}
