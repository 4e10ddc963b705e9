/// A decoded record with its identity.
public struct IdentifiedRecord: Sendable {
  public let id: RecordID
  public let record: Record

  public init(id: RecordID, record: Record) {
    self.id = id
    self.record = record
  }

  public var version: Version? {
    if case .version(let fields) = record { return Version(id: id, record: fields) }
    return nil
  }
}
