/// A time that grows along the version graph whatever the clocks do (R10): milliseconds since 1970 and a counter.
public struct LogicalTime: Hashable, Comparable, Sendable {
  /// The first millisecond of the year 1.
  public static let firstMillisecond: Int64 = -62_135_596_800_000
  /// The last millisecond of the year 9999.
  public static let lastMillisecond: Int64 = 253_402_300_799_999

  /// Milliseconds since 1970, in the years 1 to 9999.
  public let milliseconds: Int64
  public let counter: UInt32

  public init(milliseconds: Int64, counter: UInt32) {
    self.milliseconds = milliseconds
    self.counter = counter
  }

  /// The next count; after the last one the next millisecond; at the end of the range the same time.
  public var next: LogicalTime {
    if counter < .max { return LogicalTime(milliseconds: milliseconds, counter: counter + 1) }
    if milliseconds < Self.lastMillisecond { return LogicalTime(milliseconds: milliseconds + 1, counter: 0) }
    return self
  }

  /// The time of a new record: never before the wall clock, later than everything earlier.
  ///
  /// - Parameters:
  ///   - wallTime: milliseconds since 1970; brought into the years 1 to 9999.
  ///   - earlier: the logical times of all parents and of the record that the new one replaces.
  public static func following(wallTime: Int64, earlier: [LogicalTime]) -> LogicalTime {
    var time = LogicalTime(milliseconds: min(max(wallTime, firstMillisecond), lastMillisecond), counter: 0)
    for other in earlier { time = max(time, other.next) }
    return time
  }

  public static func < (left: LogicalTime, right: LogicalTime) -> Bool {
    left.milliseconds == right.milliseconds ? left.counter < right.counter : left.milliseconds < right.milliseconds
  }
}
