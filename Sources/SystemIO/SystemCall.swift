import Glibc

/// Makes a system call: retries it when interrupted, and gives tests of debug builds the chance to let it fail.
///
/// The body returns the call's result, -1 with `errno` set for a failure.
@inline(__always) @discardableResult
func call(
  _ function: StaticString, _ path: @autoclosure () -> FilePath?, _ body: () -> Int
) throws(SystemError) -> Int {
  #if DEBUG
    if let session = FaultInjection.current, let code = session.intercept(function.description, path) {
      throw SystemError(function: function.description, path: path(), code: code)
    }
  #endif
  while true {
    let result = body()
    if result != -1 { return result }
    let code = errno
    if code == EINTR { continue }
    throw SystemError(function: function.description, path: path(), code: code)
  }
}

/// Lets fault injection note what a call changes that a power loss could take back. Costs nothing in release builds.
@inline(__always) @discardableResult
func noting<Value>(
  _ change: @autoclosure () -> Change, _ body: () throws(SystemError) -> Value
) throws(SystemError) -> Value {
  #if DEBUG
    guard let session = FaultInjection.current else { return try body() }
    let prepared = session.prepare(change())
    do {
      let value = try body()
      session.finish(prepared)
      return value
    } catch {
      session.fail(prepared)
      throw error
    }
  #else
    return try body()
  #endif
}

/// A change whose durability matters.
enum Change {
  /// A name appears: file, folder or link.
  case creation(FilePath)
  case removal(FilePath)
  case rename(FilePath, to: FilePath, RenameMode)
  /// `fsync` or `fdatasync`.
  case synchronization(Int32)
  /// `syncfs`.
  case volumeSynchronization
  case truncation(Int32, length: UInt64)
}
