import Glibc

/// Threads of the system.
public enum Threads {
  private final class Start {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  /// Runs the body on so many threads, this one among them, and waits for all; on fewer where the system has no more.
  public static func run(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    let threads = (1..<max(count, 2)).prefix(max(count - 1, 0)).compactMap { _ in start(body) }
    body()
    for thread in threads { pthread_join(thread, nil) }
  }

  private static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
    let start = Unmanaged.passRetained(Start(body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { pointer in
        if let pointer { Unmanaged<Start>.fromOpaque(pointer).takeRetainedValue().body() }
        return nil
      }, start.toOpaque())
    if code == 0 { return thread }
    start.release()
    return nil
  }
}
