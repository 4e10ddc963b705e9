import Hashing
import ObjectStorage
import SystemIO
import Versioning

/// What a working file is now, read from disk.
struct WorkingFile: Equatable {
  var kind: VersionKind
  var status: FileStatus
  /// The SHA-256 of the bytes, of the link's target, or of the package's manifest.
  var content: ObjectID
  /// The bytes that the size field of a version counts.
  var byteCount: UInt64
  /// The bytes of a file or link target that fits memory; `nil` for a larger one, which is read in pieces.
  var bytes: [UInt8]?
  /// How the bytes are to be stored as those of a new document, where that was worked out.
  var prepared: PreparedBlob?
  /// Where a file that doesn't fit memory is cut, where that was asked for.
  var chunks: ChunkList?
  /// The entries of a package with where their content is.
  var manifest: PackageManifest?
  /// The real time, in nanoseconds since 1970, before it was looked at.
  var checkedAt: Int64
  /// The pipes, sockets and devices in a package, which no version has, as paths inside it.
  var leftOut: [DocumentPath] = []

  var mode: UInt16 { status.permissions }

  /// The mode that a version has: a link has no permissions of its own, so it is the same on every system.
  var recordedMode: UInt16 { kind == .symbolicLink ? 0o777 : mode }

  var modificationTime: FileTime { status.modificationTime }

  /// Whether content, mode and kind are those of a version (R7); the time alone is no difference (R15).
  func isEqual(to version: VersionRecord) -> Bool {
    kind == version.kind && content == version.content && (kind == .symbolicLink || mode == version.mode)
  }
}

extension FileStatus {
  var modificationTime: FileTime {
    FileTime(seconds: modificationSeconds, nanoseconds: min(modificationNanoseconds, 999_999_999))
      ?? FileTime(wholeSeconds: modificationSeconds)
  }

  /// Whether a file that was read between the two is the same and was left alone.
  func isSameFile(as other: FileStatus) -> Bool {
    inode == other.inode && device == other.device && size == other.size
      && modificationSeconds == other.modificationSeconds && modificationNanoseconds == other.modificationNanoseconds
      && changeSeconds == other.changeSeconds && changeNanoseconds == other.changeNanoseconds
  }
}
