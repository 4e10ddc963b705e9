import Glibc

/// The system's clocks.
public enum Clock {
  /// Since 1970; it can jump, and say anything.
  public static var wallMilliseconds: Int64 {
    let time = now(CLOCK_REALTIME)
    let (milliseconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1000)
    guard !overflow else { return time.tv_sec < 0 ? .min : .max }
    return milliseconds.addingReportingOverflow(Int64(time.tv_nsec / 1_000_000)).partialValue
  }

  /// Since some moment of this run of the machine; it never goes back.
  public static var monotonicNanoseconds: UInt64 {
    let time = now(CLOCK_MONOTONIC)
    return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
  }

  private static func now(_ clock: clockid_t) -> timespec {
    var time = timespec()
    clock_gettime(clock, &time)
    return time
  }
}
