import CSystem
import Glibc

/// A running program, with pipes to those of its streams for which the caller asked.
///
/// Its calls block. One thread may write while another reads; otherwise they are for one thread at a time. When the
/// object's life ends the pipes are closed; the program is neither ended nor waited for.
public final class ChildProcess: @unchecked Sendable {
  // Unchecked: see above; the descriptors change only in `closeInput` and `wait`.

  /// Where one of the program's streams leads.
  public enum Stream: Hashable, Sendable {
    /// To this process's own stream.
    case inherited
    /// To nothing: reading ends at once, writing is lost.
    case null
    case pipe
  }

  public let processID: Int32
  public let program: FilePath
  var inputEnd: Int32
  let outputEnd: Int32
  let errorEnd: Int32
  private var end: Int32?

  private init(processID: Int32, program: FilePath, ends: [Int32]) {
    self.processID = processID
    self.program = program
    inputEnd = ends[0]
    outputEnd = ends[1]
    errorEnd = ends[2]
  }

  deinit {
    for fd in [inputEnd, outputEnd, errorEnd] where fd >= 0 { close(fd) }
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: a path, or a name without a slash that is searched in `PATH`.
  ///   - arguments: without the program's name.
  ///   - environment: `NAME=value` each; `nil` passes this process's on.
  ///   - folder: the program's working folder; a relative `program` is sought from there.
  /// - Throws: `ENOENT`, `EACCES` and others where the program or the folder cannot be used.
  public static func spawn(
    program: FilePath, arguments: [[UInt8]] = [], environment: [[UInt8]]? = nil, folder: FilePath? = nil,
    input: Stream = .null, output: Stream = .inherited, errors: Stream = .inherited
  ) throws(SystemError) -> ChildProcess {
    for text in arguments + (environment ?? []) where text.contains(0) {
      throw SystemError(function: "posix_spawn", path: program, code: EINVAL)
    }
    var ours: [Int32] = [-1, -1, -1]
    var theirs: [Int32] = [-1, -1, -1]
    defer { for fd in theirs where fd >= 0 { close(fd) } }
    do throws(SystemError) {
      for (number, stream) in [input, output, errors].enumerated() {
        (theirs[number], ours[number]) = try ends(of: stream, isInput: number == 0)
      }
      let process = try call("posix_spawn", program) {
        start(program, [program.bytes] + arguments, environment, folder, theirs)
      }
      return ChildProcess(processID: Int32(truncatingIfNeeded: process), program: program, ends: ours)
    } catch {
      for fd in ours where fd >= 0 { close(fd) }
      throw error
    }
  }

  private static func ends(
    of stream: Stream, isInput: Bool
  ) throws(SystemError) -> (theirs: Int32, ours: Int32) {
    switch stream {
    case .inherited: return (-1, -1)
    case .null:
      let fd = try call("open", FilePath("/dev/null")) { Int(open("/dev/null", O_RDWR | O_CLOEXEC)) }
      return (Int32(truncatingIfNeeded: fd), -1)
    case .pipe:
      var ends: [Int32] = [-1, -1]
      try call("pipe2", nil) { Int(csystem_pipe(&ends)) }
      return isInput ? (ends[0], ends[1]) : (ends[1], ends[0])
    }
  }

  private static func start(
    _ program: FilePath, _ arguments: [[UInt8]], _ environment: [[UInt8]]?, _ folder: FilePath?, _ fds: [Int32]
  ) -> Int {
    withCStrings(arguments) { arguments in
      program.withCString { program in
        func spawn(_ environment: UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Int {
          guard let folder else { return Int(csystem_spawn(program, arguments, environment, nil, fds)) }
          return folder.withCString { Int(csystem_spawn(program, arguments, environment, $0, fds)) }
        }
        guard let environment else { return spawn(UnsafePointer(csystem_environment())) }
        return withCStrings(environment) { spawn($0) }
      }
    }
  }

  /// Sends a signal; a program that has been waited for gets none.
  ///
  /// - Parameter signal: 9 ends the program at once (`SIGKILL`).
  public func kill(signal: Int32 = 9) {
    guard end == nil else { return }
    _ = Glibc.kill(processID, signal)
  }

  /// Waits for the program's end.
  ///
  /// - Returns: The exit status (128 + the signal where one ended it) and that signal.
  @discardableResult
  public func wait() throws(SystemError) -> (status: Int32, signal: Int32?) {
    if end == nil { end = Int32(truncatingIfNeeded: try call("waitpid", program) { Int(csystem_wait(processID, 0)) }) }
    return Self.decode(end ?? 0)
  }

  /// Like ``wait()``, but gives `nil` at once where the program still runs.
  public func endIfAny() throws(SystemError) -> (status: Int32, signal: Int32?)? {
    if end == nil {
      let result = Int32(truncatingIfNeeded: try call("waitpid", program) { Int(csystem_wait(processID, 1)) })
      if result == -2 { return nil }
      end = result
    }
    return Self.decode(end ?? 0)
  }

  private static func decode(_ end: Int32) -> (status: Int32, signal: Int32?) {
    end >= 256 ? (128 + (end - 256), end - 256) : (end, nil)
  }
}

/// Calls with an array of C strings that ends with a null pointer; the strings hold no zero bytes.
private func withCStrings(_ texts: [[UInt8]], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Int) -> Int {
  var offsets: [Int] = []
  var bytes: [CChar] = []
  for text in texts {
    offsets.append(bytes.count)
    bytes += text.map { CChar(bitPattern: $0) } + [0]
  }
  return bytes.withUnsafeMutableBufferPointer { buffer in
    var pointers: [UnsafeMutablePointer<CChar>?] = offsets.map { offset in buffer.baseAddress.map { $0 + offset } }
    pointers.append(nil)
    return pointers.withUnsafeBufferPointer { pointers in
      guard let start = pointers.baseAddress else { return -1 }
      return body(start)
    }
  }
}
