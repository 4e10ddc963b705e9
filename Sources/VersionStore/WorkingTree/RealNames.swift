import SystemIO
import Versioning

/// The names that folders really have: a volume may answer to other spellings of them (R13).
///
/// A name that was seen is believed to stay; a name that was not is looked for again.
struct RealNames {
  private let tree: WorkingTree
  private var seen: [DocumentPath?: Set<[UInt8]>] = [:]

  init(_ tree: WorkingTree) {
    self.tree = tree
  }

  /// Whether something answers to a path, or to a folder on the way there, that has another name.
  ///
  /// - Parameter isThere: whether something answers to the path itself.
  mutating func isAnotherName(_ path: DocumentPath, isThere: Bool = true) throws(RepositoryError) -> Bool {
    for place in path.folders + (isThere ? [path] : []) where try !contains(place) {
      return try tree.reaching(place) { () throws(WorkingTreeError) in try tree.status(of: place) } != nil
    }
    return false
  }

  /// Whether a folder has an entry of exactly this name. Lists the folder once, and again for a name it did not have.
  private mutating func contains(_ path: DocumentPath) throws(RepositoryError) -> Bool {
    if seen[path.folder]?.contains(path.name) ?? false { return true }
    let names: [[UInt8]]
    do throws(WorkingTreeError) { names = try list(path.folder) } catch {
      if error.isAbsence { return false }
      throw RepositoryError(error, at: path)
    }
    seen[path.folder] = Set(names)
    return names.contains(path.name)
  }

  private func list(_ folder: DocumentPath?) throws(WorkingTreeError) -> [[UInt8]] {
    let open = try tree.openFolder(folder?.components ?? [])
    do throws(SystemError) { return try open.entries().map(\.name) } catch { throw .system(error) }
  }
}
