import Glibc
import SystemIO

/// The two ends of a pipe to a child; none where nothing was opened.
struct Pipe {
  private(set) var reading: Int32 = -1
  private(set) var writing: Int32 = -1

  /// Opens a pipe whose ends no child inherits.
  static func open() throws(BenchmarkError) -> Pipe {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw .system(SystemError(function: "pipe", path: nil, code: errno)) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return Pipe(reading: ends[0], writing: ends[1])
  }

  mutating func closeWriting() {
    if writing >= 0 { Glibc.close(writing) }
    writing = -1
  }

  mutating func close() {
    closeWriting()
    if reading >= 0 { Glibc.close(reading) }
    reading = -1
  }

  /// Everything up to the end; nothing where no pipe was opened.
  func readAll() -> [UInt8] {
    guard reading >= 0 else { return [] }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(reading, &buffer, buffer.count)
      if count > 0 {
        bytes += buffer[..<count]
      } else if count == 0 || errno != EINTR {
        return bytes
      }
    }
  }
}
