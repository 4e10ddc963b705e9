#if DEBUG
  /// Which system calls fail. Calls count from 0.
  public struct FaultPlan: Sendable {
    enum Rule: Sendable {
      case none
      case call(Int, code: Int32)
      case function(String, occurrence: Int, code: Int32)
      case crash(after: Int, tearsWrite: Bool)
    }

    let rule: Rule

    /// No call fails; calls and durability are noted.
    public static let observing = FaultPlan(rule: .none)

    /// The call of that number, of whatever function, fails with a code of `errno` and does nothing.
    public static func failing(call number: Int, errno code: Int32) -> FaultPlan {
      FaultPlan(rule: .call(number, code: code))
    }

    /// The call of one C function fails, such as the first (0) "fdatasync". After a failed `fsync` or `fdatasync` the
    /// file's bytes since the last success never become durable, whatever is synchronized later.
    public static func failing(function: String, errno code: Int32, occurrence: Int = 0) -> FaultPlan {
      FaultPlan(rule: .function(function, occurrence: occurrence, code: code))
    }

    /// So many calls work, all after them fail with `ECANCELED` and do nothing, as if the process had ended.
    public static func crashing(afterCalls count: Int) -> FaultPlan {
      FaultPlan(rule: .crash(after: count, tearsWrite: false))
    }

    /// Like ``crashing(afterCalls:)``; where the first call that fails is a write, half of its bytes are written.
    public static func tearing(afterCalls count: Int) -> FaultPlan {
      FaultPlan(rule: .crash(after: count, tearsWrite: true))
    }
  }
#endif
