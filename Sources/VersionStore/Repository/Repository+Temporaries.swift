import Hashing
import SystemIO
import Versioning

extension Repository {
  /// Unfinished files in the folders of documents that a person named.
  func temporaries(beside targets: [DocumentPath?]) -> [(folder: [UInt8], name: [UInt8])] {
    var found: [(folder: [UInt8], name: [UInt8])] = []
    for folder in Set(targets.compactMap { $0.map { $0.folder?.bytes ?? [] } }) {
      guard let open = openFolder(folder), let entries = try? open.entries() else { continue }
      for entry in entries where entry.name.starts(with: RepositoryLayout.temporaryPrefix) {
        found.append((folder, entry.name))
      }
    }
    return found
  }

  /// Removes unfinished files that a crash left, where the store holds what is in them. The others may be what came out of
  /// an exchange of names: they are moved to the private folder (R2).
  ///
  /// - Returns: the places that they were moved to.
  func clearTemporaries(_ temporaries: [(folder: [UInt8], name: [UInt8])]) -> [FilePath] {
    var displaced: [FilePath] = []
    for (path, name) in temporaries {
      guard let folder = openFolder(path) else { continue }
      if isHeld(name, in: folder) {
        tree.clear(DirectoryEntry(name: name, kind: nil), in: folder)
      } else if let place = displace(name, from: folder) {
        displaced.append(place)
      }
    }
    return displaced
  }

  private func openFolder(_ path: [UInt8]) -> FileDescriptor? {
    try? tree.openFolder(path.split(separator: UInt8(ascii: "/")))
  }

  /// Whether the store holds everything under a name.
  private func isHeld(_ name: [UInt8], in folder: borrowing FileDescriptor) -> Bool {
    guard let status = try? folder.status(of: name) else { return false }
    if status.kind != .folder {
      guard let file = (try? tree.read(name, in: folder)) ?? nil else { return false }
      return file.byteCount == 0 || ((try? store.contains(file.content)) ?? false)
    }
    guard let inner = try? folder.open(name, .readOnly, options: [.directory, .noFollow]),
      let entries = try? inner.entries()
    else { return false }
    return entries.allSatisfy { isHeld($0.name, in: inner) }
  }

  private func displace(_ name: [UInt8], from folder: borrowing FileDescriptor) -> FilePath? {
    guard let target = store.privateLayout?.displaced, let from = folder.path?.appending(name) else { return nil }
    let place = target.appending(name.dropFirst(RepositoryLayout.temporaryPrefix.count))
    do throws(SystemError) {
      for made in try FileSystem.makeFolders(at: target) { try FileSystem.synchronizeFolder(at: made.parent) }
      try FileSystem.rename(from: from, to: place, how: .noReplace)
      try FileSystem.synchronizeFolder(at: target)
      return place
    } catch { return nil }
  }
}
