import Hashing
import ObjectStorage

/// Content on its way into a group of entries.
enum StoredContent {
  /// A deletion has none.
  case none
  /// The store has it already, or the group does.
  case present(ObjectID, byteCount: UInt64)
  /// A blob that goes into the same entry as the record which names it.
  case inline(ObjectEntry)

  var id: ObjectID? {
    switch self {
    case .none: nil
    case .present(let id, _): id
    case .inline(let object): object.id
    }
  }

  var byteCount: UInt64 {
    switch self {
    case .none: 0
    case .present(_, let byteCount): byteCount
    case .inline(let object): object.byteCount
    }
  }
}
