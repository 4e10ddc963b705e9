import CSystem
import Glibc

/// A thread that runs one body and ends with it.
///
/// Under fault injection its system calls count as those of the thread that started it.
struct WorkerThread {
  private let thread: pthread_t

  /// Starts a thread; `nil` where the system has none left.
  init?(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let start = Unmanaged.passRetained(Start(body, csystem_thread_value()))
    let code = pthread_create(&thread, nil, { Start.run($0) }, start.toOpaque())
    guard code == 0 else {
      start.release()
      return nil
    }
    self.thread = thread
  }

  /// Waits for the end of the body.
  func join() {
    pthread_join(thread, nil)
  }

  private final class Start {
    private let body: @Sendable () -> Void
    private let threadValue: UnsafeMutableRawPointer?

    init(_ body: @escaping @Sendable () -> Void, _ threadValue: UnsafeMutableRawPointer?) {
      self.body = body
      self.threadValue = threadValue
    }

    static func run(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      guard let pointer else { return nil }
      let start = Unmanaged<Start>.fromOpaque(pointer).takeRetainedValue()
      csystem_set_thread_value(start.threadValue)
      start.body()
      csystem_set_thread_value(nil)
      return nil
    }
  }
}
