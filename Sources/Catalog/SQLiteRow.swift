internal import CSQLite

/// The row that a statement stands on; valid until the statement goes on.
struct SQLiteRow {
  let statement: OpaquePointer

  /// The bytes of a column, or `nil` where it has none.
  func bytes(_ column: Int32) -> [UInt8]? {
    guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { return nil }
    let count = Int(sqlite3_column_bytes(statement, column))
    guard count > 0, let start = sqlite3_column_blob(statement, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// The number in a column, or `nil` where it has none.
  func number(_ column: Int32) -> Int64? {
    guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else { return nil }
    return sqlite3_column_int64(statement, column)
  }
}

/// What a parameter of a statement is set to.
enum SQLiteValue {
  case null
  case number(Int64)
  case bytes([UInt8])
}
