public import SystemIO
public import VersionStore

/// Why an exchange could not take place.
public enum ExchangeError: Error, Equatable, Sendable {
  /// The remote, before anything was taken in or sent.
  case remote(RemoteError)
  /// The store of this repository.
  case repository(RepositoryError)
  /// The text is no place of a remote.
  case invalidURL(String)
  /// A kind of remote that is recognised, but not there yet, such as `ssh`.
  case notYet(scheme: String)
  /// The folder to clone into holds something.
  case notEmpty(FilePath)
  /// Another exchange of this device is running.
  case busy(FilePath)
}
