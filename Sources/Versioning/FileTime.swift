/// A file's modification time: seconds since 1970, before it negative, and nanoseconds after that second (R15).
public struct FileTime: Hashable, Comparable, Sendable {
  public let seconds: Int64
  /// 0 to 999,999,999.
  public let nanoseconds: UInt32

  /// Creates a time, or `nil` where the nanoseconds are a second or more.
  public init?(seconds: Int64, nanoseconds: UInt32) {
    guard nanoseconds < 1_000_000_000 else { return nil }
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Creates the time of a whole second.
  public init(wholeSeconds: Int64) {
    seconds = wholeSeconds
    nanoseconds = 0
  }

  public static func < (left: FileTime, right: FileTime) -> Bool {
    left.seconds == right.seconds ? left.nanoseconds < right.nanoseconds : left.seconds < right.seconds
  }
}
