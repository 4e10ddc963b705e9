public import SystemIO
public import VersionStore
public import Versioning

extension DirectoryRemote {
  public func get(_ name: RemoteName, _ range: Range<UInt64>) throws(RemoteError) -> [UInt8] {
    let bytes: [UInt8]?
    do throws(SystemError) { bytes = try Self.read(path(of: name), range) } catch {
      // A link is nobody's file: it would lead out of the tree.
      if error.isNotFound || error.isSymbolicLink { throw .notFound(name) }
      if error.isPermission { throw .unreachable(place: place, reason: error.description) }
      throw .system(error)
    }
    guard let bytes else { throw .notFound(name) }
    return bytes
  }

  /// The bytes of a range, `nil` where it is no file. What is there bounds what is allocated.
  private static func read(_ path: FilePath, _ range: Range<UInt64>) throws(SystemError) -> [UInt8]? {
    let file = try FileDescriptor.open(path, .readOnly, options: [.noFollow, .nonBlocking])
    let status = try file.status()
    guard status.kind == .file else { return nil }
    let end = min(status.size, range.upperBound)
    guard end > range.lowerBound, let count = Int(exactly: end - range.lowerBound) else { return [] }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
    defer { buffer.deallocate() }
    var length = 0
    while length < count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[length...])
      let got = try file.read(into: rest, at: range.lowerBound + UInt64(length))
      if got == 0 { break }
      length += got
    }
    return Array(buffer[..<length])
  }

  public func head(_ name: RemoteName) throws(RemoteError) -> UInt64? {
    do throws(SystemError) {
      let status = try FileStatus.of(path(of: name))
      return status.kind == .file ? status.size : nil
    } catch {
      if error.isNotFound { return nil }
      throw failure(error)
    }
  }

  public func list(_ folder: RemoteName) throws(RemoteError) -> [[UInt8]] {
    do throws(SystemError) {
      return try FileSystem.list(path(of: folder)).map(\.name)
        .filter { !$0.starts(with: RepositoryLayout.temporaryPrefix) }
    } catch {
      if error.isNotFound { return [] }
      if error.isPermission { throw .unreachable(place: place, reason: error.description) }
      throw .system(error)
    }
  }

  public func put(
    _ name: RemoteName, _ bytes: UnsafeRawBufferPointer, isReplacing: Bool, progress: (UInt64) -> Void
  ) throws(RemoteError) {
    let path = path(of: name)
    do throws(SystemError) {
      try makeFolder(path.parent)
      if try Self.place(bytes, at: path, isReplacing: isReplacing, progress) { return }
    } catch { throw failure(error) }
    guard try holds(name, bytes) else { throw .refused(name) }
  }

  /// Makes a folder of the tree and those above it, each durable before something is put into it.
  private func makeFolder(_ folder: FilePath) throws(SystemError) {
    if (try? FileStatus.of(folder, followingLinks: true))?.kind == .folder { return }
    for made in try FileSystem.makeFolders(at: folder) { try FileSystem.synchronizeFolder(at: made.parent) }
  }

  private static let pieceByteCount = 4 << 20

  /// Writes beside and takes the name; answers whether the name was free or was to be replaced.
  private static func place(
    _ bytes: UnsafeRawBufferPointer, at path: FilePath, isReplacing: Bool, _ progress: (UInt64) -> Void
  ) throws(SystemError) -> Bool {
    let folder = try FileDescriptor.open(path.parent, .readOnly, options: .directory)
    let temporary = TemporaryName.random()
    let file = try folder.open(
      temporary, .writeOnly, options: [.create, .exclusive, .noFollow], permissions: 0o644)
    do throws(SystemError) {
      var written = 0
      while written < bytes.count {
        let end = min(written + pieceByteCount, bytes.count)
        try file.write(UnsafeRawBufferPointer(rebasing: bytes[written..<end]))
        written = end
        progress(UInt64(written))
      }
      try file.synchronizeData()
      try takeName(temporary, path.lastComponent, in: folder, isReplacing: isReplacing)
    } catch {
      try? folder.remove(temporary)
      if error.alreadyExists { return false }
      throw error
    }
    do throws(SystemError) {
      try folder.synchronize()
    } catch  where error.isUnsupported {}
    return true
  }

  private static func takeName(
    _ temporary: [UInt8], _ name: [UInt8], in folder: borrowing FileDescriptor, isReplacing: Bool
  ) throws(SystemError) {
    if isReplacing { return try folder.rename(temporary, to: name) }
    do throws(SystemError) {
      try folder.rename(temporary, to: name, how: .noReplace)
    } catch  where error.isUnsupported {
      try takeNameByLink(temporary, name, in: folder)
    }
  }

  private static func takeNameByLink(
    _ temporary: [UInt8], _ name: [UInt8], in folder: borrowing FileDescriptor
  ) throws(SystemError) {
    do throws(SystemError) {
      try folder.makeHardLink(name, to: temporary)
      try folder.remove(temporary)
    } catch  where error.isUnsupported || error.isPermission {
      // Neither is there on FAT and its like: a gap remains between looking and renaming.
      guard (try? folder.status(of: name)) == nil else {
        throw SystemError(function: "link", path: folder.path, code: 17)
      }
      try folder.rename(temporary, to: name)
    }
  }

  /// Whether a file holds exactly these bytes.
  private func holds(_ name: RemoteName, _ bytes: UnsafeRawBufferPointer) throws(RemoteError) -> Bool {
    guard try head(name) == UInt64(bytes.count) else { return false }
    let piece = 1 << 20
    var offset = 0
    while offset < bytes.count {
      let end = min(offset + piece, bytes.count)
      let there = try get(name, UInt64(offset)..<UInt64(end))
      guard there.elementsEqual(bytes[offset..<end]) else { return false }
      offset = end
    }
    return true
  }

  public func isTree(ofStore store: FilePath) -> Bool {
    guard let own = try? FileStatus.of(store, followingLinks: true),
      let other = try? FileStatus.of(tree, followingLinks: true)
    else { return false }
    return own.inode == other.inode && own.device == other.device
  }

  public func privateFolders() throws(RemoteError) -> [(device: DeviceID, folder: PrivateLayout)] {
    let folder = tree.appending("private")
    guard let entries = try? FileSystem.list(folder) else { return [] }
    return entries.compactMap { entry in
      RemoteName.device(entry.name).map { ($0, PrivateLayout(folder.appending(entry.name))) }
    }.sorted { $0.device < $1.device }
  }
}
