internal import CSQLite

/// A connection to a database and its prepared statements. One thread at a time.
final class SQLiteConnection {
  enum Access {
    case readOnly
    case readWrite
  }

  /// The frames in the write-ahead log after the last commit of this connection.
  private(set) var logFrameCount = 0
  private var hasEmptiedLog = false

  /// Once for all connections, before the first is opened.
  private static let hasNoStatistics = csqlite_leave_out_statistics() == SQLITE_OK

  private let handle: OpaquePointer
  // Not an array: the first use of another type of array costs a short process several microseconds.
  private let statements: UnsafeMutableBufferPointer<OpaquePointer?>

  /// Opens a database; nothing is read yet.
  ///
  /// - Parameter path: a path, or `:memory:`. A path must not begin with `file:`.
  init(path: [UInt8], access: Access, busyMilliseconds: Int32) throws(CatalogError) {
    _ = Self.hasNoStatistics
    let flags =
      access == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    var opened: OpaquePointer?
    let code = (path + [0]).withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_open_v2($0.baseAddress, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
      }
    }
    guard let opened else { throw .system(code: code, message: "no memory for a database connection") }
    guard code == SQLITE_OK else {
      let error = Self.error(code, of: opened)
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    statements = .allocate(capacity: SQLiteStatement.count)
    statements.initialize(repeating: nil)
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, busyMilliseconds)
    // A length field in a damaged file must not claim the machine's memory.
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 256 << 20)
  }

  deinit {
    for statement in statements { sqlite3_finalize(statement) }
    statements.deallocate()
    // Where nobody else has the database open, closing then removes the empty log and the index to it.
    if hasEmptiedLog && logFrameCount == 0 { _ = csqlite_keep_log_on_close(handle, 0) }
    sqlite3_close_v2(handle)
  }

  /// Leaves the write-ahead log to ``checkpoint()``: neither a commit nor closing moves it into the database.
  func keepLog() {
    _ = csqlite_keep_log_on_close(handle, 1)
    let context = Unmanaged.passUnretained(self).toOpaque()
    // A hook of our own takes the place of the automatic checkpoint.
    _ = sqlite3_wal_hook(
      handle,
      { context, _, _, frameCount in
        guard let context else { return SQLITE_OK }
        Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue().logFrameCount = Int(frameCount)
        return SQLITE_OK
      }, context)
  }

  /// Moves the write-ahead log into the database and empties it; where a reader is in the way, some of it or nothing.
  ///
  /// Only an emptied log tells the next process that it was moved.
  func checkpoint() {
    guard sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) == SQLITE_OK else { return }
    logFrameCount = 0
    hasEmptiedLog = true
  }

  /// How long a call waits for a lock that another connection holds.
  func wait(milliseconds: Int32) {
    sqlite3_busy_timeout(handle, milliseconds)
  }

  /// Whether the file that is open no longer stands at its path.
  var hasMoved: Bool { csqlite_has_moved(handle) != 0 }

  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// The number of the row that was inserted last.
  var lastInsertedNumber: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Runs a statement that is used once, and gives the number in its first column, if it has a row.
  @discardableResult
  func evaluate(_ text: String) throws(CatalogError) -> Int64? {
    let statement = try prepare(text, flags: 0)
    defer { sqlite3_finalize(statement) }
    let code = sqlite3_step(statement)
    guard code == SQLITE_ROW || code == SQLITE_DONE else { throw error(code) }
    return code == SQLITE_ROW ? SQLiteRow(statement: statement).number(0) : nil
  }

  /// Runs a statement and calls the body with each row. The body must not run the same statement.
  func run(
    _ which: SQLiteStatement, _ values: [SQLiteValue] = [], _ body: (SQLiteRow) throws(CatalogError) -> Void = { _ in }
  ) throws(CatalogError) {
    let statement = try cached(which)
    defer { sqlite3_reset(statement) }
    for (index, value) in values.enumerated() { try bind(value, to: statement, at: Int32(index + 1)) }
    while true {
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw error(code) }
      try body(SQLiteRow(statement: statement))
    }
  }

  private func cached(_ which: SQLiteStatement) throws(CatalogError) -> OpaquePointer {
    if let statement = statements[which.rawValue] {
      precondition(sqlite3_stmt_busy(statement) == 0, "a statement is run within its own rows")
      return statement
    }
    let statement = try prepare(which.text, flags: UInt32(SQLITE_PREPARE_PERSISTENT))
    statements[which.rawValue] = statement
    return statement
  }

  private func prepare(_ text: String, flags: UInt32) throws(CatalogError) -> OpaquePointer {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, text, -1, flags, &statement, nil)
    guard code == SQLITE_OK, let statement else { throw error(code) }
    return statement
  }

  private func bind(_ value: SQLiteValue, to statement: OpaquePointer, at index: Int32) throws(CatalogError) {
    let code =
      switch value {
      case .null: sqlite3_bind_null(statement, index)
      case .number(let number): sqlite3_bind_int64(statement, index, number)
      // An array without bytes has no address, which SQLite would take for NULL.
      case .bytes(let bytes) where bytes.isEmpty: sqlite3_bind_zeroblob(statement, index, 0)
      case .bytes(let bytes):
        bytes.withUnsafeBytes {
          csqlite_bind_blob_transient(statement, index, $0.baseAddress, Int32(clamping: $0.count))
        }
      }
    guard code == SQLITE_OK else { throw error(code) }
  }

  private func error(_ code: Int32) -> CatalogError { Self.error(code, of: handle) }

  private static func error(_ code: Int32, of handle: OpaquePointer) -> CatalogError {
    let message = sqlite3_errmsg(handle).map { String(cString: $0) } ?? ""
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: return .busy
    case SQLITE_FULL: return .full
    // SQLITE_ERROR: a table is missing, or is not what it was.
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR: return .unusable(message)
    default: return .system(code: code, message: message)
    }
  }
}
