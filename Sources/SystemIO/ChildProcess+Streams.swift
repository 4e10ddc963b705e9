import CSystem
import Glibc

extension ChildProcess {
  /// Writes all bytes to the program's input.
  ///
  /// - Throws: `EPIPE` where the program reads no more (never a signal); `EBADF` where its input is no pipe or closed.
  public func write(_ bytes: [UInt8]) throws(SystemError) {
    var start = 0
    while start < bytes.count {
      start += try call("write", program) {
        bytes.withUnsafeBytes {
          csystem_write_without_signal(inputEnd, $0.baseAddress.map { $0 + start }, $0.count - start)
        }
      }
    }
  }

  /// Lets the program see the end of its input.
  public func closeInput() {
    guard inputEnd >= 0 else { return }
    close(inputEnd)
    inputEnd = -1
  }

  /// Reads from the program's output, waiting for something; 0 at the end.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try call("read", program) { Glibc.read(outputEnd, buffer.baseAddress, buffer.count) }
  }

  /// Reads from the program's errors, waiting for something; 0 at the end.
  public func readErrors(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try call("read", program) { Glibc.read(errorEnd, buffer.baseAddress, buffer.count) }
  }

  /// Runs a program to its end with all three streams as pipes.
  ///
  /// A program that does not read its input is no error. A timeout kills the program and gives what it wrote so far.
  ///
  /// - Throws: Where it cannot be started; an exit status other than 0 is a result.
  public static func run(
    program: FilePath, arguments: [[UInt8]] = [], environment: [[UInt8]]? = nil, folder: FilePath? = nil,
    input: [UInt8] = [], timeoutMilliseconds: Int? = nil
  ) throws(SystemError) -> ProcessResult {
    let child = try spawn(
      program: program, arguments: arguments, environment: environment, folder: folder, input: .pipe, output: .pipe,
      errors: .pipe)
    do throws(SystemError) {
      var exchange = try PipeExchange(child, input: input, timeoutMilliseconds: timeoutMilliseconds)
      let isComplete = try exchange.run()
      if !isComplete { child.kill() }
      let end = try child.wait()
      return ProcessResult(
        status: end.status, signal: end.signal, output: exchange.output, errors: exchange.errors,
        isTimedOut: !isComplete)
    } catch {
      child.kill()
      _ = try? child.wait()
      throw error
    }
  }
}

/// Feeds and drains the three pipes of a program together, so that none of them fills up and stops it.
private struct PipeExchange {
  private let child: ChildProcess
  private let input: [UInt8]
  private var sent = 0
  private var isOutputOpen = true
  private var areErrorsOpen = true
  private let deadline: UInt64?
  private(set) var output: [UInt8] = []
  private(set) var errors: [UInt8] = []

  init(_ child: ChildProcess, input: [UInt8], timeoutMilliseconds: Int?) throws(SystemError) {
    self.child = child
    self.input = input
    deadline = timeoutMilliseconds.map { Clock.monotonicNanoseconds &+ UInt64(max($0, 0)) &* 1_000_000 }
    if input.isEmpty { child.closeInput() }
    for fd in [child.inputEnd, child.outputEnd, child.errorEnd] where fd >= 0 {
      try call("fcntl", child.program) { Int(csystem_set_nonblocking(fd, 1)) }
    }
  }

  /// Goes on until the program has closed its output and errors; false where the time was up before.
  mutating func run() throws(SystemError) -> Bool {
    while isOutputOpen || areErrorsOpen {
      var requests = [
        pollfd(fd: child.inputEnd, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: isOutputOpen ? child.outputEnd : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: areErrorsOpen ? child.errorEnd : -1, events: Int16(POLLIN), revents: 0),
      ]
      let wait = remainingMilliseconds()
      if wait == 0 { return false }
      try call("poll", child.program) { Int(poll(&requests, 3, wait)) }
      if requests[0].revents != 0 { try feed() }
      if requests[1].revents != 0 { isOutputOpen = try drain(child.outputEnd, to: &output) }
      if requests[2].revents != 0 { areErrorsOpen = try drain(child.errorEnd, to: &errors) }
    }
    return true
  }

  private func remainingMilliseconds() -> Int32 {
    guard let deadline else { return -1 }
    let now = Clock.monotonicNanoseconds
    return now >= deadline ? 0 : Int32(clamping: (deadline - now) / 1_000_000 + 1)
  }

  private mutating func feed() throws(SystemError) {
    do throws(SystemError) {
      sent += try call("write", child.program) {
        input.withUnsafeBytes {
          csystem_write_without_signal(child.inputEnd, $0.baseAddress.map { $0 + sent }, $0.count - sent)
        }
      }
      if sent == input.count { child.closeInput() }
    } catch  where error.code == EAGAIN {
    } catch  where error.code == EPIPE {
      child.closeInput()
    }
  }

  /// Whether more may come.
  private func drain(_ fd: Int32, to bytes: inout [UInt8]) throws(SystemError) -> Bool {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    do throws(SystemError) {
      let count = try call("read", child.program) { Glibc.read(fd, &piece, piece.count) }
      bytes += piece[..<count]
      return count > 0
    } catch  where error.code == EAGAIN {
      return true
    }
  }
}
