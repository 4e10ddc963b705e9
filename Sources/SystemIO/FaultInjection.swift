#if DEBUG
  import CSystem

  /// Lets system calls of one thread fail as planned. Only debug builds have it.
  public enum FaultInjection {
    static var current: FaultSession? {
      guard let pointer = csystem_thread_value() else { return nil }
      return Unmanaged<FaultSession>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Runs the body under a plan: every system call that this module makes on this thread until the body returns is
    /// counted and may fail. Runs do not nest; calls on other threads are not touched.
    public static func run<Value, Failure: Error>(
      _ plan: FaultPlan, _ body: () throws(Failure) -> Value
    ) -> (result: Result<Value, Failure>, report: FaultReport) {
      precondition(current == nil, "Fault injection does not nest")
      let session = FaultSession(plan)
      let pointer = Unmanaged.passRetained(session)
      csystem_set_thread_value(pointer.toOpaque())
      defer {
        csystem_set_thread_value(nil)
        pointer.release()
      }
      let result: Result<Value, Failure>
      do throws(Failure) {
        result = .success(try body())
      } catch {
        result = .failure(error)
      }
      return (result, FaultReport(session))
    }

    /// Runs the body without faults and without noting anything, within a run.
    static func suspended<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
      let pointer = csystem_thread_value()
      csystem_set_thread_value(nil)
      defer { csystem_set_thread_value(pointer) }
      return try body()
    }

    /// Within a run: what ``FaultReport/simulatePowerLoss(keeping:)`` does, at this moment.
    public static func simulatePowerLoss() throws(SystemError) {
      guard let session = current else { return }
      try suspended { () throws(SystemError) in try session.loseWhatIsNotDurable(keeping: 0) }
    }
  }
#endif
