import CSystem
import Glibc

/// Calls on one name in an open folder. No call follows a symbolic link under that name, so a walk that opens every
/// folder with ``FileDescriptor/OpenOptions/noFollow`` cannot be led elsewhere. "", ".", ".." and names with a slash or
/// a zero byte fail with `EINVAL`.
extension FileDescriptor {
  public func status(of name: some Collection<UInt8>) throws(SystemError) -> FileStatus {
    let name = Array(name)
    var status = stat()
    try call("fstatat", pathOf(name)) {
      withComponent(name) { Int(fstatat(rawValue, $0, &status, AT_SYMLINK_NOFOLLOW)) }
    }
    return FileStatus(status)
  }

  /// The target text of a symbolic link.
  public func readLink(_ name: some Collection<UInt8>) throws(SystemError) -> [UInt8] {
    let name = Array(name)
    return try readLinkText(path: pathOf(name)) { buffer, room in
      withComponent(name) { readlinkat(rawValue, $0, buffer, room) }
    }
  }

  /// Makes a folder; permissions are reduced by `umask`.
  public func makeFolder(_ name: some Collection<UInt8>, permissions: UInt16 = 0o777) throws(SystemError) {
    let name = Array(name)
    try noting(.creation(pathOf(name))) { () throws(SystemError) in
      try call("mkdirat", pathOf(name)) {
        withComponent(name) { Int(mkdirat(rawValue, $0, mode_t(permissions & 0o7777))) }
      }
    }
  }

  /// Removes a file or link; a folder fails with `EISDIR`.
  public func remove(_ name: some Collection<UInt8>) throws(SystemError) {
    try unlink(Array(name), flags: 0)
  }

  /// Removes an empty folder; `ENOTEMPTY` otherwise.
  public func removeFolder(_ name: some Collection<UInt8>) throws(SystemError) {
    try unlink(Array(name), flags: AT_REMOVEDIR)
  }

  private func unlink(_ name: [UInt8], flags: Int32) throws(SystemError) {
    try noting(.removal(pathOf(name))) { () throws(SystemError) in
      try call("unlinkat", pathOf(name)) { withComponent(name) { Int(unlinkat(rawValue, $0, flags)) } }
    }
  }

  /// Makes a symbolic link that holds the target text as it is.
  public func makeSymbolicLink(
    _ name: some Collection<UInt8>, target: some Collection<UInt8>
  ) throws(SystemError) {
    let name = Array(name)
    let target = Array(target)
    try noting(.creation(pathOf(name))) { () throws(SystemError) in
      try call("symlinkat", pathOf(name)) {
        withComponent(name) { place in withCString(target) { Int(symlinkat($0, rawValue, place)) } }
      }
    }
  }

  /// Moves a name to another, here or in another folder of the same volume (`EXDEV` otherwise).
  public func rename(
    _ name: some Collection<UInt8>, to newName: some Collection<UInt8>, in other: borrowing FileDescriptor,
    how mode: RenameMode = .replace
  ) throws(SystemError) {
    let old = Array(name)
    let new = Array(newName)
    let target = other.rawValue
    let newPath = other.pathOf(new)
    try noting(.rename(pathOf(old), to: newPath, mode)) { () throws(SystemError) in
      try call("renameat2", pathOf(old)) {
        withComponent(old) { from in
          withComponent(new) { Int(csystem_renameat2(rawValue, from, target, $0, mode.flags)) }
        }
      }
    }
  }

  /// Moves a name to another within this folder.
  public func rename(
    _ name: some Collection<UInt8>, to newName: some Collection<UInt8>, how mode: RenameMode = .replace
  ) throws(SystemError) {
    try rename(name, to: newName, in: self, how: mode)
  }

  /// Gives a file a second name here; `EEXIST` where it is taken.
  public func makeHardLink(_ newName: some Collection<UInt8>, to name: some Collection<UInt8>) throws(SystemError) {
    let old = Array(name)
    let new = Array(newName)
    try noting(.creation(pathOf(new))) { () throws(SystemError) in
      try call("linkat", pathOf(new)) {
        withComponent(old) { from in withComponent(new) { Int(linkat(rawValue, from, rawValue, $0, 0)) } }
      }
    }
  }

  /// Sets permissions exactly; of a symbolic link `EOPNOTSUPP`.
  public func setPermissions(_ permissions: UInt16, of name: some Collection<UInt8>) throws(SystemError) {
    let name = Array(name)
    try call("fchmodat", pathOf(name)) {
      withComponent(name) { Int(fchmodat(rawValue, $0, mode_t(permissions & 0o7777), AT_SYMLINK_NOFOLLOW)) }
    }
  }

  public func setPermissions(of name: some Collection<UInt8>, to permissions: UInt16) throws(SystemError) {
    try setPermissions(permissions, of: name)
  }

  /// Sets the modification time, also of a symbolic link itself; see ``setModificationTime(seconds:nanoseconds:)``.
  public func setModificationTime(
    of name: some Collection<UInt8>, seconds: Int64, nanoseconds: UInt32
  ) throws(SystemError) {
    let name = Array(name)
    let times = try modificationTimes(seconds, nanoseconds, function: "utimensat", path: pathOf(name))
    try call("utimensat", pathOf(name)) {
      withComponent(name) { place in
        times.withUnsafeBufferPointer { Int(utimensat(rawValue, place, $0.baseAddress, AT_SYMLINK_NOFOLLOW)) }
      }
    }
  }

  /// The names in this folder without "." and "..", in no order. It costs one pass over the folder.
  public func entries() throws(SystemError) -> [DirectoryEntry] {
    // A stream of its own: listing twice starts anew, and a descriptor that is only a place will do.
    let fd = try call("openat", path) { Int(openat(rawValue, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) }
    guard let stream = fdopendir(Int32(truncatingIfNeeded: fd)) else {
      let code = errno
      close(Int32(truncatingIfNeeded: fd))
      throw SystemError(function: "fdopendir", path: path, code: code)
    }
    defer { closedir(stream) }
    var entries: [DirectoryEntry] = []
    var isAtEnd = false
    try call("readdir", path) {
      while !isAtEnd {
        errno = 0
        guard let entry = readdir(stream) else {
          if errno != 0 { return -1 }
          isAtEnd = true
          return 0
        }
        let name = Self.name(of: entry)
        if name == [.dot] || name == [.dot, .dot] { continue }
        entries.append(DirectoryEntry(name: name, kind: FileKind(entryType: entry.pointee.d_type)))
      }
      return 0
    }
    return entries
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    // The name may be longer than the C struct declares; it ends with a zero byte.
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
    let start = UnsafeRawPointer(entry) + offset
    return Array(UnsafeRawBufferPointer(start: start, count: strlen(start.assumingMemoryBound(to: CChar.self))))
  }
}

/// Calls `readlink` with enough room for every target that Linux can keep.
func readLinkText(
  path: FilePath, _ body: (UnsafeMutablePointer<CChar>, _ room: Int) -> Int
) throws(SystemError) -> [UInt8] {
  var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
  let room = target.count
  let count = try call("readlink", path) { body(&target, room) }
  guard count < target.count else { throw SystemError(function: "readlink", path: path, code: ENAMETOOLONG) }
  return target[..<count].map { UInt8(bitPattern: $0) }
}
