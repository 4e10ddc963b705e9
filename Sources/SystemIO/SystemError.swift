import Glibc

/// A system call that failed.
public struct SystemError: Error, Equatable, Sendable {
  /// The C function's name.
  public let function: String
  /// What the call was about, where it was about a file.
  public let path: FilePath?
  /// The value of `errno`.
  public let code: Int32

  public init(function: String, path: FilePath?, code: Int32) {
    self.function = function
    self.path = path
    self.code = code
  }

  /// The file, or a folder on the way to it, is not there.
  public var isNotFound: Bool { code == ENOENT || code == ENOTDIR }
  public var isPermission: Bool { code == EACCES || code == EPERM }
  /// No space is left, or the user's share of it is used up.
  public var isNoSpace: Bool { code == ENOSPC || code == EDQUOT }
  public var isReadOnly: Bool { code == EROFS }
  public var alreadyExists: Bool { code == EEXIST }
  public var isNameTooLong: Bool { code == ENAMETOOLONG }
  /// A file is longer than the caller's limit.
  public var isTooLarge: Bool { code == EFBIG }
  /// The last component is a symbolic link and the call must not follow one.
  public var isSymbolicLink: Bool { code == ELOOP }
  /// The file system or the kernel cannot do this.
  public var isUnsupported: Bool {
    switch code {
    case EINVAL, ENOSYS, EOPNOTSUPP, ENOTTY, ENOLCK: true
    default: false
    }
  }

  /// The C library's text for the code, such as "No such file or directory".
  public var message: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress, strerror_r(code, start, buffer.count) == 0 else { return "Error \(code)" }
      return String(cString: start)
    }
  }
}

extension SystemError: CustomStringConvertible {
  public var description: String {
    guard let path else { return "\(function): \(message)" }
    return "\(function) \(path): \(message)"
  }
}
