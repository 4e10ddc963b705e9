internal import Hashing

/// The rows of the tables `entry` and `body`, without a meaning.
extension CatalogDatabase {
  /// A row of `entry` with the row of `body` that it leads to.
  struct BodyRow {
    let key: [UInt8]
    let number: Int64
    let body: [UInt8]
  }

  /// How many rows a walk has in memory at a time.
  private static let batchCount = 128

  /// Calls the body with each entry in the order of the keys. The body must not use the database.
  func entries(
    in range: KeyRange, limit: Int = .max, _ body: ([UInt8], SQLiteRow) throws(CatalogError) -> Void
  ) throws(CatalogError) {
    try connection.run(.entries, range.values(limit: limit)) { (row) throws(CatalogError) in
      guard let key = row.bytes(0) else { throw .damagedRow(table: "entry") }
      try body(key, row)
    }
  }

  /// The value of a key that has bytes as its value.
  func value(at key: [UInt8], of kind: Keyspace) throws(CatalogError) -> ByteReader? {
    var found: ByteReader?
    try entries(in: KeyRange(of: key)) { (key, row) throws(CatalogError) in
      found = try Self.value(row, at: key, of: kind)
    }
    return found
  }

  /// The value of an entry that has bytes as its value.
  static func value(_ row: SQLiteRow, at key: [UInt8], of kind: Keyspace) throws(CatalogError) -> ByteReader {
    guard let bytes = row.bytes(1) else { throw kind.damage }
    return try kind.decode { () throws(DecodingFailure) in try BodyCheck.opening(bytes, for: key) }
  }

  /// The value of a key that has a number as its value.
  func number(at key: [UInt8], of kind: Keyspace) throws(CatalogError) -> Int64? {
    var found: Int64?
    try entries(in: KeyRange(of: key)) { (_, row) throws(CatalogError) in
      guard let number = row.number(1) else { throw kind.damage }
      found = number
    }
    return found
  }

  /// The entries of a range, with their bodies.
  func bodies(in range: KeyRange, of kind: Keyspace, limit: Int = .max) throws(CatalogError) -> [BodyRow] {
    var rows: [BodyRow] = []
    try connection.run(.bodies, range.values(limit: limit)) { (row) throws(CatalogError) in
      guard let key = row.bytes(0), let number = row.number(1), let body = row.bytes(2) else { throw kind.damage }
      rows.append(BodyRow(key: key, number: number, body: body))
    }
    return rows
  }

  /// Calls the body with each entry of a range and its body; the body may use and change the database.
  func forEachBody<Failure: Error>(
    in range: KeyRange, of kind: Keyspace, failure: (CatalogError) -> Failure,
    _ body: (BodyRow) throws(Failure) -> Void
  ) throws(Failure) {
    var rest = range
    while true {
      let rows: [BodyRow]
      do { rows = try bodies(in: rest, of: kind, limit: Self.batchCount) } catch { throw failure(error) }
      for row in rows { try body(row) }
      guard rows.count == Self.batchCount, let last = rows.last else { return }
      rest.lower = last.key + [0]
    }
  }

  func count(in range: KeyRange) throws(CatalogError) -> Int {
    var count: Int64 = 0
    try connection.run(.countEntries, [.bytes(range.lower), .bytes(range.upper)]) { count = $0.number(0) ?? 0 }
    return Int(count)
  }

  func put(_ key: [UInt8], number: Int64) throws(CatalogError) {
    try connection.run(.putEntry, [.bytes(key), .number(number)])
  }

  func put(_ key: [UInt8], value: [UInt8]) throws(CatalogError) {
    try connection.run(.putEntry, [.bytes(key), .bytes(BodyCheck.sealing(value, for: key))])
  }

  /// Writes a body; `nil` for a new row. Gives the row's number.
  @discardableResult
  func putBody(_ number: Int64?, _ body: [UInt8]) throws(CatalogError) -> Int64 {
    try connection.run(.putBody, [number.map(SQLiteValue.number) ?? .null, .bytes(body)])
    return number ?? connection.lastInsertedNumber
  }

  func remove(_ key: [UInt8]) throws(CatalogError) {
    try connection.run(.removeEntry, [.bytes(key)])
  }

  func remove(_ range: KeyRange) throws(CatalogError) {
    try connection.run(.removeEntries, [.bytes(range.lower), .bytes(range.upper)])
  }

  func removeBody(_ number: Int64) throws(CatalogError) {
    try connection.run(.removeBody, [.number(number)])
  }

  /// The next number of a kind that is never given out twice, from 1.
  func nextNumber(_ counter: Counter) throws(CatalogError) -> Int64 {
    try nextNumbers(counter, count: 1).lowerBound
  }

  func nextNumbers(_ counter: Counter, count: Int64) throws(CatalogError) -> Range<Int64> {
    precondition(count > 0, "at least one number")
    let key = Keyspace.counter.key { $0.u8(counter.rawValue) }
    var last: UInt64 = 0
    if var reader = try value(at: key, of: .counter) {
      last = try Keyspace.counter.decode { () throws(DecodingFailure) in try reader.varint() }
    }
    guard let before = Int64(exactly: last), before <= Int64.max - count - 1 else { throw Keyspace.counter.damage }
    var writer = ByteWriter(capacity: 9)
    writer.varint(UInt64(before + count))
    try put(key, value: writer.bytes)
    return before + 1..<before + count + 1
  }

  enum Counter: UInt8 {
    case packs = 1
    case families = 2
  }
}

extension KeyRange {
  fileprivate func values(limit: Int) -> [SQLiteValue] {
    [.bytes(lower), .bytes(upper), .number(limit == .max ? -1 : Int64(limit))]
  }
}
