/// What an entry of a pack holds.
///
/// Source: docs/format.md, "Entries".
public enum PackContent: Equatable, Sendable {
  case object(ObjectEntry)
  case record(RecordEntry)
  /// A version record and the object that is its content.
  case recordWithObject(RecordEntry, ObjectEntry)
  /// The end of a group.
  case commit(PackOperation)
  /// Private to the device; opaque here.
  case journal([UInt8])

  public var object: ObjectEntry? {
    switch self {
    case .object(let object), .recordWithObject(_, let object): object
    case .record, .commit, .journal: nil
    }
  }

  public var record: RecordEntry? {
    switch self {
    case .record(let record), .recordWithObject(let record, _): record
    case .object, .commit, .journal: nil
    }
  }
}
