import CSystem
import Glibc

/// The three streams that a process starts with: 0 input, 1 output, 2 errors.
public enum StandardStream {
  /// Writes all bytes, waiting for slow readers.
  ///
  /// - Throws: `EPIPE` where nobody reads any more, provided that ``Interruption/install()`` was called: without it the
  ///   process is ended.
  public static func write(_ bytes: UnsafeRawBufferPointer, to stream: Int32) throws(SystemError) {
    var start = 0
    while start < bytes.count {
      do throws(SystemError) {
        start += try call("write", nil) {
          Glibc.write(stream, bytes.baseAddress.map { $0 + start }, bytes.count - start)
        }
      } catch  where error.code == EAGAIN {
        try wait(for: stream, events: Int16(POLLOUT))
      }
    }
  }

  /// Writes all bytes, likewise.
  public static func write(_ bytes: [UInt8], to stream: Int32) throws(SystemError) {
    try bytes.withUnsafeBufferPointer { (buffer) throws(SystemError) in
      try write(UnsafeRawBufferPointer(buffer), to: stream)
    }
  }

  /// Reads what is there, waiting for something; 0 at the end.
  ///
  /// - Throws: `ECANCELED` where somebody asked this process to end (``Interruption``): the wait could be long.
  public static func read(into buffer: UnsafeMutableRawBufferPointer, from stream: Int32 = 0) throws(SystemError) -> Int
  {
    while true {
      do throws(SystemError) {
        return try call("read", nil) {
          if Interruption.isRequested {
            errno = ECANCELED
            return -1
          }
          return Glibc.read(stream, buffer.baseAddress, buffer.count)
        }
      } catch  where error.code == EAGAIN {
        try wait(for: stream, events: Int16(POLLIN))
      }
    }
  }

  /// Reads a stream to its end.
  ///
  /// - Throws: `EFBIG` where more than `limit` bytes come.
  public static func readAll(_ stream: Int32 = 0, limit: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { piece.deallocate() }
    while true {
      let count = try read(into: piece, from: stream)
      if count == 0 { return bytes }
      guard count <= limit - bytes.count else { throw SystemError(function: "read", path: nil, code: EFBIG) }
      bytes += piece[..<count]
    }
  }

  public static func isTerminal(_ stream: Int32) -> Bool { isatty(stream) == 1 }

  /// In columns; `nil` where the stream is no terminal or does not tell.
  public static func terminalWidth(_ stream: Int32) -> Int? {
    let columns = csystem_terminal_columns(stream)
    return columns > 0 ? Int(columns) : nil
  }

  private static func wait(for stream: Int32, events: Int16) throws(SystemError) {
    var request = pollfd(fd: stream, events: events, revents: 0)
    try call("poll", nil) { Int(poll(&request, 1, -1)) }
  }
}
