import Hashing

/// The fields of a version that are merged, each by itself (R14), and the size that comes with the content.
struct MergedFields: Hashable {
  let path: DocumentPath
  let mode: UInt16
  let kind: VersionKind
  let content: ObjectID
  let size: UInt64

  /// Merges two versions over one base; `nil` where it isn't clean.
  ///
  /// With ``MergeRules/combinesContents`` false a side that is as the base is not merged away (R9).
  init?(base: Version, ours: Version, theirs: Version, rules: MergeRules) {
    let (old, our, their) = (base.record, ours.record, theirs.record)
    guard rules.combinesContents || (Self.differ(old, our) && Self.differ(old, their)),
      let path = Self.merge(old.path, our.path, their.path),
      let mode = Self.mode(old, our, their),
      let kind = Self.merge(old.kind, our.kind, their.kind),
      let (content, size) = Self.content(base, ours, theirs, rules)
    else { return nil }
    self.path = path
    self.mode = mode
    self.kind = kind
    self.content = content
    self.size = size
  }

  /// A field changed on one side, or alike on both, is clean.
  private static func merge<Value: Equatable>(_ base: Value, _ ours: Value, _ theirs: Value) -> Value? {
    if ours == theirs || theirs == base { return ours }
    return ours == base ? theirs : nil
  }

  /// A link's mode means nothing: bits are merged one by one only where nothing changed its kind.
  private static func mode(_ base: VersionRecord, _ ours: VersionRecord, _ theirs: VersionRecord) -> UInt16? {
    if base.kind == ours.kind, base.kind == theirs.kind, base.kind != .symbolicLink {
      return PermissionMerge.merged(base: base.mode, ours: ours.mode, theirs: theirs.mode)
    }
    return merge(base.mode, ours.mode, theirs.mode)
  }

  private static func content(
    _ base: Version, _ ours: Version, _ theirs: Version, _ rules: MergeRules
  ) -> MergeRules.Content? {
    // A deletion has no content: it is no base, and no side of a merge.
    guard let old = base.record.content, let our = ours.record.content, let their = theirs.record.content else {
      return nil
    }
    if let merged = merge(old, our, their) {
      return (merged, merged == our ? ours.record.size : theirs.record.size)
    }
    let kinds = Set([base, ours, theirs].map(\.record.kind))
    let areCombinable = kinds == [.file] || kinds == [.package]
    return rules.combinesContents && areCombinable ? rules.mergeContents(base, ours, theirs) : nil
  }

  private static func differ(_ one: VersionRecord, _ other: VersionRecord) -> Bool {
    one.path != other.path || one.mode != other.mode || one.kind != other.kind || one.content != other.content
  }

  /// The record of the automatic merge, a pure function of its parents (R9).
  func record(of ours: Version, and theirs: Version, rules number: UInt32) -> VersionRecord {
    let (greater, lesser) = ours.isGreater(than: theirs) ? (ours, theirs) : (theirs, ours)
    return VersionRecord(
      document: min(greater.record.document, lesser.record.document), parents: [greater.id, lesser.id], path: path,
      kind: kind, content: content, size: size, mode: mode,
      modificationTime: modificationTime(of: greater.record, and: lesser.record),
      logicalTime: max(greater.record.logicalTime, lesser.record.logicalTime).next,
      wallTime: max(greater.record.wallTime, lesser.record.wallTime), device: nil, origin: .merge, mergeRules: number)
  }

  /// That of the parent whose content the merge has; both or neither: the later.
  private func modificationTime(of one: VersionRecord, and other: VersionRecord) -> FileTime {
    switch (one.content == content, other.content == content) {
    case (true, false): one.modificationTime
    case (false, true): other.modificationTime
    default: max(one.modificationTime, other.modificationTime)
    }
  }
}
