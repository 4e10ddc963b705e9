internal import Hashing
public import Versioning

extension CatalogDatabase {
  /// Old operations are removed so many at a time, since that costs a page more than not to.
  private static let pruningStep: Int64 = 16

  /// Adds an operation and gives its sequence number.
  @discardableResult
  public func insertOperation(
    _ operation: UInt8, wallTime: Int64, records: [RecordID], isUndone: Bool = false
  ) throws(CatalogError) -> Int64 {
    try transaction { () throws(CatalogError) in
      let last = try newestSequence()
      guard last < Int64(UInt32.max) else { throw Keyspace.operation.damage }
      try put(
        OperationRow(
          sequence: last + 1, operation: operation, wallTime: wallTime, records: records, isUndone: isUndone))
      return last + 1
    }
  }

  /// The newest operations, newest first.
  public func operations(limit: Int) throws(CatalogError) -> [OperationRow] {
    var operations: [OperationRow] = []
    try entries(in: Keyspace.operation.range, limit: limit) { (key, row) throws(CatalogError) in
      operations.append(try Self.operation(key, row))
    }
    return operations
  }

  /// Marks the newest operation that made this record as its first one.
  ///
  /// - Returns: whether there is one.
  @discardableResult
  public func markUndone(firstRecord: RecordID) throws(CatalogError) -> Bool {
    try transaction { () throws(CatalogError) in
      guard var operation = try operations(limit: .max).first(where: { $0.records.first == firstRecord }) else {
        return false
      }
      operation.isUndone = true
      try put(operation)
      return true
    }
  }

  /// Removes the oldest operations; the newest `count` stay, and for a while up to 15 more.
  public func pruneOperations(keeping count: Int) throws(CatalogError) {
    try transaction { () throws(CatalogError) in
      let newest = try newestSequence()
      let oldestKept = newest - Int64(clamping: max(count, 0)) + 1
      guard newest % Self.pruningStep == 0, oldestKept > 1 else { return }
      try remove(KeyRange(lower: Self.key(oldestKept - 1), upper: Keyspace.operation.range.upper))
    }
  }

  private func newestSequence() throws(CatalogError) -> Int64 { try operations(limit: 1).first?.sequence ?? 0 }

  private func put(_ operation: OperationRow) throws(CatalogError) {
    try put(Self.key(operation.sequence), .bytes(operation.encoded))
  }

  private static func operation(_ key: [UInt8], _ row: SQLiteRow) throws(CatalogError) -> OperationRow {
    guard let value = row.bytes(1) else { throw Keyspace.operation.damage }
    var reader = try Keyspace.operation.reader(of: key)
    return try Keyspace.operation.decode { () throws(DecodingFailure) in
      let sequence = Int64(UInt32.max) - Int64(try reader.bigEndian(byteCount: 4))
      try reader.finish()
      return try OperationRow(sequence: sequence, decoding: value)
    }
  }

  /// The newest comes first.
  private static func key(_ sequence: Int64) -> [UInt8] {
    Keyspace.operation.key { $0.bigEndian(UInt64(UInt32.max) - UInt64(sequence), byteCount: 4) }
  }
}
