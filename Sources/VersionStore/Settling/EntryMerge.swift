import Hashing
import Versioning

/// The three-way merge of one entry of a package: existence, kind, mode and content, each by itself.
enum EntryMerge {
  /// The merge has no such entry.
  case nothing
  case entry(PackageEntry)
  case conflict(ContentConflict.Reason)

  init(
    base: PackageEntry?, ours: PackageEntry?, theirs: PackageEntry?, _ mergeContents: PackageMerge.ContentMerge
  ) {
    switch (ours, theirs) {
    case (nil, nil): self = .nothing
    case (let one?, nil): self = base.map { one.isEqual(to: $0) } ?? false ? .nothing : Self.lacking(base, one, .other)
    case (nil, let one?):
      self = base.map { one.isEqual(to: $0) } ?? false ? .nothing : Self.lacking(base, one, .current)
    case (let ours?, let theirs?): self = Self.merge(base, ours, theirs, mergeContents)
    }
  }

  private enum Side { case current, other }

  /// One side lacks what the other has and did not take over from the base.
  private static func lacking(_ base: PackageEntry?, _ entry: PackageEntry, _ side: Side) -> EntryMerge {
    guard base != nil else { return .entry(entry) }
    return .conflict(side == .current ? .deletedInCurrent : .deletedInOther)
  }

  private static func merge(
    _ base: PackageEntry?, _ ours: PackageEntry, _ theirs: PackageEntry, _ mergeContents: PackageMerge.ContentMerge
  ) -> EntryMerge {
    if ours.isEqual(to: theirs) { return .entry(ours.with(ours.mode, ours.contentAndSize, ours, theirs)) }
    guard let base else { return .conflict(ours.kind == theirs.kind ? .bothAdded : .kindsDiffer) }
    if theirs.isEqual(to: base) { return .entry(ours.with(ours.mode, ours.contentAndSize, ours, theirs)) }
    if ours.isEqual(to: base) { return .entry(theirs.with(theirs.mode, theirs.contentAndSize, ours, theirs)) }
    guard ours.kind == theirs.kind, ours.kind == base.kind else { return .conflict(.kindsDiffer) }
    let mode =
      base.kind == .symbolicLink
      ? ours.mode : PermissionMerge.merged(base: base.mode, ours: ours.mode, theirs: theirs.mode)
    let content: (ObjectID?, UInt64)
    if ours.content == theirs.content || theirs.content == base.content {
      content = ours.contentAndSize
    } else if ours.content == base.content {
      content = theirs.contentAndSize
    } else {
      guard base.kind == .file, let merged = mergeContents(base, ours, theirs) else { return .conflict(.bothChanged) }
      content = (merged.content, merged.size)
    }
    return .entry(ours.with(mode, content, ours, theirs))
  }
}

extension PackageEntry {
  /// Whether kind, mode and content are the same: a time alone is no difference (R15).
  func isEqual(to other: PackageEntry) -> Bool {
    kind == other.kind && content == other.content && (kind == .symbolicLink || mode == other.mode)
  }

  fileprivate var contentAndSize: (ObjectID?, UInt64) { (content, size) }

  /// The same entry with what a merge came to, and the time of the side whose content it has; of both or neither the later.
  fileprivate func with(
    _ mode: UInt16, _ merged: (content: ObjectID?, size: UInt64), _ ours: PackageEntry, _ theirs: PackageEntry
  ) -> PackageEntry {
    var entry = self
    entry.mode = mode
    (entry.content, entry.size) = merged
    entry.modificationTime =
      switch (ours.content == merged.content, theirs.content == merged.content) {
      case (true, false): ours.modificationTime
      case (false, true): theirs.modificationTime
      default: max(ours.modificationTime, theirs.modificationTime)
      }
    return entry
  }
}
