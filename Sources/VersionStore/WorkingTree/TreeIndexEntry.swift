import Catalog
import SystemIO
import Versioning

/// What an index knows of one path.
struct TreeIndexEntry: Equatable {
  /// What is known of a path.
  struct Facts: OptionSet {
    let rawValue: UInt32

    /// There is a row for a working file.
    static let hasFile = Facts(rawValue: 1)
    /// The working file was placed or saved: its absence means something.
    static let isPlaced = Facts(rawValue: 2)
    /// A file or link of this status can't have changed since it was read.
    static let isTrusted = Facts(rawValue: 4)
    static let isLink = Facts(rawValue: 8)
    /// The document needs nobody's attention: the file is at its current version, and there is no conflict.
    static let isSettled = Facts(rawValue: 16)

    static let all: Facts = [hasFile, isPlaced, isTrusted, isLink, isSettled]
  }

  var facts: Facts
  var size: UInt64 = 0
  var modificationSeconds: Int64 = 0
  var modificationNanoseconds: UInt32 = 0
  var changeSeconds: Int64 = 0
  var changeNanoseconds: UInt32 = 0
  var inode: UInt64 = 0

  /// - Parameter isSettled: whether a status has nothing to say of the documents at the path.
  init(_ row: FileRow?, isSettled: Bool, on volume: VolumeKind) {
    facts = isSettled ? .isSettled : []
    guard let row else { return }
    facts.insert(.hasFile)
    if row.unplacedReason == nil { facts.insert(.isPlaced) }
    if row.kind == .symbolicLink { facts.insert(.isLink) }
    guard let status = row.status, row.hasTrustedStatus(on: volume) else { return }
    facts.insert(.isTrusted)
    size = status.size
    modificationSeconds = status.modificationSeconds
    modificationNanoseconds = status.modificationNanoseconds
    changeSeconds = status.changeSeconds
    changeNanoseconds = status.changeNanoseconds
    inode = status.inode
  }
}

/// An entry takes 56 bytes, all numbers little-endian:
///
///     offset  size  field
///     0       4     where the name begins, in the names
///     4       4     length of the name
///     8       4     facts
///     12      4     nanoseconds of the modification
///     16      4     nanoseconds of the change
///     20      4     zero
///     24      8     size
///     32      8     seconds of the modification
///     40      8     seconds of the change
///     48      8     inode
extension TreeIndexEntry {
  static let byteCount = 56

  init(at offset: Int, in bytes: UnsafeRawBufferPointer) {
    func u32(_ place: Int) -> UInt32 {
      UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + place, as: UInt32.self))
    }
    func u64(_ place: Int) -> UInt64 {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + place, as: UInt64.self))
    }
    facts = Facts(rawValue: u32(8))
    modificationNanoseconds = u32(12)
    changeNanoseconds = u32(16)
    size = u64(24)
    modificationSeconds = Int64(bitPattern: u64(32))
    changeSeconds = Int64(bitPattern: u64(40))
    inode = u64(48)
  }

  /// Whether a file of this status can't have changed since it was last read.
  func isUnchanged(_ now: FileStatus) -> Bool {
    facts.isSuperset(of: [.hasFile, .isPlaced, .isTrusted])
      && now.kind == (facts.contains(.isLink) ? .symbolicLink : .file) && size == now.size
      && modificationSeconds == now.modificationSeconds && modificationNanoseconds == now.modificationNanoseconds
      && changeSeconds == now.changeSeconds && changeNanoseconds == now.changeNanoseconds && inode == now.inode
  }
}
