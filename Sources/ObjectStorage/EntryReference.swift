public import Hashing

/// How an entry names the object that it is stored against.
///
/// Source: docs/format.md, "Entries".
public enum EntryReference: Equatable, Sendable {
  /// The entry that begins so many bytes, at least 1, before the beginning of this one in the same pack.
  case near(distance: UInt64)
  /// An object of an older pack of the same device.
  case far(ObjectID)
}
