internal import CSQLite
public import SystemIO

/// The rebuildable cache of a store: where records and objects lie, the state of documents, what working files are
/// based on, and what this device alone knows. It decides nothing.
///
/// One thread of one process at a time writes; any number of others read, each with a database of its own, and see the
/// state of the last transaction that was complete when theirs began. A transaction that a power cut undoes was only
/// forgotten here: packs and journal have it, and ``absorbedByteCount`` of a pack says how much of it is known.
///
/// Outside ``transaction(_:)`` and ``snapshot(_:)`` every call is a transaction of its own, which costs its locks. Where the file is damaged,
/// calls throw; what SQLite and the checks of rows can't see is a missing row and a wrong place of a record or object,
/// so the caller compares ids.
public final class CatalogDatabase {
  /// Where the rows are kept.
  public enum Placement: Sendable {
    /// In a file, with two more beside it named `-wal` and `-shm`; on a network with one, `-journal`, for a moment.
    case file(FilePath, isOnNetwork: Bool)
    /// In memory, for a medium that can't be written to.
    case memory
  }

  /// How long a call waits for another process's lock before it throws ``CatalogError/busy``.
  static let busyMilliseconds: Int32 = 2000

  let connection: SQLiteConnection
  private let keepsLog: Bool
  public let isInMemory: Bool
  /// How often the write-ahead log was moved into the database by this object.
  private(set) var checkpointCount = 0
  var touches = Touches()
  private var isInBulk = false

  /// Opens the database; creates an empty one where there is none, unless it is only read.
  ///
  /// - Throws: ``CatalogError/unusable(_:)`` where the file is damaged, of another version, or missing and only to be
  ///   read. The caller then deletes it and builds it again.
  public init(_ placement: Placement, isReadOnly: Bool) throws(CatalogError) {
    isInMemory = placement.isMemory
    switch placement {
    case .memory:
      connection = try SQLiteConnection(path: Array(":memory:".utf8), access: .readWrite, busyMilliseconds: 0)
      keepsLog = false
    case .file(let path, let isOnNetwork):
      do {
        connection = try SQLiteConnection(
          path: Self.databaseName(path), access: isReadOnly ? .readOnly : .readWrite,
          busyMilliseconds: Self.busyMilliseconds)
      } catch .system(let code, let message) where isReadOnly && code & 0xFF == SQLITE_CANTOPEN {
        throw .unusable(message)
      }
      keepsLog = !isOnNetwork
    }
    if keepsLog { connection.keepLog() }
    let version = try connection.evaluate("PRAGMA user_version") ?? 0
    if version != CatalogSchema.version {
      guard version == 0 && !isReadOnly || isInMemory else { throw .unusable("schema \(version)") }
      try create()
    }
    if !isReadOnly { try connection.evaluate("PRAGMA synchronous=NORMAL") }
    if !isReadOnly && !keepsLog && !isInMemory { try connection.evaluate("PRAGMA journal_mode=TRUNCATE") }
  }

  /// Whether the file was deleted or replaced since it was opened: what is written here then, nobody else will see.
  ///
  /// Costs a system call. Another process may replace it at any time, unless it is kept from that by a lock.
  public var isDetached: Bool { connection.hasMoved }

  /// Removes the files of a database, which those who have it open go on with alone; that there are none is no error.
  public static func delete(at path: FilePath) throws(SystemError) {
    // The database goes last: a log without it would be applied to the next one.
    for suffix in ["-wal", "-shm", "-journal", ""] {
      guard let file = FilePath(bytes: path.bytes + Array(suffix.utf8)) else { continue }
      do { try FileSystem.remove(at: file) } catch  where error.isNotFound {}
    }
  }

  /// SQLite takes a path that begins with `file:` for a URI, and knows others that begin with a colon.
  static func databaseName(_ path: FilePath) -> [UInt8] {
    path.isAbsolute ? path.bytes : Array("./".utf8) + path.bytes
  }

  private func create() throws(CatalogError) {
    try connection.evaluate("PRAGMA page_size=\(CatalogSchema.pageByteCount)")
    if keepsLog { try connection.evaluate("PRAGMA journal_mode=WAL") }
    try transaction { () throws(CatalogError) in
      // Another process may have created it meanwhile.
      guard try connection.evaluate("PRAGMA user_version") == 0 else { return }
      for statement in CatalogSchema.statements { try connection.evaluate(statement) }
    }
  }

  // MARK: Transactions

  /// Runs the body and makes all its changes visible at once; where it throws, none.
  ///
  /// Within another transaction the body is a part of that. A change is not on stable storage when this returns.
  @discardableResult
  public func transaction<Result>(
    _ body: () throws(CatalogError) -> Result
  ) throws(CatalogError) -> Result {
    try perform(.beginWriting, failure: { $0 }, body)
  }

  /// The same for a body that throws errors of its own; `failure` makes one of a failure to begin or commit.
  @discardableResult
  public func transaction<Result, Failure: Error>(
    failure: (CatalogError) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try perform(.beginWriting, failure: failure, body)
  }

  /// Runs the body on one state of the database whatever others write meanwhile, and faster than call by call.
  @discardableResult
  public func snapshot<Result>(
    _ body: () throws(CatalogError) -> Result
  ) throws(CatalogError) -> Result {
    try perform(.beginReading, failure: { $0 }, body)
  }

  /// The same for a body that throws errors of its own.
  @discardableResult
  public func snapshot<Result, Failure: Error>(
    failure: (CatalogError) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try perform(.beginReading, failure: failure, body)
  }

  private func perform<Result, Failure: Error>(
    _ begin: SQLiteStatement, failure: (CatalogError) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if connection.isInTransaction { return try body() }
    // Another process may have made an index, or dropped it.
    touches = Touches()
    do { try connection.run(begin) } catch { throw failure(error) }
    let result: Result
    do { result = try body() } catch {
      rollBack()
      throw error
    }
    do { try connection.run(.commit) } catch {
      rollBack()
      throw failure(error)
    }
    checkpointIfDue()
    return result
  }

  private func rollBack() {
    // A full disk may have rolled it back already.
    if connection.isInTransaction { try? connection.run(.rollback) }
  }

  private func checkpointIfDue() {
    let frameByteCount = CatalogSchema.pageByteCount + 24
    let limit = isInBulk ? CatalogSchema.bulkCheckpointByteCount : CatalogSchema.checkpointByteCount
    if connection.logFrameCount * frameByteCount >= limit { emptyLog() }
  }

  /// Runs the body, which makes many changes in some transactions: pages that change often are written once for each of
  /// these, and the write-ahead log is moved into the database at the end.
  @discardableResult
  public func inBulk<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    if isInBulk || connection.isInTransaction { return try body() }
    isInBulk = true
    _ = try? connection.evaluate("PRAGMA cache_size=\(CatalogSchema.bulkCacheSize)")
    defer {
      isInBulk = false
      _ = try? connection.evaluate("PRAGMA cache_size=\(CatalogSchema.cacheSize)")
      checkpointIfDue()
    }
    return try body()
  }

  /// Runs the body, outside of a transaction: changes that it makes are on stable storage when they are made.
  ///
  /// For what must be known before something is done that the packs and the journal alone don't tell of.
  @discardableResult
  public func durably<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    precondition(!connection.isInTransaction, "what a transaction began with holds for all of it")
    _ = try? connection.evaluate("PRAGMA synchronous=FULL")
    defer { _ = try? connection.evaluate("PRAGMA synchronous=NORMAL") }
    return try body()
  }

  /// Moves the write-ahead log into the database; closing then removes what stands beside the database.
  ///
  /// Costs three synchronizations. A reader that is in the way is not waited for: then it stays as it is.
  public func emptyLog() {
    guard keepsLog else { return }
    connection.wait(milliseconds: 0)
    connection.checkpoint()
    connection.wait(milliseconds: Self.busyMilliseconds)
    checkpointCount += 1
  }
}

extension CatalogDatabase.Placement {
  fileprivate var isMemory: Bool {
    if case .memory = self { true } else { false }
  }
}
