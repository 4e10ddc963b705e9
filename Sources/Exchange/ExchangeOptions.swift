/// How to exchange.
public struct ExchangeOptions: Sendable {
  /// Whether both sides' contents are combined where that is certain (R9).
  public var combinesContents: Bool
  /// Whether automatic merges are made at all; what came in unmerged is for an exchange that makes them.
  public var mergesAutomatically: Bool
  /// Only finds out what would be fetched and sent; nothing is written anywhere.
  public var isDryRun: Bool
  /// Whether an empty place that this device never synchronised with is made a remote.
  public var setsUpRemote: Bool
  /// Looks at every file of the remote instead of relying on the newest ones, and puts right what is damaged there.
  public var checksEverything: Bool

  public init(
    combinesContents: Bool = true, mergesAutomatically: Bool = true, isDryRun: Bool = false,
    setsUpRemote: Bool = true, checksEverything: Bool = false
  ) {
    self.combinesContents = combinesContents
    self.mergesAutomatically = mergesAutomatically
    self.isDryRun = isDryRun
    self.setsUpRemote = setsUpRemote
    self.checksEverything = checksEverything
  }
}
