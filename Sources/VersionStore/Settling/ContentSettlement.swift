import Hashing
import Versioning

/// The contents of two versions, merged as far as that is certain.
struct ContentSettlement {
  var kind: VersionKind
  var entries: [DocumentPath: PackageEntry] = [:]
  var conflicts: [ContentConflict] = []

  init(
    base: Version?, current: Version, other: Version, _ contents: MergedContents
  ) throws(RepositoryError) {
    kind = current.record.kind
    let (old, mine, their) = (base?.record, current.record, other.record)
    if let side = Self.certainSide(old, mine, their) {
      kind = side.kind
      entries = try Self.entries(of: side, contents)
      return
    }
    guard mine.kind == their.kind, !mine.isDeletion else {
      conflicts = [
        ContentConflict(
          nil, their.isDeletion ? .deletedInOther : .kindsDiffer, base: old.flatMap { PackageEntry($0) },
          current: PackageEntry(mine), other: PackageEntry(their))
      ]
      return
    }
    let common = old.flatMap { $0.kind == mine.kind ? $0 : nil }
    if mine.kind == .package {
      try mergePackages(common, mine, their, contents)
      return
    }
    if mine.kind == .file, let base, common != nil, let merged = contents.merge(base, current, other),
      var entry = PackageEntry(mine)
    {
      (entry.content, entry.size) = (merged.content, merged.size)
      entries = [entry.path: entry]
      return
    }
    conflicts = [
      ContentConflict(
        nil, common == nil ? .bothAdded : .bothChanged, base: common.flatMap { PackageEntry($0) },
        current: PackageEntry(mine),
        other: PackageEntry(their))
    ]
  }

  /// The side whose content the merge has without looking into it.
  private static func certainSide(
    _ base: VersionRecord?, _ mine: VersionRecord, _ their: VersionRecord
  ) -> VersionRecord? {
    func isSame(_ one: VersionRecord, _ other: VersionRecord) -> Bool {
      one.kind == other.kind && one.content == other.content
    }
    if isSame(mine, their) { return mine }
    guard let base, !their.isDeletion else { return nil }
    if isSame(base, their) { return mine }
    return isSame(base, mine) ? their : nil
  }

  private mutating func mergePackages(
    _ base: VersionRecord?, _ mine: VersionRecord, _ their: VersionRecord, _ contents: MergedContents
  ) throws(RepositoryError) {
    let merge = PackageMerge(
      base: try base.map { (record) throws(RepositoryError) in try Self.manifest(of: record, contents) },
      ours: try Self.manifest(of: mine, contents), theirs: try Self.manifest(of: their, contents)
    ) { contents.merge($0, $1, $2) }
    (entries, conflicts) = (merge.entries, merge.conflicts)
  }

  private static func entries(
    of record: VersionRecord, _ contents: MergedContents
  ) throws(RepositoryError) -> [DocumentPath: PackageEntry] {
    if record.kind == .package {
      let entries = try manifest(of: record, contents).entries
      return Dictionary(uniqueKeysWithValues: entries.map { ($0.path, $0) })
    }
    return PackageEntry(record).map { [$0.path: $0] } ?? [:]
  }

  private static func manifest(
    of record: VersionRecord, _ contents: MergedContents
  ) throws(RepositoryError) -> PackageManifest {
    guard let id = record.content else { throw .refused(.notMergeable(record.path)) }
    guard let manifest = contents.manifest(id) else { throw .notLocal(id) }
    return manifest
  }
}

extension PackageEntry {
  /// A file or link as an entry of its own path; `nil` for a package and a deletion.
  init?(_ record: VersionRecord) {
    guard record.kind == .file || record.kind == .symbolicLink else { return nil }
    self.init(
      path: record.path, kind: record.kind == .file ? .file : .symbolicLink, mode: record.mode,
      modificationTime: record.modificationTime, content: record.content, size: record.size)
  }
}
