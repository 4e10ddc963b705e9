import Hashing
import Versioning

/// The content that a merge came to, with what of it isn't stored yet.
public struct MergedContent: Sendable {
  let kind: VersionKind
  let content: ObjectID
  let size: UInt64
  /// `nil`: the time at which it is stored.
  let modificationTime: FileTime?
  let manifest: PackageManifest?
  let made: [ObjectID: [UInt8]]
}

/// What somebody chose for one part of a conflict.
public enum ConflictDecision: Hashable, Sendable {
  /// What the current version has there, maybe nothing.
  case current
  /// What the other version has there, maybe nothing.
  case other
  /// What the common version has there, maybe nothing.
  case base
  /// A file with these bytes.
  case content([UInt8])
}

extension ProposedMerge {
  /// Whether a version as a whole has to be chosen: there is nothing that the sides could be put together to.
  public var isChoiceOfVersions: Bool {
    conflicts.contains { $0.entry == nil && [.kindsDiffer, .deletedInOther].contains($0.reason) }
  }

  /// What is certain, and in place of the rest what the current version has, or the other where that has nothing.
  public var proposal: [ConflictDecision] {
    conflicts.map { $0.current == nil && $0.reason != .fileAgainstFolder ? .other : .current }
  }

  /// What is certain together with what was chosen for each of ``conflicts``.
  ///
  /// - Throws: `.refused(.notMergeable)` where a version has to be chosen as a whole, or the choices can't be together.
  public func merged(_ decisions: [ConflictDecision]) throws(RepositoryError) -> MergedContent {
    guard !isChoiceOfVersions, decisions.count == conflicts.count else { throw .refused(.notMergeable(path)) }
    var entries = self.entries
    var made = self.made
    for (conflict, decision) in zip(conflicts, decisions) {
      guard var entry = entry(for: conflict, decision, &made) else { continue }
      if conflict.reason != .movedApart { entry.path = conflict.entry ?? entry.path }
      if entry.kind != .folder { entries = entries.filter { !entry.path.isAncestor(of: $0.key) } }
      entries[entry.path] = entry
    }
    if kind == .package { return try package(entries, made) }
    guard entries.count == 1, let entry = entries.values.first, let id = entry.content else {
      throw .refused(.notMergeable(path))
    }
    return MergedContent(
      kind: kind, content: id, size: entry.size, modificationTime: made[id] == nil ? entry.modificationTime : nil,
      manifest: nil, made: made)
  }

  private func entry(
    for conflict: ContentConflict, _ decision: ConflictDecision, _ made: inout [ObjectID: [UInt8]]
  ) -> PackageEntry? {
    switch decision {
    case .current: return conflict.current
    case .other: return conflict.other
    case .base: return conflict.base
    case .content(let bytes):
      guard var entry = conflict.current ?? conflict.other else { return nil }
      let id = SHA256.hash(bytes)
      made[id] = bytes
      entry.kind = .file
      entry.mode = mode(of: conflict)
      (entry.content, entry.size) = (id, UInt64(bytes.count))
      let times = [conflict.current, conflict.other].compactMap { $0?.modificationTime }
      entry.modificationTime = times.max() ?? entry.modificationTime
      return entry
    }
  }

  private func package(
    _ entries: [DocumentPath: PackageEntry], _ made: [ObjectID: [UInt8]]
  ) throws(RepositoryError) -> MergedContent {
    let folders = Set(entries.keys.flatMap(\.ancestors))
    let kept = entries.values.filter { $0.kind != .folder || !folders.contains($0.path) }
    let manifest: PackageManifest
    do throws(DecodingFailure) { manifest = try PackageManifest(kept) } catch { throw .refused(.notMergeable(path)) }
    let bytes = manifest.encoded()
    let id = SHA256.hash(bytes)
    return MergedContent(
      kind: .package, content: id, size: manifest.fileByteCount, modificationTime: nil, manifest: manifest,
      made: made.merging([id: bytes]) { first, _ in first })
  }
}
