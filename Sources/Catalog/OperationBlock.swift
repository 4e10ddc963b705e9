internal import Hashing
internal import Versioning

/// Successive operations that share a row, so that each new one changes one page and old ones go many at a time.
///
/// The body: `varint` count and for each operation `u8 operation, u8 1 where undone, zigzag wall time, records`, and the
/// check, which covers the first sequence number.
struct OperationBlock {
  /// Beyond either of these the next operation begins another block.
  private static let operationCount = 8
  private static let byteCount = 384

  /// In the order in which they were done; not empty.
  var operations: [OperationRow]

  var first: Int64 { operations[0].sequence }

  var last: Int64 { operations[operations.count - 1].sequence }

  var isFull: Bool { operations.count >= Self.operationCount || encoded.count >= Self.byteCount }

  var encoded: [UInt8] {
    var writer = ByteWriter(capacity: 512)
    writer.varint(UInt64(operations.count))
    for operation in operations {
      writer.u8(operation.operation)
      writer.u8(operation.isUndone ? 1 : 0)
      writer.zigzag(operation.wallTime)
      writer.recordIDs(operation.records)
    }
    return BodyCheck.sealing(writer.bytes, for: Self.owner(first))
  }

  init(_ operation: OperationRow) {
    operations = [operation]
  }

  init(first: Int64, decoding body: [UInt8]) throws(DecodingFailure) {
    var reader = try BodyCheck.opening(body, for: Self.owner(first))
    let count = try reader.varint(limit: UInt64(Self.operationCount))
    guard count > 0 else { throw .invalidValue }
    operations = []
    for place in 0..<Int64(count) {
      let operation = try reader.u8()
      let undone = try reader.u8()
      guard undone < 2 else { throw .invalidValue }
      operations.append(
        OperationRow(
          sequence: first + place, operation: operation, wallTime: try reader.zigzag(),
          records: try reader.recordIDs(), isUndone: undone == 1))
    }
    try reader.finish()
  }

  private static func owner(_ first: Int64) -> [UInt8] {
    var writer = ByteWriter(capacity: 8)
    writer.u64(UInt64(bitPattern: first))
    return writer.bytes
  }
}
