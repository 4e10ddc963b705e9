import SystemIO
public import VersionStore
import Versioning

/// One exchange of a repository with one remote.
public final class ExchangeSession {
  let repository: Repository
  let remote: any Remote
  let key: [UInt8]
  let options: ExchangeOptions
  /// Whether something is sent: a clone only fetches.
  var isSending = true
  /// Is told what the exchange is at, for each piece of a pack, version and file.
  public var progress: (ExchangeProgress) -> Void = { _ in }
  /// Bytes of packs that came, or went, also of those that turned out to be no good.
  var receivedByteCount: UInt64 = 0
  var sendingByteCount: UInt64 = 0

  var report = ExchangeReport()
  var incoming: IncomingFolder?
  /// What the remote holds of each device's log.
  var logs: [DeviceID: RemoteLogState] = [:]
  /// Devices whose logs lack a pack on the remote: another log may bring what replaces it.
  var stalled: Set<DeviceID> = []
  /// Packs that are known to be on the remote.
  var packsThere: Set<RemoteName> = []

  var store: Store { repository.store }

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
    report = ExchangeReport()
    logs = [:]
    packsThere = []
    (receivedByteCount, sendingByteCount) = (0, 0)
    store.absorbing = { [progress] in progress(ExchangeProgress(.takingIn, done: UInt64($0), of: UInt64($1))) }
    defer { store.absorbing = { _, _ in } }
    if options.isDryRun {
      try plan()
      return report
    }
    let lock = try acquireLock()
    defer { lock.release() }
    try prepare()
    for _ in 0...Self.mostRenewals {
      logs = [:]
      // Where somebody else pushed under this identity at the same time, it is done again as another device.
      if try exchange() { break }
    }
    return report
  }

  /// How many times this device may find its identity in use while it pushes.
  private static let mostRenewals = 3

  /// Exchanges once; answers whether that is all, or it has to be done again as another device.
  private func exchange() throws(ExchangeError) -> Bool {
    if options.checksEverything { try attempt { () throws(ExchangeError) in try fetchLost() } }
    let wasUnsettled = try stored { () throws(RepositoryError) in try store.unsettledMark() } != nil
    try absorb()
    try attempt { () throws(ExchangeError) in try fetchAll() }
    try settle(everything: wasUnsettled)
    guard isSending, report.failure == nil else { return true }
    var isDone = true
    try attempt { () throws(ExchangeError) in isDone = try sendAll() }
    return isDone
  }

  // MARK: Steps

  private func acquireLock() throws(ExchangeError) -> FileLock {
    guard let device = store.device else { throw .repository(.readOnly(store.layout.store)) }
    let folder = PrivateLayout(store.layout.privateFolder(of: device))
    let acquired: FileLock?
    do throws(SystemError) {
      acquired = try FileLock.acquire(
        at: folder.exchangeLock, timeoutMilliseconds: store.environment.lockTimeoutMilliseconds)
      if acquired != nil { incoming = try IncomingFolder(at: folder.incoming) }
    } catch { throw .local(error, store) }
    guard let acquired else { throw .busy(folder.exchangeLock) }
    return acquired
  }

  /// Looks whether this is a remote, and sets up an empty one that this device doesn't know.
  private func prepare() throws(ExchangeError) {
    let known = KnownRemotes(store)
    do throws(RemoteError) {
      let condition = try remote.condition()
      let wasKnown = known.contains(key)
      switch condition {
      case .ready: break
      case .unmarked:
        throw .notARemote(
          place: remote.place,
          reason: wasKnown ? "it is not a dver remote any more" : "it holds other files, and no dver-remote")
      case .empty where wasKnown:
        throw .notARemote(place: remote.place, reason: "it is empty, and it was a remote before: is the medium there?")
      case .empty:
        guard options.setsUpRemote else { throw .notARemote(place: remote.place, reason: "nothing is there") }
        if !options.isDryRun { try remote.setUp() }
        report.isNewRemote = true
      }
      if remote.isTree(ofStore: store.layout.store) {
        throw .notARemote(place: remote.place, reason: "it is this repository itself")
      }
    } catch { throw .remote(error) }
    if !options.isDryRun { try stored { () throws(RepositoryError) in try known.remember(key) } }
  }

  /// Takes in what others pushed into this store, and what other devices hold in it.
  private func absorb() throws(ExchangeError) {
    try absorbLogs()
    report.newVersions += try stored { () throws(RepositoryError) in try store.takeOverNeighbours() }
  }

  func absorbLogs() throws(ExchangeError) {
    let absorbed = try stored { () throws(RepositoryError) in
      try store.withLock { () throws(RepositoryError) in try store.absorbLogs() }
    }
    report.newVersions += absorbed.newVersions
    report.warnings.removeAll {
      switch $0 {
      case .waiting, .damagedHere: true
      default: false
      }
    }
    report.warnings += absorbed.waiting.map { .waiting(device: $0.device, number: $0.number) }
    for path in absorbed.damaged where !report.warnings.contains(.damagedHere(path)) {
      report.warnings.append(.damagedHere(path))
    }
  }

  /// Merges and places what came in, now or in an exchange that was interrupted.
  private func settle(everything: Bool) throws(ExchangeError) {
    try stored { () throws(RepositoryError) in
      guard let mark = try store.unsettledMark() else { return }
      var near = report.newVersions
      if everything { near += try store.headsInConflict() }
      var merges: [Version] = []
      let placing: (Int, Int) -> Void = { [progress] in
        progress(ExchangeProgress(.placing, done: UInt64($0), of: UInt64($1)))
      }
      if options.mergesAutomatically {
        merges = try repository.mergeAutomatically(near: near, combinesContents: options.combinesContents)
      }
      report.merges += merges
      report.placement.add(
        everything
          ? try repository.updateAllWorkingFiles(progress: placing)
          : try repository.updateWorkingFiles(near: near + merges, progress: placing))
      // What was not merged now is for an exchange that merges, what could not be placed or was left alone for the next one.
      let isPlaced = report.placement.failed.isEmpty && report.placement.left.isEmpty
      if isPlaced && options.combinesContents && options.mergesAutomatically { try store.settle(mark) }
    }
  }

  /// Runs a step that the remote may break off: what was done by then stays.
  private func attempt(_ body: () throws(ExchangeError) -> Void) throws(ExchangeError) {
    do throws(ExchangeError) { try body() } catch {
      guard case .remote(let failure) = error else { throw error }
      report.failure = failure
    }
  }

  private func plan() throws(ExchangeError) {
    try prepare()
    try fetchAll()
    if isSending { _ = try sendAll() }
  }

  // MARK: Calls

  func stored<Value>(_ body: () throws(RepositoryError) -> Value) throws(ExchangeError) -> Value {
    do throws(RepositoryError) { return try body() } catch { throw .repository(error) }
  }

  func remotely<Value>(_ body: () throws(RemoteError) -> Value) throws(ExchangeError) -> Value {
    do throws(RemoteError) { return try body() } catch { throw .remote(error) }
  }

  func warn(_ warning: ExchangeWarning) {
    if !report.warnings.contains(warning) { report.warnings.append(warning) }
  }
}

/// What a remote holds of a device's log, as far as it is known.
struct RemoteLogState {
  /// Every entry up to this number is there.
  var completeThrough: UInt64 = 0
  /// Other numbers that are there.
  var present: Set<UInt64> = []
  /// Numbers under which something else is there.
  var damaged: Set<UInt64> = []
  /// Whether the remote's log is another one than this store's.
  var isRival = false
}

extension ExchangeError {
  /// A failed call on this store.
  static func local(_ error: SystemError, _ store: Store) -> ExchangeError {
    .repository(error.isReadOnly || error.isPermission ? .readOnly(store.layout.store) : .system(error))
  }
}

extension PlacementReport {
  fileprivate mutating func add(_ other: PlacementReport) {
    replaced += other.replaced
    unlinked += other.unlinked
    created += other.created
    removed += other.removed
    left += other.left.filter { !left.contains($0) }
    unplaced += other.unplaced.filter { !unplaced.contains($0) }
    failed += other.failed.filter { !failed.contains($0) }
    rescued += other.rescued
    displaced += other.displaced
  }
}
