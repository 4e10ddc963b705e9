import CSystem
import Glibc

extension FileSystem {
  /// Copies bytes between two open files within the kernel where it can, else by reading and writing.
  ///
  /// Holes may become zeros. The positions of both files stay where they are.
  ///
  /// - Returns: How many bytes were copied: fewer than asked for only where the source ends.
  @discardableResult
  public static func copyRange(
    from source: borrowing FileDescriptor, at sourceOffset: UInt64,
    to target: borrowing FileDescriptor, at targetOffset: UInt64, count: UInt64
  ) throws(SystemError) -> UInt64 {
    guard sourceOffset.addingReportingOverflow(count).partialValue <= UInt64(Int64.max),
      targetOffset.addingReportingOverflow(count).partialValue <= UInt64(Int64.max),
      max(sourceOffset, targetOffset, count) <= UInt64(Int64.max)
    else { throw SystemError(function: "copy_file_range", path: source.path, code: EINVAL) }
    let from = source.rawValue
    let to = target.rawValue
    var copied: UInt64 = 0
    while copied < count {
      let part = Int(min(count - copied, 1 << 30))
      do throws(SystemError) {
        let got = try call("copy_file_range", source.path) {
          csystem_copy_file_range(from, Int64(sourceOffset + copied), to, Int64(targetOffset + copied), part)
        }
        if got == 0 { break }
        copied += UInt64(got)
      } catch  where error.isUnsupported || error.code == EXDEV || error.code == EBADF {
        // EBADF also says that the target was opened to append; writing then reports what is really wrong.
        return copied
          + (try copyByReading(
            source, at: sourceOffset + copied, target, at: targetOffset + copied, count: count - copied))
      }
    }
    return copied
  }

  private static func copyByReading(
    _ source: borrowing FileDescriptor, at sourceOffset: UInt64,
    _ target: borrowing FileDescriptor, at targetOffset: UInt64, count: UInt64
  ) throws(SystemError) -> UInt64 {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
    defer { piece.deallocate() }
    var copied: UInt64 = 0
    while copied < count {
      let wanted = Int(min(count - copied, UInt64(piece.count)))
      let got = try source.read(
        into: UnsafeMutableRawBufferPointer(rebasing: piece[..<wanted]), at: sourceOffset + copied)
      if got == 0 { break }
      try target.write(UnsafeRawBufferPointer(rebasing: piece[..<got]), at: targetOffset + copied)
      copied += UInt64(got)
    }
    return copied
  }

  /// Makes an open file share the other's storage (a reflink) in place of its own content.
  ///
  /// - Returns: Whether the file system could; nothing has changed where it could not.
  public static func clone(
    _ source: borrowing FileDescriptor, to target: borrowing FileDescriptor
  ) throws(SystemError) -> Bool {
    let from = source.rawValue
    let to = target.rawValue
    do throws(SystemError) {
      try call("ficlone", target.path) { Int(csystem_clone(from, to)) }
      return true
    } catch  where error.isUnsupported || error.code == EXDEV {
      return false
    }
  }
}
