import Glibc

/// Work that several threads share: what is added last is done first.
public final class SharedWork<Item: Sendable>: @unchecked Sendable {
  // Unchecked: everything is read and changed under the lock.
  private let lock = ThreadLock()
  private var waiting: [Item]
  private var activeCount = 0

  public init(_ items: [Item]) {
    waiting = items
  }

  /// Something to do; waits where there is nothing but another thread may still add some. `nil` when all is done.
  ///
  /// Each one is followed by a call of ``finish()``.
  public func next() -> Item? {
    lock.lock()
    defer { lock.unlock() }
    while waiting.isEmpty && activeCount > 0 { lock.wait() }
    guard let item = waiting.popLast() else { return nil }
    activeCount += 1
    return item
  }

  public func add(_ items: [Item]) {
    if items.isEmpty { return }
    lock.lock()
    waiting += items
    lock.unlock()
    lock.wakeAll()
  }

  /// Tells that what ``next()`` gave is done.
  public func finish() {
    lock.lock()
    activeCount -= 1
    let isDone = activeCount == 0
    lock.unlock()
    if isDone { lock.wakeAll() }
  }
}

/// What several threads found.
public final class SharedResults<Value: Sendable>: @unchecked Sendable {
  // Unchecked: everything is read and changed under the lock.
  private let lock = ThreadLock()
  private var values: [Value] = []

  public init() {}

  public func add(_ value: Value) {
    lock.lock()
    values.append(value)
    lock.unlock()
  }

  /// In no order.
  public var all: [Value] {
    lock.lock()
    defer { lock.unlock() }
    return values
  }
}

/// A lock that a thread can wait with.
final class ThreadLock: @unchecked Sendable {
  // Unchecked: it is made for several threads.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(condition)
    mutex.deallocate()
    condition.deallocate()
  }

  func lock() { pthread_mutex_lock(mutex) }

  func unlock() { pthread_mutex_unlock(mutex) }

  /// Lets others have the lock until one of them calls ``wakeAll()``, or for no reason.
  func wait() { pthread_cond_wait(condition, mutex) }

  func wakeAll() { pthread_cond_broadcast(condition) }
}
