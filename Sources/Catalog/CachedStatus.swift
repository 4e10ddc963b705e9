public import Hashing

/// What the file system said of a working file when its bytes were last hashed.
public struct CachedStatus: Hashable, Sendable {
  /// In bytes.
  public var size: UInt64
  public var modificationSeconds: Int64
  public var modificationNanoseconds: UInt32
  public var changeSeconds: Int64
  public var changeNanoseconds: UInt32
  public var inode: UInt64
  public var device: UInt64
  /// When it was hashed, by the wall clock, in nanoseconds since 1970.
  public var checkedAt: Int64

  public init(
    size: UInt64, modificationSeconds: Int64, modificationNanoseconds: UInt32, changeSeconds: Int64,
    changeNanoseconds: UInt32, inode: UInt64, device: UInt64, checkedAt: Int64
  ) {
    self.size = size
    self.modificationSeconds = modificationSeconds
    self.modificationNanoseconds = modificationNanoseconds
    self.changeSeconds = changeSeconds
    self.changeNanoseconds = changeNanoseconds
    self.inode = inode
    self.device = device
    self.checkedAt = checkedAt
  }
}

extension ByteWriter {
  /// What the file system said of a file.
  public mutating func status(_ status: CachedStatus) {
    varint(status.size)
    zigzag(status.modificationSeconds)
    varint(UInt64(status.modificationNanoseconds))
    zigzag(status.changeSeconds)
    varint(UInt64(status.changeNanoseconds))
    varint(status.inode)
    varint(status.device)
    zigzag(status.checkedAt)
  }
}

extension ByteReader {
  /// What the file system said of a file.
  public mutating func status() throws(DecodingFailure) -> CachedStatus {
    CachedStatus(
      size: try varint(), modificationSeconds: try zigzag(),
      modificationNanoseconds: UInt32(try varint(limit: UInt64(UInt32.max))), changeSeconds: try zigzag(),
      changeNanoseconds: UInt32(try varint(limit: UInt64(UInt32.max))), inode: try varint(), device: try varint(),
      checkedAt: try zigzag())
  }
}
