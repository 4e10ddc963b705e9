import CSystem
import Glibc

/// Calls on paths. None follows a symbolic link in the last component unless it says so; all follow those before it.
public enum FileSystem {
  /// Makes a folder; permissions are reduced by `umask`.
  public static func makeFolder(at path: FilePath, permissions: UInt16 = 0o777) throws(SystemError) {
    try noting(.creation(path)) { () throws(SystemError) in
      try call("mkdir", path) { path.withCString { Int(mkdir($0, mode_t(permissions & 0o7777))) } }
    }
  }

  /// Makes a folder and those above it that are missing; links to folders count as folders.
  ///
  /// - Returns: The folders made, outermost first. Nothing is synchronized.
  @discardableResult
  public static func makeFolders(at path: FilePath, permissions: UInt16 = 0o777) throws(SystemError) -> [FilePath] {
    var missing = [path]
    var made: [FilePath] = []
    // Some folders, /proc for one, take no new name and say that the name is not there.
    var isParentThere = false
    while let next = missing.last {
      do throws(SystemError) {
        try makeFolder(at: next, permissions: permissions)
        made.append(next)
        missing.removeLast()
        isParentThere = true
      } catch  where error.code == ENOENT && next.parent != next && !isParentThere {
        missing.append(next.parent)
      } catch  where error.alreadyExists {
        guard try FileStatus.of(next, followingLinks: true).kind == .folder else { throw error }
        missing.removeLast()
        isParentThere = true
      }
    }
    return made
  }

  /// Removes a file or link; a folder fails with `EISDIR`.
  public static func remove(at path: FilePath) throws(SystemError) {
    try noting(.removal(path)) { () throws(SystemError) in
      try call("unlink", path) { path.withCString { Int(unlink($0)) } }
    }
  }

  /// Removes an empty folder; `ENOTEMPTY` otherwise.
  public static func removeFolder(at path: FilePath) throws(SystemError) {
    try noting(.removal(path)) { () throws(SystemError) in
      try call("rmdir", path) { path.withCString { Int(rmdir($0)) } }
    }
  }

  /// Moves a file, link or folder within a volume (`EXDEV` otherwise).
  public static func rename(
    from old: FilePath, to new: FilePath, how mode: RenameMode = .replace
  ) throws(SystemError) {
    try noting(.rename(old, to: new, mode)) { () throws(SystemError) in
      try call("renameat2", old) {
        old.withCString { from in
          new.withCString { Int(csystem_renameat2(AT_FDCWD, from, AT_FDCWD, $0, mode.flags)) }
        }
      }
    }
  }

  /// The target text of a symbolic link.
  public static func readLink(_ path: FilePath) throws(SystemError) -> [UInt8] {
    try readLinkText(path: path) { buffer, room in path.withCString { readlink($0, buffer, room) } }
  }

  /// Makes a symbolic link that holds the target text as it is.
  public static func makeSymbolicLink(
    at path: FilePath, target: some Collection<UInt8>
  ) throws(SystemError) {
    let target = Array(target)
    try noting(.creation(path)) { () throws(SystemError) in
      try call("symlink", path) { path.withCString { place in withCString(target) { Int(symlink($0, place)) } } }
    }
  }

  /// The names in a folder without "." and "..", in no order. A link to a folder is followed.
  public static func list(_ path: FilePath) throws(SystemError) -> [DirectoryEntry] {
    try FileDescriptor.open(path, .readOnly, options: .directory).entries()
  }

  /// The whole content of a file; links are followed, and a FIFO without a writer reads as empty instead of waiting.
  ///
  /// - Throws: `EFBIG` where it is longer than `limit` bytes.
  public static func read(_ path: FilePath, limit: Int) throws(SystemError) -> [UInt8] {
    try FileDescriptor.open(path, .readOnly, options: .nonBlocking).readAll(limit: limit)
  }

  /// Makes the names in a folder durable. File systems that cannot do this for folders are passed over in silence.
  public static func synchronizeFolder(at path: FilePath) throws(SystemError) {
    let folder = try FileDescriptor.open(path, .readOnly, options: .directory)
    do throws(SystemError) {
      try folder.synchronize()
    } catch  where error.isUnsupported {}
  }

  /// The space left for this user on the volume that holds a path, in bytes.
  public static func availableBytes(at path: FilePath) throws(SystemError) -> UInt64 {
    var status = statvfs()
    try call("statvfs", path) { path.withCString { Int(statvfs($0, &status)) } }
    let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return overflow ? .max : bytes
  }

  /// Sets permissions exactly; of a symbolic link `EOPNOTSUPP`.
  public static func setPermissions(_ permissions: UInt16, at path: FilePath) throws(SystemError) {
    try call("fchmodat", path) {
      path.withCString { Int(fchmodat(AT_FDCWD, $0, mode_t(permissions & 0o7777), AT_SYMLINK_NOFOLLOW)) }
    }
  }

  /// Sets the modification time, also of a symbolic link itself.
  ///
  /// - Parameter seconds: since 1970, negative before.
  /// - Throws: `EINVAL` for 1,000,000,000 nanoseconds and more.
  public static func setModificationTime(
    seconds: Int64, nanoseconds: UInt32, at path: FilePath
  ) throws(SystemError) {
    let times = try modificationTimes(seconds, nanoseconds, function: "utimensat", path: path)
    try call("utimensat", path) {
      path.withCString { place in
        times.withUnsafeBufferPointer { Int(utimensat(AT_FDCWD, place, $0.baseAddress, AT_SYMLINK_NOFOLLOW)) }
      }
    }
  }

  /// The kind of volume that holds a path.
  public static func kind(ofVolumeAt path: FilePath) throws(SystemError) -> VolumeKind {
    var type: UInt64 = 0
    try call("statfs", path) { path.withCString { Int(csystem_file_system_type($0, &type)) } }
    return VolumeKind(fileSystemType: type)
  }

  /// When a file was made, or `nil` where the file system does not keep that.
  ///
  /// - Returns: Seconds since 1970 and nanoseconds below 1,000,000,000.
  public static func birthTime(
    of path: FilePath
  ) throws(SystemError) -> (seconds: Int64, nanoseconds: UInt32)? {
    var seconds: Int64 = 0
    var nanoseconds: UInt32 = 0
    let result = try call("statx", path) { path.withCString { Int(csystem_birth_time($0, &seconds, &nanoseconds)) } }
    return result == 0 ? (seconds, nanoseconds) : nil
  }
}
