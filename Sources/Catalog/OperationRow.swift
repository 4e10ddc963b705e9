internal import Hashing
public import Versioning

/// One thing that this device did.
public struct OperationRow: Hashable, Sendable {
  /// Counts up from 1 in one catalog.
  public let sequence: Int64
  /// What was done, as the commit entries of packs have it.
  public let operation: UInt8
  /// In milliseconds since 1970.
  public let wallTime: Int64
  /// What it made, in order.
  public let records: [RecordID]
  public var isUndone: Bool

  public init(sequence: Int64, operation: UInt8, wallTime: Int64, records: [RecordID], isUndone: Bool) {
    self.sequence = sequence
    self.operation = operation
    self.wallTime = wallTime
    self.records = records
    self.isUndone = isUndone
  }
}

/// The value of an operation: `u8 operation, u8 1 where undone, zigzag wall time, records`.
extension OperationRow {
  var encoded: [UInt8] {
    var writer = ByteWriter(capacity: 64)
    writer.u8(operation)
    writer.u8(isUndone ? 1 : 0)
    writer.zigzag(wallTime)
    writer.recordIDs(records)
    return writer.bytes
  }

  init(sequence: Int64, decoding bytes: [UInt8]) throws(DecodingFailure) {
    var reader = ByteReader(bytes)
    let operation = try reader.u8()
    let undone = try reader.u8()
    guard undone < 2 else { throw .invalidValue }
    let wallTime = try reader.zigzag()
    let records = try reader.recordIDs()
    try reader.finish()
    self.init(
      sequence: sequence, operation: operation, wallTime: wallTime, records: records, isUndone: undone == 1)
  }
}
