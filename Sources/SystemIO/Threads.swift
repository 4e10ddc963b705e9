/// Threads of the system.
public enum Threads {
  /// Runs the body on so many threads, this one among them, and waits for all; on fewer where the system has no more.
  public static func run(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    let threads = (1..<max(count, 2)).prefix(max(count - 1, 0)).compactMap { _ in WorkerThread(body) }
    body()
    for thread in threads { thread.join() }
  }
}
