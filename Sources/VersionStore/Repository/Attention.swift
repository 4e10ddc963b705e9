import Catalog
import Versioning

/// What a status says of a path whatever its working file holds.
struct Attention {
  let hasConflict: Bool
  /// Whether the working file is not at the document's current version, or not there.
  let isRemoteOnly: Bool

  var isNeeded: Bool { hasConflict || isRemoteOnly }

  init(_ view: PathView, _ row: FileRow?) {
    guard view.current != nil else {
      (hasConflict, isRemoteOnly) = (false, false)
      return
    }
    hasConflict = view.hasConflict
    let isPlaced = row.map { !$0.base.isEmpty && $0.unplacedReason == nil } ?? false
    let isCurrent = row.flatMap { $0.base.first }.map { view.base.contains($0) } ?? false
    isRemoteOnly = !isPlaced || !isCurrent
  }
}
