public import VersionStore
public import Versioning

/// What came of an exchange, or of what it would do.
public struct ExchangeReport: Sendable {
  /// Log entries: pushes of devices.
  public var fetchedEntries = 0
  public var fetchedBytes: UInt64 = 0
  public var sentEntries = 0
  public var sentBytes: UInt64 = 0
  /// Versions that this device did not know before, without the merges.
  public var newVersions: [Version] = []
  /// Versions that were made by merging.
  public var merges: [Version] = []
  /// What became of the working files.
  public var placement = PlacementReport()
  public var warnings: [ExchangeWarning] = []
  /// Whether the place was empty, and was made a remote.
  public var isNewRemote = false
  /// Why the exchange is not complete, where the remote failed in the middle; what had come by then was taken in.
  public var failure: RemoteError?

  public init() {}

  /// Whether nothing had to be fetched or sent.
  public var isUpToDate: Bool { fetchedEntries == 0 && sentEntries == 0 && sentBytes == 0 }
}
