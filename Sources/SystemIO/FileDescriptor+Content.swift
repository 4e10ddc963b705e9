import CSystem
import Glibc

extension FileDescriptor {
  /// Reads at the current position; 0 at the end. It may read less than there is room for.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try call("read", path) { Glibc.read(rawValue, buffer.baseAddress, buffer.count) }
  }

  /// Reads at an offset and leaves the position alone; 0 at or behind the end. It may read less than there is room for.
  public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SystemError) -> Int {
    let start = try signed(offset, "pread")
    return try call("pread", path) { Glibc.pread(rawValue, buffer.baseAddress, buffer.count, start) }
  }

  /// Reads from the position to the end.
  ///
  /// - Throws: `EFBIG` where more than `limit` bytes are left; at most `limit` + 1 bytes have been read by then.
  public func readAll(limit: Int) throws(SystemError) -> [UInt8] {
    let most = limit == .max ? limit : max(limit, 0) + 1
    var bytes: [UInt8] = []
    // One byte of room beyond the expected size lets a single pass see the end.
    var room = min(most, Int(clamping: min(max(try status().size, 511), UInt64(Int.max - 1))) + 1)
    while true {
      let count = try append(to: &bytes, atMost: room)
      guard bytes.count < most else { throw SystemError(function: "read", path: path, code: EFBIG) }
      if count < room { return bytes }
      room = min(most - bytes.count, 1 << 16)
    }
  }

  /// Reads until `room` bytes have come or the end has; less than `room` is the end.
  private func append(to bytes: inout [UInt8], atMost room: Int) throws(SystemError) -> Int {
    var failure: SystemError?
    var total = 0
    // At least one: all arrays without room are one object, and setting its count is a data race.
    let part = [UInt8](unsafeUninitializedCapacity: max(room, 1)) { buffer, count in
      do throws(SystemError) {
        while total < room {
          let got = try read(
            into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[total...]))
          if got == 0 { break }
          total += got
        }
      } catch {
        failure = error
      }
      count = total
    }
    if let failure { throw failure }
    if bytes.isEmpty { bytes = part } else { bytes += part }
    return total
  }

  /// Writes all bytes at the position.
  ///
  /// - Throws: After an error any part of the bytes may have been written.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    #if DEBUG
      FaultInjection.current?.tear(bytes) { Glibc.write(rawValue, $0.baseAddress, $0.count) }
    #endif
    var rest = bytes
    repeat {
      let count = try call("write", path) { Glibc.write(rawValue, rest.baseAddress, rest.count) }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    } while !rest.isEmpty
  }

  public func write(_ bytes: [UInt8]) throws(SystemError) {
    try Self.withRawBytes(bytes) { (buffer) throws(SystemError) in try write(buffer) }
  }

  /// Writes all bytes at an offset and leaves the position alone. A file opened to append gets them at its end.
  ///
  /// - Throws: After an error any part of the bytes may have been written.
  public func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SystemError) {
    var start = try signed(offset, "pwrite")
    #if DEBUG
      FaultInjection.current?.tear(bytes) { Glibc.pwrite(rawValue, $0.baseAddress, $0.count, start) }
    #endif
    var rest = bytes
    repeat {
      let count = try call("pwrite", path) { Glibc.pwrite(rawValue, rest.baseAddress, rest.count, start) }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      start += off_t(count)
    } while !rest.isEmpty
  }

  public func write(_ bytes: [UInt8], at offset: UInt64) throws(SystemError) {
    try Self.withRawBytes(bytes) { (buffer) throws(SystemError) in try write(buffer, at: offset) }
  }

  private static func withRawBytes(
    _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(SystemError) -> Void
  ) throws(SystemError) {
    var failure: SystemError?
    bytes.withUnsafeBytes { buffer in
      do throws(SystemError) { try body(buffer) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Waits until the file's bytes and length are on stable storage (`fdatasync`).
  ///
  /// A new file can still vanish in a power loss until its folder is synchronized too.
  ///
  /// - Throws: `ENOSPC` or `EIO` where the device refused the bytes. After either the file's content is unknown, a
  ///   later success says nothing about them, and the caller must not acknowledge the write.
  public func synchronizeData() throws(SystemError) {
    try noting(.synchronization(rawValue)) { () throws(SystemError) in
      try call("fdatasync", path) { Int(Glibc.fdatasync(rawValue)) }
    }
  }

  /// Like ``synchronizeData()`` with times and permissions (`fsync`); of a folder, the names in it.
  public func synchronize() throws(SystemError) {
    try noting(.synchronization(rawValue)) { () throws(SystemError) in
      try call("fsync", path) { Int(Glibc.fsync(rawValue)) }
    }
  }

  /// Waits until everything on the volume that this file or folder is on is on stable storage (`syncfs`): contents, times,
  /// permissions and names of all files, whoever wrote them.
  ///
  /// For many files that costs a small part of what it costs to wait for each of them.
  ///
  /// - Throws: `EIO` or `ENOSPC` where the device refused something since this file was opened: which files' content is
  ///   unknown then nobody can tell. An `isUnsupported` error where the system keeps such refusals to itself.
  public func synchronizeVolume() throws(SystemError) {
    guard Self.canSynchronizeVolumes else { throw SystemError(function: "syncfs", path: path, code: ENOTSUP) }
    try noting(.volumeSynchronization) { () throws(SystemError) in
      try call("syncfs", path) { Int(csystem_syncfs(rawValue)) }
    }
  }

  /// Whether ``synchronizeVolume()`` tells of what the device refused.
  public static var canSynchronizeVolumes: Bool { csystem_syncfs_reports_errors() != 0 }

  /// Cuts the file, or lengthens it with zeros.
  public func truncate(to length: UInt64) throws(SystemError) {
    let end = try signed(length, "ftruncate")
    try noting(.truncation(rawValue, length: length)) { () throws(SystemError) in
      try call("ftruncate", path) { Int(Glibc.ftruncate(rawValue, end)) }
    }
  }

  /// Moves the position.
  public func seek(to offset: UInt64) throws(SystemError) {
    let start = try signed(offset, "lseek")
    try call("lseek", path) { Int(Glibc.lseek(rawValue, start, SEEK_SET)) }
  }

  /// The first byte at or after an offset that is not in a hole; `nil` where there is none up to the end. Moves the
  /// position.
  public func nextDataOffset(from offset: UInt64) throws(SystemError) -> UInt64? {
    try seekSparse(offset, csystem_seek_data)
  }

  /// The first hole at or after an offset, the file's end counting as one; `nil` at or behind the end. Moves the
  /// position.
  public func nextHoleOffset(from offset: UInt64) throws(SystemError) -> UInt64? {
    try seekSparse(offset, csystem_seek_hole)
  }

  private func seekSparse(_ offset: UInt64, _ seek: (Int32, off_t) -> off_t) throws(SystemError) -> UInt64? {
    let start = try signed(offset, "lseek")
    do throws(SystemError) {
      return UInt64(clamping: try call("lseek", path) { Int(seek(rawValue, start)) })
    } catch  where error.code == ENXIO {
      return nil
    }
  }

  /// Offsets beyond what the system can express fail as it would say itself.
  func signed(_ offset: UInt64, _ function: String) throws(SystemError) -> off_t {
    guard let value = off_t(exactly: offset) else { throw SystemError(function: function, path: path, code: EINVAL) }
    return value
  }
}
