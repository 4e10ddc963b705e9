import Merging
import SystemIO
import VersionStore
import Versioning

/// A part of a package in conflict that nobody has decided about: it has no markers, and is as `dver merge --markers` puts
/// it there for somebody to look at.
struct UndecidedEntry {
  /// Where it is.
  let place: FilePath
  let conflict: ContentConflict

  var failure: CommandFailure {
    CommandFailure(
      .notPossible, "nobody has decided about", path: place.bytes,
      advice: "\(conflict.description); change it, or take all as it is with --merged and the package itself")
  }

  /// The first such part of what somebody made of a package, in the order of its conflicts.
  static func first(
    in package: FilePath, of path: DocumentPath, _ repository: Repository
  ) throws -> UndecidedEntry? {
    guard let merge = try? repository.proposedMerge(at: path), !merge.isChoiceOfVersions else { return nil }
    for (conflict, proposed) in zip(merge.conflicts, merge.proposal) {
      guard let entry = conflict.entry else { continue }
      // What has markers is decided where they are gone.
      let hasMarkers = try conflict.isOfFiles && isMarked(conflict, repository)
      if hasMarkers { continue }
      let shown = proposed == .other ? conflict.other : conflict.current
      let place = package.appending((conflict.reason == .movedApart ? shown?.path ?? entry : entry).bytes)
      if try isLike(shown, at: place, conflict, repository) { return UndecidedEntry(place: place, conflict: conflict) }
    }
    return nil
  }

  private static func isMarked(_ conflict: ContentConflict, _ repository: Repository) throws -> Bool {
    let marked = try ConflictTexts(conflict, in: repository).marked(ConflictLabels())
    return (marked?.conflictCount ?? 0) > 0
  }

  private static func isLike(
    _ entry: PackageEntry?, at place: FilePath, _ conflict: ContentConflict, _ repository: Repository
  ) throws -> Bool {
    let status: FileStatus?
    do throws(SystemError) { status = try FileStatus.of(place) } catch {
      guard error.isNotFound else { throw error }
      status = nil
    }
    switch entry?.kind {
    case nil: return status == nil || status?.kind == .folder
    case .folder?: return status?.kind == .folder
    case .symbolicLink?:
      return try status?.kind == .symbolicLink && FileSystem.readLink(place) == repository.content(of: entry)
    case .file?:
      guard let entry, status?.kind == .file, status?.size == entry.size else { return false }
      // Where the permissions alone are in conflict they alone are what is decided about.
      if conflict.current?.content == conflict.other?.content, status?.permissions != entry.mode { return false }
      return try FileSystem.read(place, limit: .max) == repository.content(of: entry)
    }
  }
}
