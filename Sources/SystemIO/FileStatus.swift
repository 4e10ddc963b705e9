import Glibc

/// What the system knows about a file without reading it.
public struct FileStatus: Equatable, Sendable {
  public let kind: FileKind
  /// In bytes; of a symbolic link the length of its target text.
  public let size: UInt64
  /// Permission bits with set-user-id, set-group-id and sticky: at most 0o7777.
  public let permissions: UInt16
  /// Since 1970, negative before.
  public let modificationSeconds: Int64
  /// Below 1,000,000,000.
  public let modificationNanoseconds: UInt32
  /// When content, permissions, owner or names last changed (`ctime`); no program can set it.
  public let changeSeconds: Int64
  public let changeNanoseconds: UInt32
  public let inode: UInt64
  public let device: UInt64
  public let linkCount: UInt64
  /// Allocated space in units of 512 bytes.
  public let blocks: UInt64

  init(_ status: stat) {
    kind = FileKind(mode: UInt32(status.st_mode))
    size = UInt64(clamping: status.st_size)
    permissions = UInt16(status.st_mode & 0o7777)
    modificationSeconds = Int64(status.st_mtim.tv_sec)
    modificationNanoseconds = UInt32(clamping: status.st_mtim.tv_nsec)
    changeSeconds = Int64(status.st_ctim.tv_sec)
    changeNanoseconds = UInt32(clamping: status.st_ctim.tv_nsec)
    inode = UInt64(status.st_ino)
    device = UInt64(status.st_dev)
    linkCount = UInt64(status.st_nlink)
    blocks = UInt64(clamping: status.st_blocks)
  }

  /// Asks about a path. Only the last component is not followed.
  public static func of(_ path: FilePath, followingLinks: Bool = false) throws(SystemError) -> FileStatus {
    var status = stat()
    try call("stat", path) {
      path.withCString { Int(fstatat(AT_FDCWD, $0, &status, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW)) }
    }
    return FileStatus(status)
  }
}
