import Glibc

/// A file's bytes in memory, read only, loaded as they are touched.
///
/// The mapping outlives its descriptor and ends with the last reference to this object; ``bytes`` must not be used
/// after.
///
/// - Warning: Where the file is cut while it is mapped, or its medium fails, touching the bytes ends the process with
///   `SIGBUS`. Map only files that dver never changes under their name and that others have no business to change.
public final class MappedFile: @unchecked Sendable {
  // Unchecked: the pointer is set once and what it points to is only read.
  public let bytes: UnsafeRawBufferPointer

  /// Maps the first `byteCount` bytes of an open file.
  ///
  /// - Throws: `EINVAL` where the file is shorter, or is no file.
  public init(_ descriptor: borrowing FileDescriptor, byteCount: Int) throws(SystemError) {
    let status = try descriptor.status()
    guard byteCount >= 0, status.kind == .file, UInt64(byteCount) <= status.size else {
      throw SystemError(function: "mmap", path: descriptor.path, code: EINVAL)
    }
    guard byteCount > 0 else {
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    let fd = descriptor.rawValue
    var start: UnsafeMutableRawPointer?
    try call("mmap", descriptor.path) {
      start = mmap(nil, byteCount, PROT_READ, MAP_PRIVATE, fd, 0)
      return start == MAP_FAILED ? -1 : 0
    }
    bytes = UnsafeRawBufferPointer(start: start, count: byteCount)
  }

  /// Maps a whole file. A link is followed; an empty file gives an empty buffer.
  public static func map(_ path: FilePath) throws(SystemError) -> MappedFile {
    let file = try FileDescriptor.open(path, .readOnly, options: .nonBlocking)
    let size = try file.status().size
    guard let byteCount = Int(exactly: size) else { throw SystemError(function: "mmap", path: path, code: EFBIG) }
    return try MappedFile(file, byteCount: byteCount)
  }

  /// Lets go of the memory of what was read so far; touching the bytes loads them again.
  public func release() {
    guard let start = bytes.baseAddress else { return }
    madvise(UnsafeMutableRawPointer(mutating: start), bytes.count, MADV_DONTNEED)
  }

  deinit {
    if let start = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: start), bytes.count) }
  }
}
