/// The kinds of file systems that behave differently enough to matter.
public enum VolumeKind: Hashable, Sendable {
  case ext
  case xfs
  case btrfs
  case zfs
  case f2fs
  case apfs
  case tmpfs
  case overlay
  /// Files on another machine, or behind a program (FUSE), which may be.
  case network
  case fat
  case other

  /// Whether a file keeps its inode number and birth time for good, also across mounts.
  public var hasStableInodes: Bool {
    switch self {
    case .ext, .xfs, .btrfs, .zfs, .f2fs, .apfs: true
    case .tmpfs, .overlay, .network, .fat, .other: false
    }
  }

  public var isNetwork: Bool { self == .network }

  /// Whether ``FileDescriptor/synchronizeVolume()`` reaches the device.
  public var canBeSynchronizedWhole: Bool {
    switch self {
    case .ext, .xfs, .btrfs, .f2fs, .tmpfs: true
    case .zfs, .apfs, .overlay, .network, .fat, .other: false
    }
  }

  /// Source: statfs(2) and linux/magic.h.
  init(fileSystemType type: UInt64) {
    switch type {
    case 0xEF53: self = .ext
    case 0x5846_5342: self = .xfs
    case 0x9123_683E: self = .btrfs
    case 0x2FC1_2FC1: self = .zfs
    case 0xF2F5_2010: self = .f2fs
    case 0x4253_584E, 0x4253_5041: self = .apfs
    case 0x0102_1994, 0x8584_58F6: self = .tmpfs
    case 0x794C_7630: self = .overlay
    case 0x4D44, 0x2011_BAB0: self = .fat
    case 0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42: self = .network  // NFS, SMB, CIFS, SMB2
    case 0x5346_414F, 0x6B41_4653, 0x7375_7245, 0x564C: self = .network  // AFS (two), Coda, NetWare
    case 0x0102_1997, 0x00C3_6400, 0x0BD0_0BD0: self = .network  // 9P, Ceph, Lustre
    case 0x0116_1970, 0x7461_636F, 0x786F_4256: self = .network  // GFS2, OCFS2, VirtualBox
    case 0x6573_5546: self = .network  // FUSE
    default: self = .other
    }
  }
}
