import Hashing
import SystemIO
import Versioning

extension Repository {
  /// Clears what an interrupted run left in folders under the reserved names.
  ///
  /// Unfinished files and what the store holds are removed. Anything else came out of a path and was not looked at any more: it
  /// may hold what no version does (R2), and goes to the folder `displaced` of this device.
  ///
  /// - Parameter folders: their paths in the repository, empty for its own.
  /// - Returns: where the displaced files are now.
  func clearTemporaries(in folders: Set<[UInt8]>) throws(RepositoryError) -> [FilePath] {
    var displaced: [FilePath] = []
    for path in folders {
      guard let folder = try? tree.openFolder(path.split(separator: UInt8(ascii: "/"))),
        let entries = try? folder.entries()
      else { continue }
      for entry in entries where entry.name.starts(with: RepositoryLayout.temporaryPrefix) {
        guard let place = DocumentPath(path + (path.isEmpty ? [] : [UInt8(ascii: "/")]) + entry.name) else { continue }
        if isCovered(place) {
          tree.clear(entry, in: folder)
        } else if let moved = try displace(place) {
          displaced.append(moved)
        }
      }
    }
    return displaced
  }

  /// Whether nothing is lost with a file, a link, or all that is in a folder.
  private func isCovered(_ place: DocumentPath) -> Bool {
    guard let status = (try? tree.status(of: place)) ?? nil else { return false }
    if status.kind == .folder {
      guard let entries = try? tree.openFolder(place.components).entries() else { return false }
      return entries.allSatisfy { entry in
        DocumentPath(place.bytes + [UInt8(ascii: "/")] + entry.name).map { isCovered($0) } ?? false
      }
    }
    if status.kind == .file && status.permissions == WorkingTree.unfinishedPermissions { return true }
    guard let file = (try? tree.read(place)) ?? nil else { return false }
    return file.byteCount == 0 || ((try? store.containsWhole(file.content)) ?? false)
  }

  private func displace(_ place: DocumentPath) throws(RepositoryError) -> FilePath? {
    guard let folder = store.privateLayout else { return nil }
    let target = folder.displaced.appending(place.name)
    do throws(SystemError) {
      for made in try FileSystem.makeFolders(at: folder.displaced) { try FileSystem.synchronizeFolder(at: made.parent) }
      try FileSystem.rename(from: tree.root.appending(place.bytes), to: target, how: .noReplace)
      try FileSystem.synchronizeFolder(at: folder.displaced)
      return target
    } catch {
      // Where it can't be moved, such as to another volume, it stays.
      return nil
    }
  }
}
