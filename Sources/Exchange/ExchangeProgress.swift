/// What an exchange is at, and how far.
public struct ExchangeProgress: Equatable, Sendable {
  public enum Stage: Sendable {
    /// Bytes of packs come from the remote.
    case receiving
    /// Versions of a pack are taken into the catalog.
    case takingIn
    /// Working files are brought up to date.
    case placing
    /// Bytes of packs go to the remote.
    case sending
  }

  public var stage: Stage
  /// Bytes, versions or files.
  public var done: UInt64
  /// `nil` where it is not known before the end: a log is read entry by entry.
  public var total: UInt64?

  public init(_ stage: Stage, done: UInt64, of total: UInt64? = nil) {
    self.stage = stage
    self.done = done
    self.total = total
  }
}
