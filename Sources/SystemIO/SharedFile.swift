/// An open file that several threads use, by the calls that take an offset.
public final class SharedFile: Sendable {
  public let descriptor: FileDescriptor

  public init(_ descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
  }

  /// So many bytes from an offset on; fewer where the file ends before.
  public func bytes(at offset: UInt64, count: Int) throws(SystemError) -> [UInt8] {
    try descriptor.bytes(at: offset, count: count)
  }
}

extension FileDescriptor {
  /// So many bytes from an offset on; fewer where the file ends before.
  public func bytes(at offset: UInt64, count: Int) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    // At least one: all arrays without room are one object, and setting its count is a data race.
    let bytes = [UInt8](unsafeUninitializedCapacity: max(count, 1)) { buffer, filled in
      let space = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count])
      do throws(SystemError) {
        while filled < count {
          let rest = UnsafeMutableRawBufferPointer(rebasing: space[filled...])
          let got = try read(into: rest, at: offset + UInt64(filled))
          if got == 0 { return }
          filled += got
        }
      } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
  }
}
