import Glibc

extension FileSystem {
  /// Removes a file, a link, or a folder with everything in it. Links are removed, never followed.
  ///
  /// Folders may be nested deeper than a path can be long or files can be open. What is added meanwhile is removed too
  /// as far as it is seen.
  ///
  /// - Throws: The first failure; what was removed by then is gone.
  public static func removeTree(at path: FilePath) throws(SystemError) {
    do throws(SystemError) {
      let folder = try FileDescriptor.open(path, .readOnly, options: [.directory, .noFollow])
      try removeContents(of: folder, lifting: folder, depth: 0)
      // Folders that were too deep have been lifted up to here meanwhile.
      while !(try folder.entries().isEmpty) { try removeContents(of: folder, lifting: folder, depth: 0) }
    } catch  where error.code == ENOTDIR || error.code == ELOOP {
      return try remove(at: path)
    }
    try removeFolder(at: path)
  }

  /// How many folders are held open one below the other.
  private static let depthLimit = 64

  private static func removeContents(
    of folder: borrowing FileDescriptor, lifting top: borrowing FileDescriptor, depth: Int
  ) throws(SystemError) {
    for entry in try folder.entries() {
      var kind = entry.kind
      if kind == nil { kind = try folder.status(of: entry.name).kind }
      guard kind == .folder else {
        try folder.remove(entry.name)
        continue
      }
      if depth >= depthLimit {
        try folder.rename(entry.name, to: TemporaryName.random(), in: top)
        continue
      }
      let inner = try folder.open(entry.name, .readOnly, options: [.directory, .noFollow])
      try removeContents(of: inner, lifting: top, depth: depth + 1)
      try folder.removeFolder(entry.name)
    }
  }
}
