public import VersionStore

/// One exchange of a repository with one remote.
public final class ExchangeSession {
  let repository: Repository
  let remote: any Remote
  let key: [UInt8]
  let options: ExchangeOptions

  /// - Parameters:
  ///   - remote: used by this session alone while it runs.
  ///   - key: what the device remembers the remote by: ``RemoteURL/key(from:)``.
  public init(
    _ repository: Repository, with remote: any Remote, key: [UInt8], options: ExchangeOptions = ExchangeOptions()
  ) {
    self.repository = repository
    self.remote = remote
    self.key = key
    self.options = options
  }

  /// A session with the remote at a place.
  public convenience init(
    _ repository: Repository, with url: RemoteURL, options: ExchangeOptions = ExchangeOptions()
  ) {
    self.init(repository, with: url.open(from: repository.root), key: url.key(from: repository.root), options: options)
  }

  /// Exchanges records and contents both ways, merges what merges cleanly, and brings unmodified working files up to date.
  ///
  /// - Throws: where nothing was taken in or sent, or this repository's own store failed. What the remote did later is in the
  ///   report (``ExchangeReport/failure``).
  public func run() throws(ExchangeError) -> ExchangeReport {
    throw .notYet(scheme: "file")
  }
}
