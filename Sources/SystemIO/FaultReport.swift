#if DEBUG
  /// What happened in a run of ``FaultInjection``.
  public struct FaultReport {
    /// A system call that was asked for.
    public struct Call: Equatable, Sendable {
      public let function: String
      public let path: FilePath?
    }

    private let session: FaultSession

    init(_ session: FaultSession) {
      self.session = session
    }

    /// Every call in order, failed ones included.
    public var calls: [Call] { session.calls }

    /// Whether the plan came to let a call fail. A loop over call numbers ends where it did not.
    public var isInjected: Bool { session.isInjected }

    /// How many names have appeared, gone or changed that no synchronized folder holds yet.
    public var pendingChangeCount: Int { session.pending.count }

    /// Takes back on disk what a power loss right after the run could take: files opened for writing in the run are cut
    /// to their length at the last successful `fsync` or `fdatasync` (a new one: 0; one from before: its length when it
    /// was first opened), and names that appeared, went or changed without a later `fsync` of their folder are put
    /// back.
    ///
    /// Bytes overwritten in place, attributes and the length before a cut are not put back.
    ///
    /// - Parameter keeping: how many of the changes to names survive, oldest first; see ``pendingChangeCount``.
    public func simulatePowerLoss(keeping: Int = 0) throws(SystemError) {
      try session.loseWhatIsNotDurable(keeping: keeping)
    }
  }
#endif
