import Hashing
import SystemIO
import Versioning

extension WorkingTree {
  /// Reads a package: a folder that is one document. `nil` where nothing is at the path.
  ///
  /// The content of its files stays where it is: it is read again, by ``openFile(_:)``, when it is stored.
  func readPackage(_ path: DocumentPath) throws(WorkingTreeError) -> WorkingFile? {
    guard let status = try status(of: path) else { return nil }
    guard status.kind == .folder else { return try read(path) }
    let checkedAt = Clock.wallNanoseconds
    var entries: [PackageEntry] = []
    try collect(path.bytes, below: path.bytes.count + 1, into: &entries)
    let manifest: PackageManifest
    do throws(DecodingFailure) {
      manifest = try PackageManifest(entries.sorted { $0.path < $1.path })
    } catch { throw .changing }
    let bytes = manifest.encoded()
    return WorkingFile(
      kind: .package, status: status, content: SHA256.hash(bytes), byteCount: manifest.fileByteCount, bytes: bytes,
      manifest: manifest, checkedAt: checkedAt)
  }

  private func collect(
    _ folder: [UInt8], below start: Int, into entries: inout [PackageEntry]
  ) throws(WorkingTreeError) {
    let open = try openFolder(folder.split(separator: UInt8(ascii: "/")))
    let found: [DirectoryEntry]
    do throws(SystemError) { found = try open.entries() } catch { throw .system(error) }
    let names = found.map(\.name).filter { !$0.starts(with: RepositoryLayout.temporaryPrefix) }
    if names.isEmpty, folder.count > start, let path = DocumentPath(folder[start...]) {
      entries.append(
        PackageEntry(
          path: path, kind: .folder, mode: 0o755, modificationTime: FileTime(wholeSeconds: 0), content: nil, size: 0))
    }
    for name in names {
      let whole = folder + [UInt8(ascii: "/")] + name
      guard let path = DocumentPath(whole[start...]) else { throw .changing }
      let status: FileStatus
      do throws(SystemError) { status = try open.status(of: name) } catch { throw .system(error) }
      if status.kind == .folder {
        try collect(whole, below: start, into: &entries)
        continue
      }
      guard let file = try read(name, in: open) else { throw .changing }
      entries.append(
        PackageEntry(
          path: path, kind: file.kind == .symbolicLink ? .symbolicLink : .file,
          mode: file.kind == .symbolicLink ? 0o777 : file.mode, modificationTime: file.modificationTime,
          content: file.content, size: file.byteCount))
    }
  }
}
