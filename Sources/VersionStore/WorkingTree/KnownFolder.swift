import SystemIO

/// What an index knows of a folder: its entries and, where it was looked at, all its other names.
///
/// It takes 64 bytes, all numbers little-endian:
///
///     offset  size  field
///     0       4     where the path begins, in the names; the empty path is the repository's own
///     4       4     length of the path
///     8       8     number of the first entry, count of entries
///     16      8     number of the first other name, count of other names
///     24      4     1 where the names are all that the folder has while it has the status that follows, else 0
///     28      4     nanoseconds of the modification
///     32      4     nanoseconds of the change
///     36      4     zero
///     40      8     seconds of the modification
///     48      8     seconds of the change
///     56      8     inode
struct KnownFolder {
  static let byteCount = 64

  let entries: Range<Int>
  let others: Range<Int>
  let stamp: FolderStamp?

  init(at offset: Int, in bytes: UnsafeRawBufferPointer) {
    func u32(_ place: Int) -> UInt32 {
      UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + place, as: UInt32.self))
    }
    func u64(_ place: Int) -> UInt64 {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + place, as: UInt64.self))
    }
    entries = Int(u32(8))..<Int(u32(8)) + Int(u32(12))
    others = Int(u32(16))..<Int(u32(16)) + Int(u32(20))
    guard u32(24) == 1 else {
      stamp = nil
      return
    }
    stamp = FolderStamp(
      modificationSeconds: Int64(bitPattern: u64(40)), modificationNanoseconds: u32(28),
      changeSeconds: Int64(bitPattern: u64(48)), changeNanoseconds: u32(32), inode: u64(56))
  }
}

/// By what it is seen that a folder has the names that it had.
struct FolderStamp: Equatable, Sendable {
  let modificationSeconds: Int64
  let modificationNanoseconds: UInt32
  let changeSeconds: Int64
  let changeNanoseconds: UInt32
  let inode: UInt64
}

extension FolderStamp {
  init(_ status: FileStatus) {
    self.init(
      modificationSeconds: status.modificationSeconds, modificationNanoseconds: status.modificationNanoseconds,
      changeSeconds: status.changeSeconds, changeNanoseconds: status.changeNanoseconds, inode: status.inode)
  }

  /// Whether a folder that had this stamp and was read after a moment can't have changed in between.
  func isTrusted(at nanoseconds: Int64, on volume: VolumeKind) -> Bool {
    guard volume.hasStableInodes || volume == .tmpfs else { return false }
    let (whole, overflow) = changeSeconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return false }
    let (changed, isTooLate) = whole.addingReportingOverflow(Int64(changeNanoseconds))
    return !isTooLate && changed < nanoseconds - volume.granularity
  }
}

/// A folder that was read, with all its names.
struct ReadFolder: Sendable {
  struct Name: Sendable {
    let bytes: [UInt8]
    let kind: FileKind?
  }

  let path: [UInt8]
  let stamp: FolderStamp
  let names: [Name]
}
