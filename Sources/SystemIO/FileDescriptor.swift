import CSystem
import Glibc

/// An open file or folder. It closes itself at the end of its life, and no child process inherits it.
///
/// Interrupted calls are made again. Several threads may use the calls that take an offset; the others share one
/// position.
public struct FileDescriptor: ~Copyable, Sendable {
  public let rawValue: Int32
  /// What it was opened as, for messages.
  public let path: FilePath?

  /// Takes over an open descriptor.
  public init(adopting rawValue: Int32, path: FilePath? = nil) {
    self.rawValue = rawValue
    self.path = path
  }

  deinit {
    #if DEBUG
      // Whoever ends gives up its locks. A run of fault injection stands for a process that does, but shares its descriptors
      // with the children that other threads are just starting: closing alone would leave the lock with those.
      if FaultInjection.current != nil { _ = flock(rawValue, LOCK_UN) }
    #endif
    _ = Glibc.close(rawValue)
  }

  /// What an opened file can be used for.
  public enum Access: Hashable, Sendable {
    case readOnly
    case writeOnly
    case readWrite

    var flag: Int32 {
      switch self {
      case .readOnly: O_RDONLY
      case .writeOnly: O_WRONLY
      case .readWrite: O_RDWR
      }
    }
  }

  /// How a file is opened.
  public struct OpenOptions: OptionSet, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) {
      self.rawValue = rawValue
    }

    /// Makes the file where it is missing.
    public static let create = OpenOptions(rawValue: 1)
    /// With ``create``: `EEXIST` where the name is taken, even by a dangling link.
    public static let exclusive = OpenOptions(rawValue: 2)
    public static let truncate = OpenOptions(rawValue: 4)
    /// Every write goes to the end.
    public static let append = OpenOptions(rawValue: 8)
    /// `ELOOP` where the last component is a symbolic link (`ENOTDIR` with ``directory``).
    public static let noFollow = OpenOptions(rawValue: 16)
    /// Opening a FIFO or device does not wait for the other side.
    public static let nonBlocking = OpenOptions(rawValue: 32)
    /// `ENOTDIR` unless it is a folder.
    public static let directory = OpenOptions(rawValue: 64)
    /// Only a place in the file tree: status and calls relative to a folder work, reading does not.
    public static let path = OpenOptions(rawValue: 128)
    /// Reading leaves the access time alone; `EPERM` unless the file is the user's own.
    public static let noAccessTime = OpenOptions(rawValue: 256)

    var flags: Int32 {
      var flags = O_CLOEXEC
      if contains(.create) { flags |= O_CREAT }
      if contains(.exclusive) { flags |= O_EXCL }
      if contains(.truncate) { flags |= O_TRUNC }
      if contains(.append) { flags |= O_APPEND }
      if contains(.noFollow) { flags |= O_NOFOLLOW }
      if contains(.nonBlocking) { flags |= O_NONBLOCK }
      if contains(.directory) { flags |= O_DIRECTORY }
      if contains(.path) { flags |= csystem_o_path() }
      if contains(.noAccessTime) { flags |= csystem_o_noatime() }
      return flags
    }
  }

  /// Opens a path.
  ///
  /// - Parameter permissions: of a new file, less the process's `umask`.
  public static func open(
    _ path: FilePath, _ access: Access, options: OpenOptions = [], permissions: UInt16 = 0o666
  ) throws(SystemError) -> FileDescriptor {
    let descriptor = try opening(path, access, options) { () throws(SystemError) -> Int32 in
      Int32(
        truncatingIfNeeded: try call("open", path) {
          path.withCString { Int(Glibc.open($0, access.flag | options.flags, mode_t(permissions & 0o7777))) }
        })
    }
    return FileDescriptor(adopting: descriptor, path: path)
  }

  /// Opens one name below this folder; "", ".", ".." and names with a slash are refused with `EINVAL`.
  ///
  /// Without ``OpenOptions/noFollow`` a symbolic link is followed wherever it leads.
  public func open(
    _ name: some Collection<UInt8>, _ access: Access, options: OpenOptions = [], permissions: UInt16 = 0o666
  ) throws(SystemError) -> FileDescriptor {
    let name = Array(name)
    let path = pathOf(name)
    let folder = rawValue
    let descriptor = try Self.opening(path, access, options) { () throws(SystemError) -> Int32 in
      Int32(
        truncatingIfNeeded: try call("openat", path) {
          withComponent(name) {
            Int(openat(folder, $0, access.flag | options.flags, mode_t(permissions & 0o7777)))
          }
        })
    }
    return FileDescriptor(adopting: descriptor, path: path)
  }

  private static func opening(
    _ path: FilePath, _ access: Access, _ options: OpenOptions, _ body: () throws(SystemError) -> Int32
  ) throws(SystemError) -> Int32 {
    #if DEBUG
      guard let session = FaultInjection.current, access != .readOnly else { return try body() }
      let prepared = options.contains(.create) ? session.prepare(.creation(path)) : nil
      let descriptor = try body()
      session.finish(prepared)
      session.track(descriptor)
      return descriptor
    #else
      return try body()
    #endif
  }

  /// The path of a name in this folder, for messages.
  func pathOf(_ name: [UInt8]) -> FilePath {
    path?.appending(name) ?? FilePath(unchecked: name.isEmpty ? [.dot] : name)
  }
}
