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
