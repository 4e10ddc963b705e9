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

  /// Whether the volume may take one of some paths, or of the folders on their way, for another.
  func mayCollide(_ paths: [DocumentPath]) -> Bool {
    if tree.volume.isNetwork || [.fat, .apfs, .other].contains(tree.volume) || answersToOtherCase { return true }
    // One folder may be told to overlook case where the others aren't.
    let isUpper: (UInt8) -> Bool = { (65...90).contains($0) }
    guard paths.contains(where: { $0.bytes.contains(where: isUpper) }) else { return false }
    var spellings: Set<DocumentPath> = []
    var folded: Set<[UInt8]> = []
    for path in paths {
      for place in path.folders + [path] where spellings.insert(place).inserted {
        if !folded.insert(place.bytes.map { isUpper($0) ? $0 + 32 : $0 }).inserted { return true }
      }
    }
    return false
  }

  /// Whether the store is found under another spelling of its name.
  private var answersToOtherCase: Bool {
    let name = RepositoryLayout.storeName.map { (97...122).contains($0) ? $0 - 32 : $0 }
    return (try? FileStatus.of(tree.root.appending(name))) != nil
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
