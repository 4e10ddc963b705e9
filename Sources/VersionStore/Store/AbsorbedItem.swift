import Hashing
import ObjectStorage
import Versioning

/// Something that a pack holds, on its way into the catalog.
enum AbsorbedItem {
  case object(ObjectID, offset: UInt64)
  /// The base mark: the working file at the version's path has it as its base.
  case record(IdentifiedRecord, offset: UInt64, isBaseMark: Bool)
  case journal(JournalEntry)
}
