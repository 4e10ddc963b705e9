/// Work that several threads share: what is added last is done first.
public final class SharedWork<Item: Sendable>: @unchecked Sendable {
  // Unchecked: everything is read and changed by the monitor's holder.
  private let monitor = Monitor()
  private var waiting: [Item]
  private var activeCount = 0

  public init(_ items: [Item]) {
    waiting = items
  }

  /// Something to do; waits where there is nothing but another thread may still add some. `nil` when all is done.
  ///
  /// Each one is followed by a call of ``finish()``.
  public func next() -> Item? {
    monitor.hold {
      while waiting.isEmpty && activeCount > 0 { monitor.wait() }
      guard let item = waiting.popLast() else { return nil }
      activeCount += 1
      return item
    }
  }

  public func add(_ items: [Item]) {
    if items.isEmpty { return }
    monitor.hold {
      waiting += items
      monitor.wakeAll()
    }
  }

  /// Tells that what ``next()`` gave is done.
  public func finish() {
    monitor.hold {
      activeCount -= 1
      if activeCount == 0 { monitor.wakeAll() }
    }
  }
}

/// What several threads found.
public final class SharedResults<Value: Sendable>: @unchecked Sendable {
  // Unchecked: everything is read and changed by the monitor's holder.
  private let monitor = Monitor()
  private var values: [Value] = []

  public init() {}

  public func add(_ value: Value) {
    monitor.hold { values.append(value) }
  }

  /// In no order.
  public var all: [Value] { monitor.hold { values } }
}
