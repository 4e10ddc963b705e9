internal import Hashing
public import Versioning

extension CatalogDatabase {
  /// Adds an operation and gives its sequence number.
  @discardableResult
  public func insertOperation(
    _ operation: UInt8, wallTime: Int64, records: [RecordID], isUndone: Bool = false
  ) throws(CatalogError) -> Int64 {
    try transaction { () throws(CatalogError) in
      let newest = try newestBlock()
      let sequence = (newest?.block.last ?? 0) + 1
      guard sequence <= Int64(UInt32.max) else { throw Keyspace.operation.damage }
      let row = OperationRow(
        sequence: sequence, operation: operation, wallTime: wallTime, records: records, isUndone: isUndone)
      if var newest, !newest.block.isFull {
        newest.block.operations.append(row)
        try putBody(newest.number, newest.block.encoded)
      } else {
        let block = OperationBlock(row)
        try put(Self.key(block.first), number: try putBody(nil, block.encoded))
      }
      return sequence
    }
  }

  /// The newest operations, newest first.
  public func operations(limit: Int) throws(CatalogError) -> [OperationRow] {
    var operations: [OperationRow] = []
    // A block may have one operation only.
    for row in try bodies(in: Keyspace.operation.range, of: .operation, limit: max(limit, 0)) {
      operations += try Self.block(row).operations.reversed().prefix(limit - operations.count)
      if operations.count >= limit { break }
    }
    return operations
  }

  /// Marks the newest operation that made this record as its first one.
  ///
  /// - Returns: whether there is one.
  @discardableResult
  public func markUndone(firstRecord: RecordID) throws(CatalogError) -> Bool {
    try transaction { () throws(CatalogError) in
      for row in try bodies(in: Keyspace.operation.range, of: .operation) {
        var block = try Self.block(row)
        guard let index = block.operations.lastIndex(where: { $0.records.first == firstRecord }) else { continue }
        block.operations[index].isUndone = true
        try putBody(row.number, block.encoded)
        return true
      }
      return false
    }
  }

  /// Removes the oldest operations; the newest `count`, at least one, stay, and up to seven more.
  public func pruneOperations(keeping count: Int) throws(CatalogError) {
    try transaction { () throws(CatalogError) in
      guard let newest = try newestBlock()?.block.last else { return }
      let newestRemoved = newest - Int64(clamping: max(count, 1))
      guard newestRemoved > 0 else { return }
      // The first of these blocks may still be needed for its later operations.
      let old = KeyRange(lower: Self.key(newestRemoved), upper: Keyspace.operation.range.upper)
      for row in try bodies(in: old, of: .operation) where try Self.block(row).last <= newestRemoved {
        try removeBody(row.number)
        try remove(row.key)
      }
    }
  }

  private func newestBlock() throws(CatalogError) -> (number: Int64, block: OperationBlock)? {
    guard let row = try bodies(in: Keyspace.operation.range, of: .operation, limit: 1).first else { return nil }
    return (row.number, try Self.block(row))
  }

  private static func block(_ row: BodyRow) throws(CatalogError) -> OperationBlock {
    var reader = try Keyspace.operation.reader(of: row.key)
    return try Keyspace.operation.decode { () throws(DecodingFailure) in
      let first = Int64(UInt32.max) - Int64(try reader.bigEndian(byteCount: 4))
      try reader.finish()
      return try OperationBlock(first: first, decoding: row.body)
    }
  }

  /// The newest comes first.
  private static func key(_ sequence: Int64) -> [UInt8] {
    Keyspace.operation.key { $0.bigEndian(UInt64(UInt32.max) - UInt64(sequence), byteCount: 4) }
  }
}
