/// The tables of the database file, checked by their number alone.
enum CatalogSchema {
  /// Counts up with every change of a table, a key or a value; a catalog with another number is built again.
  static let version: Int64 = 5

  /// In bytes. A save changes seven pages whatever their size, so small pages keep the write-ahead log short.
  static let pageByteCount = 512

  /// The write-ahead log is moved into the database when a save leaves it this long. Each time costs three
  /// synchronizations, so it must not come often; every process that opens the catalog reads the whole log.
  static let checkpointByteCount = 94_000

  /// Likewise while many changes are made by one process.
  static let bulkCheckpointByteCount = 64 << 20

  /// What SQLite keeps of the database in memory by itself, and while many changes are made: KiB, as negative numbers.
  static let cacheSize = -2000
  static let bulkCacheSize = -24_000

  /// Where bodies are rows of their own, a body is changed in place, without touching the keys that lead to it.
  static let statements = [
    "CREATE TABLE entry(key BLOB PRIMARY KEY NOT NULL, value NOT NULL) WITHOUT ROWID",
    "CREATE TABLE body(number INTEGER PRIMARY KEY, value BLOB NOT NULL)",
    "PRAGMA user_version = \(version)",
  ]
}
