import Glibc
import SystemIO

/// Makes the calling thread an ordinary user for file access, where it is root: permissions then count.
struct OtherUser {
  private typealias SetFileUser = @convention(c) (UInt32) -> Int32
  private let setFileUser: SetFileUser?

  /// `nil` where it can't be done.
  init?() {
    guard geteuid() == 0 else {
      setFileUser = nil
      return
    }
    guard let symbol = dlsym(nil, "setfsuid") else { return nil }
    setFileUser = unsafeBitCast(symbol, to: SetFileUser.self)
  }

  /// Runs the body without the rights of root. Files that root made belong to somebody else then, except that reading and
  /// writing is checked against the bits for others.
  func run<Value>(_ body: () throws -> Value) rethrows -> Value {
    guard let setFileUser else { return try body() }
    _ = setFileUser(65_534)
    defer { _ = setFileUser(0) }
    return try body()
  }
}

/// Makes a pipe with a name; 0 for success.
func mkfifo(_ path: FilePath, _ mode: mode_t) -> Int32 {
  Glibc.mkfifo(String(decoding: path.bytes, as: UTF8.self), mode)
}
