import Hashing
import Versioning

/// A three-way merge of packages: entry by entry, and where both sides changed a file by content.
///
/// A pure function of the three manifests and of what merges contents. Swapped sides give the same entries, and the same
/// conflicts with their sides swapped. Modification times follow contents; where they alone differ nothing was changed.
struct PackageMerge {
  /// The content of a clean merge of three files; `nil` where it isn't clean.
  typealias ContentMerge = (_ base: PackageEntry, _ ours: PackageEntry, _ theirs: PackageEntry) -> MergeRules.Content?

  /// What is certain, by path.
  private(set) var entries: [DocumentPath: PackageEntry] = [:]
  /// What isn't, ascending by path.
  private(set) var conflicts: [ContentConflict] = []

  private let base: [DocumentPath: PackageEntry]
  private let ours: [DocumentPath: PackageEntry]
  private let theirs: [DocumentPath: PackageEntry]
  private let mergeContents: ContentMerge
  /// Paths about which there is nothing left to find out.
  private var settled: Set<DocumentPath> = []

  /// - Parameter base: `nil` where there is no common version: then only what is equal is certain.
  init(base: PackageManifest?, ours: PackageManifest, theirs: PackageManifest, mergeContents: @escaping ContentMerge) {
    self.base = Self.byPath(base)
    self.ours = Self.byPath(ours)
    self.theirs = Self.byPath(theirs)
    self.mergeContents = mergeContents
    mergeMoves()
    for path in Set(self.base.keys).union(self.ours.keys).union(self.theirs.keys).subtracting(settled) {
      merge(path)
    }
    settleFolders()
    conflicts.sort { ($0.entry?.bytes ?? []).lexicographicallyPrecedes($1.entry?.bytes ?? []) }
  }

  /// The merged package; `nil` where there is a conflict.
  var manifest: PackageManifest? {
    guard conflicts.isEmpty else { return nil }
    return try? PackageManifest(Array(entries.values))
  }

  private static func byPath(_ manifest: PackageManifest?) -> [DocumentPath: PackageEntry] {
    Dictionary(uniqueKeysWithValues: (manifest?.entries ?? []).map { ($0.path, $0) })
  }

  // MARK: One path

  private mutating func merge(_ path: DocumentPath) {
    settle(path, EntryMerge(base: base[path], ours: ours[path], theirs: theirs[path], mergeContents), base[path])
  }

  private mutating func settle(_ path: DocumentPath, _ merge: EntryMerge, _ old: PackageEntry?) {
    switch merge {
    case .nothing: break
    case .entry(var entry):
      entry.path = path
      entries[path] = entry
    case .conflict(let reason):
      conflicts.append(
        ContentConflict(path, reason, base: old, current: ours[path], other: theirs[path]))
    }
  }

  // MARK: Moves

  /// Follows what a side moved for certain: it had content that nothing else in the package has, before and after.
  private mutating func mergeMoves() {
    let (ourMoves, theirMoves) = (Self.moves(from: base, to: ours), Self.moves(from: base, to: theirs))
    for old in Set(ourMoves.keys).union(theirMoves.keys) {
      switch (ourMoves[old], theirMoves[old]) {
      case (let mine?, let other?) where mine != other:
        conflicts.append(
          ContentConflict(old, .movedApart, base: base[old], current: ours[mine], other: theirs[other]))
        settled.formUnion([old, mine, other])
      case (let new?, let same?) where new == same:
        settle(new, EntryMerge(base: base[old], ours: ours[new], theirs: theirs[new], mergeContents), base[old])
        settled.formUnion([old, new])
      case (let new?, nil): mergeMove(old, new, isOurs: true)
      case (nil, let new?): mergeMove(old, new, isOurs: false)
      default: break
      }
    }
    markAdditions(toFoldersOf: Array(ourMoves.keys), left: ours, by: theirs)
    markAdditions(toFoldersOf: Array(theirMoves.keys), left: theirs, by: ours)
  }

  private mutating func mergeMove(_ old: DocumentPath, _ new: DocumentPath, isOurs: Bool) {
    let (mover, other) = isOurs ? (ours, theirs) : (theirs, ours)
    // Something else at the new place: then it is a deletion and two additions.
    guard other[new] == nil else { return }
    settled.formUnion([old, new])
    guard let kept = other[old] else {
      conflicts.append(
        ContentConflict(new, .movedAndDeleted, base: base[old], current: ours[new], other: theirs[new]))
      return
    }
    let (mine, their) = isOurs ? (mover[new], kept) : (kept, mover[new])
    let merge = EntryMerge(base: base[old], ours: mine, theirs: their, mergeContents)
    if case .conflict(let reason) = merge {
      conflicts.append(ContentConflict(new, reason, base: base[old], current: mine, other: their))
    } else {
      settle(new, merge, base[old])
    }
  }

  /// Old places to new ones.
  private static func moves(
    from old: [DocumentPath: PackageEntry], to new: [DocumentPath: PackageEntry]
  ) -> [DocumentPath: DocumentPath] {
    var places: [ObjectID: [DocumentPath]] = [:]
    for entry in new.values { if let content = entry.content { places[content, default: []].append(entry.path) } }
    var counts: [ObjectID: Int] = [:]
    for entry in old.values { if let content = entry.content { counts[content, default: 0] += 1 } }
    var moves: [DocumentPath: DocumentPath] = [:]
    // Empty files are alike by chance.
    for entry in old.values where new[entry.path] == nil && entry.size > 0 {
      guard let content = entry.content, counts[content] == 1, let found = places[content], found.count == 1,
        let place = found.first, old[place] == nil, new[place]?.kind == entry.kind
      else { continue }
      moves[entry.path] = place
    }
    return moves
  }

  /// A folder out of which a side moved everything, and to which the other added something: the addition may belong where
  /// the rest went.
  private mutating func markAdditions(
    toFoldersOf moved: [DocumentPath], left: [DocumentPath: PackageEntry], by adder: [DocumentPath: PackageEntry]
  ) {
    var folders = Set(moved.flatMap(\.ancestors))
    for path in left.keys { folders.subtract(path.ancestors + [path]) }
    guard !folders.isEmpty else { return }
    for path in adder.keys where base[path] == nil && left[path] == nil && !settled.contains(path) {
      guard path.ancestors.contains(where: folders.contains) else { continue }
      settled.insert(path)
      conflicts.append(ContentConflict(path, .folderMoved, base: nil, current: ours[path], other: theirs[path]))
    }
  }

  // MARK: Folders

  /// An entry for a folder stands for an empty one; and where a file is nothing can be below.
  private mutating func settleFolders() {
    let marked = Set(conflicts.compactMap(\.entry))
    var needed: Set<DocumentPath> = []
    for path in Array(entries.keys) + marked { needed.formUnion(path.ancestors) }
    for path in needed {
      guard let entry = entries[path] else { continue }
      entries[path] = nil
      if entry.kind == .folder { continue }
      conflicts.append(
        ContentConflict(path, .fileAgainstFolder, base: base[path], current: ours[path], other: theirs[path]))
    }
    // A folder that one side filled and the other changed is no conflict: it is there.
    conflicts.removeAll { conflict in
      guard let path = conflict.entry, needed.contains(path) else { return false }
      return [conflict.base, conflict.current, conflict.other].allSatisfy { $0 == nil || $0?.kind == .folder }
    }
  }
}

extension DocumentPath {
  /// The folders on the way to it, the nearest first.
  var ancestors: [DocumentPath] {
    var found: [DocumentPath] = []
    var place = folder
    while let path = place {
      found.append(path)
      place = path.folder
    }
    return found
  }
}
