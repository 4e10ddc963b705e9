import Hashing
import SystemIO
public import Versioning

/// What the two sides of a conflict come to as far as that is certain, and what somebody has to choose.
public struct ProposedMerge: Sendable {
  /// A field of a version that both sides changed differently.
  public enum Field: String, Hashable, Sendable {
    case path, mode
  }

  /// The document's path as it is shown.
  public let path: DocumentPath
  public let current: Version
  public let other: Version
  /// The nearest common version; `nil` where there is none or more than one, or it is a deletion or removed.
  public let base: Version?
  /// How many nearest common versions there are.
  public let commonVersionCount: Int
  /// All heads that a resolution would settle.
  public let heads: [RecordID]
  /// The parts of the content that aren't certain: of a file at most one, of a package its entries in order.
  public let conflicts: [ContentConflict]
  /// The other fields that aren't; ``mergedPath`` and ``mergedMode`` have the current version's.
  public let fieldConflicts: [Field]
  public private(set) var mergedPath: DocumentPath
  public private(set) var mergedMode: UInt16

  let kind: VersionKind
  /// What is certain: a package's entries, or a file or link as an entry of the document's path.
  let entries: [DocumentPath: PackageEntry]
  /// The contents among these that aren't stored yet.
  let made: [ObjectID: [UInt8]]

  init(
    path: DocumentPath, current: Version, other: Version, bases: [Version], isUsable: (Version) -> Bool,
    heads: [RecordID], contents: MergedContents
  ) throws(RepositoryError) {
    let base = bases.count == 1 ? bases.first.flatMap { isUsable($0) ? $0 : nil } : nil
    (self.path, self.current, self.other, self.base, self.heads) = (path, current, other, base, heads)
    commonVersionCount = bases.count
    let merge = try ContentSettlement(base: base, current: current, other: other, contents)
    (kind, entries, conflicts) = (merge.kind, merge.entries, merge.conflicts)
    made = contents.made(merge.entries.values.compactMap(\.content))
    let (mine, their) = (current.record, other.record)
    (mergedPath, mergedMode) = (mine.path, mine.mode)
    var fields: [Field] = []
    if !their.isDeletion, mine.path != their.path {
      if base?.record.path == mine.path {
        mergedPath = their.path
      } else if base?.record.path != their.path {
        fields.append(.path)
      }
    }
    if !their.isDeletion, mine.mode != their.mode, mine.kind == their.kind, mine.kind != .symbolicLink {
      if let old = base?.record, old.kind == mine.kind {
        mergedMode = PermissionMerge.merged(base: old.mode, ours: mine.mode, theirs: their.mode)
      } else {
        fields.append(.mode)
      }
    }
    fieldConflicts = fields
  }

  /// The three contents where both versions are files, or both links, whether they merge or not; `nil` where they are
  /// equal.
  public var wholeContent: ContentConflict? {
    guard current.record.content != other.record.content, let mine = PackageEntry(current.record),
      let their = PackageEntry(other.record), mine.kind == their.kind
    else { return nil }
    return ContentConflict(
      nil, .bothChanged, base: base.flatMap { PackageEntry($0.record) }, current: mine, other: their)
  }

  /// Takes a field from the other version.
  public mutating func takeFromOther(_ field: Field) {
    switch field {
    case .path: mergedPath = other.record.path
    case .mode: mergedMode = other.record.mode
    }
  }

  /// The permissions that a merge of two files of a conflict has.
  func mode(of conflict: ContentConflict) -> UInt16 {
    guard let mine = conflict.current, let their = conflict.other else {
      return (conflict.current ?? conflict.other)?.mode ?? 0o644
    }
    guard let base = conflict.base else { return mine.mode }
    return PermissionMerge.merged(base: base.mode, ours: mine.mode, theirs: their.mode)
  }
}
