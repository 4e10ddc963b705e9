public import SystemIO

/// A failure of a remote.
public enum RemoteError: Error, Equatable, Sendable {
  /// It is not there, or doesn't answer.
  case unreachable(place: String, reason: String)
  /// The place holds something else, or nothing although it was a remote before.
  case notARemote(place: String, reason: String)
  /// It can only be read.
  case readOnly(place: String)
  /// It did not take a file.
  case refused(RemoteName)
  case noSpace(place: String)
  /// A newer dver wrote it, or its kind isn't supported.
  case unsupportedFormat(String)
  case notFound(RemoteName)
  /// A system call on it failed otherwise.
  case system(SystemError)
}
