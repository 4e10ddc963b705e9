import Glibc

/// A lock with a condition that its holder may wait for.
///
/// Not recursive. What it guards is for its holder alone.
public final class Monitor: @unchecked Sendable {
  // Unchecked: the pointers are set once, and what they point to is the C library's business.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  public init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    condition = .allocate(capacity: 1)
    condition.initialize(to: pthread_cond_t())
    let codes = [pthread_mutex_init(mutex, nil), pthread_cond_init(condition, nil)]
    precondition(codes == [0, 0], "a lock without attributes needs nothing that could be missing")
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Runs the body as the holder.
  public func hold<Value>(_ body: () -> Value) -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Lets others hold it until one of them calls ``wakeAll()``. Only for the holder; it may return without a cause.
  public func wait() {
    pthread_cond_wait(condition, mutex)
  }

  /// Wakes all that wait. Only for the holder.
  public func wakeAll() {
    pthread_cond_broadcast(condition)
  }
}
