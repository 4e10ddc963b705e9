import SystemIO
public import Versioning

extension Repository {
  /// Gives the working file at a path bytes that no version holds yet, such as a merge with conflict markers.
  ///
  /// Its base stays: what is saved later comes from the version that was there.
  ///
  /// - Throws: `.refused(.unsavedChanges)` where the file has content that no version holds.
  public func replaceWorkingFile(at path: DocumentPath, with bytes: [UInt8]) throws(RepositoryError) {
    try store.withLock { () throws(RepositoryError) in
      let before = try checkedWorkingFile(at: path, row: try fileRow(at: path))
      let current = try view(of: path).current
      guard var record = (before ?? current)?.record else { throw .noSuchDocument(path) }
      guard record.kind == .file else { throw .refused(.notMergeable(path)) }
      let now = store.environment.now()
      record.modificationTime = FileTime(wholeSeconds: now >= 0 ? now / 1000 : (now - 999) / 1000)
      let outcome = try tree.place(
        record, at: path, over: before == nil ? .nothing : .file, target: nil,
        write: { (file) throws(RepositoryError) in
          try tree.system { () throws(SystemError) in try file.write(bytes) }
        },
        settle: { (folder, name) throws(RepositoryError) in
          guard let before else { return }
          var rescued: [Version] = []
          try settle(folder, name, at: path, base: before, &rescued)
        })
      guard case .placed = outcome else { throw .refused(.unsavedChanges(path)) }
    }
  }
}
