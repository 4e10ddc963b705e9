#if DEBUG
  import Glibc

  /// The state of one run of fault injection; it belongs to one thread and to those that it starts.
  final class FaultSession {
    private let plan: FaultPlan
    private let monitor = Monitor()
    /// Held by who notes what is durable.
    let durability = Monitor()
    private var occurrences = 0
    private var isCrashed = false
    private(set) var isInjected = false
    private(set) var calls: [FaultReport.Call] = []
    var files: [FileIdentity: TrackedFile] = [:]
    var pending: [PendingChange] = []

    init(_ plan: FaultPlan) {
      self.plan = plan
    }

    /// Counts a call; the code it must fail with, if it must.
    func intercept(_ function: String, _ path: () -> FilePath?) -> Int32? {
      monitor.hold { count(function, path) }
    }

    private func count(_ function: String, _ path: () -> FilePath?) -> Int32? {
      let number = calls.count
      calls.append(FaultReport.Call(function: function, path: path()))
      switch plan.rule {
      case .none: return nil
      case .call(let planned, let code):
        guard number == planned else { return nil }
        isInjected = true
        return code
      case .function(let planned, let occurrence, let code):
        guard function == planned else { return nil }
        defer { occurrences += 1 }
        guard occurrences == occurrence else { return nil }
        isInjected = true
        return code
      case .crash(let count, _):
        guard number >= count else { return nil }
        isInjected = true
        isCrashed = true
        return ECANCELED
      }
    }

    /// Writes the first half of the bytes where the next call is the one that a plan tears.
    func tear(_ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Int) {
      guard case .crash(let count, tearsWrite: true) = plan.rule else { return }
      let isNext = monitor.hold { calls.count == count && !isCrashed }
      guard isNext else { return }
      _ = write(UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2)]))
    }
  }
#endif
