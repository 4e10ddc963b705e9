import Glibc

extension FileDescriptor {
  public func status() throws(SystemError) -> FileStatus {
    var status = stat()
    try call("fstat", path) { Int(fstat(rawValue, &status)) }
    return FileStatus(status)
  }

  /// Sets permissions exactly; `umask` does not matter.
  public func setPermissions(_ permissions: UInt16) throws(SystemError) {
    try call("fchmod", path) { Int(fchmod(rawValue, mode_t(permissions & 0o7777))) }
  }

  /// Sets the modification time; file systems round and clip it to what they can keep.
  ///
  /// - Parameter seconds: since 1970, negative before.
  /// - Throws: `EINVAL` for 1,000,000,000 nanoseconds and more.
  public func setModificationTime(seconds: Int64, nanoseconds: UInt32) throws(SystemError) {
    let times = try modificationTimes(seconds, nanoseconds, function: "futimens", path: path)
    try call("futimens", path) { times.withUnsafeBufferPointer { Int(futimens(rawValue, $0.baseAddress)) } }
  }

  /// Tries to take an advisory lock (`flock`) of the open file without waiting.
  ///
  /// Another descriptor of the same file conflicts even within this process. The lock goes with the descriptor, or with
  /// ``unlock()``. Calling again changes between shared and exclusive.
  ///
  /// - Returns: Whether it is held now.
  /// - Throws: An `isUnsupported` error where the file system has no locks.
  public func tryLock(exclusive: Bool) throws(SystemError) -> Bool {
    do throws(SystemError) {
      try call("flock", path) { Int(flock(rawValue, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB)) }
      return true
    } catch  where error.code == EWOULDBLOCK {
      return false
    }
  }

  public func unlock() throws(SystemError) {
    try call("flock", path) { Int(flock(rawValue, LOCK_UN)) }
  }
}

/// The argument of `utimensat` that leaves the access time alone.
func modificationTimes(
  _ seconds: Int64, _ nanoseconds: UInt32, function: String, path: FilePath?
) throws(SystemError) -> [timespec] {
  // Beyond this lie the system's own special values "now" and "leave it".
  guard nanoseconds < 1_000_000_000 else { throw SystemError(function: function, path: path, code: EINVAL) }
  let omit = (1 << 30) - 2
  return [timespec(tv_sec: 0, tv_nsec: omit), timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds))]
}
