import Glibc

/// What a name in a folder stands for.
public enum FileKind: Hashable, Sendable {
  case file
  case folder
  case symbolicLink
  case fifo
  case socket
  case device
  case other

  init(mode: UInt32) {
    switch mode & UInt32(S_IFMT) {
    case UInt32(S_IFREG): self = .file
    case UInt32(S_IFDIR): self = .folder
    case UInt32(S_IFLNK): self = .symbolicLink
    case UInt32(S_IFIFO): self = .fifo
    case UInt32(S_IFSOCK): self = .socket
    case UInt32(S_IFCHR), UInt32(S_IFBLK): self = .device
    default: self = .other
    }
  }

  /// `d_type` of `readdir` holds the same number as the mode's upper four bits; 0 is "unknown".
  init?(entryType: UInt8) {
    guard entryType != 0 else { return nil }
    self.init(mode: UInt32(entryType) << 12)
  }
}
