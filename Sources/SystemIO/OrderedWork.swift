/// Numbered pieces of work that a few threads do while their results are taken in order.
///
/// Bounded: no piece is begun that is too far ahead of the one wanted next, or while results that wait are as heavy as
/// they may be together. The piece wanted next is always begun, by whoever takes it where no thread has. So the results,
/// and what is made of them in order, don't depend on timing.
public final class OrderedWork<Result: Sendable> {
  /// Does a piece of work. Each thread has one of its own, which may keep state.
  public typealias Worker = (_ number: Int) -> Result

  /// How far ahead the threads may be.
  public struct Bounds: Sendable {
    /// The greatest number of pieces begun and not taken.
    public var pieceCount: Int
    /// What results that wait may weigh together before no further piece is begun.
    public var weight: Int

    public init(pieceCount: Int, weight: Int) {
      precondition(pieceCount > 0, "at least the piece wanted next")
      self.pieceCount = pieceCount
      self.weight = weight
    }
  }

  private let state: State
  private let makeWorker: @Sendable () -> Worker
  private var ownWorker: Worker?
  private var threads: [WorkerThread] = []
  private var isHelping = true

  /// Starts threads on pieces 0 to `count` - 1 and stops them when the body is done, which need not take all results.
  ///
  /// - Parameters:
  ///   - threadCount: with 0, or where the system gives none, all is done by the taker.
  ///   - isSequential: whether one worker has to do all pieces, in order; then there is one thread at most.
  ///   - weight: of a result.
  ///   - makeWorker: called once on each thread, and for the taker where it does a piece.
  public static func run<Value, Failure: Error>(
    count: Int, threadCount: Int, isSequential: Bool = false, bounds: Bounds,
    weight: @escaping @Sendable (Result) -> Int, makeWorker: @escaping @Sendable () -> Worker,
    _ body: (OrderedWork) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let work = OrderedWork(count: count, bounds: bounds, weight: weight, makeWorker: makeWorker)
    work.start(min(threadCount, isSequential ? 1 : count), isTakerHelping: !isSequential)
    defer { work.stop() }
    return try body(work)
  }

  private init(
    count: Int, bounds: Bounds, weight: @escaping @Sendable (Result) -> Int,
    makeWorker: @escaping @Sendable () -> Worker
  ) {
    state = State(count: count, bounds: bounds, weight: weight)
    self.makeWorker = makeWorker
  }

  private func start(_ threadCount: Int, isTakerHelping: Bool) {
    for _ in 0..<max(threadCount, 0) {
      let (state, makeWorker) = (state, makeWorker)
      guard let thread = WorkerThread({ state.run(makeWorker()) }) else { break }
      threads.append(thread)
    }
    isHelping = isTakerHelping || threads.isEmpty
  }

  private func stop() {
    state.stop()
    for thread in threads { thread.join() }
    threads = []
  }

  /// The next result in order; `nil` behind the last one.
  public func next() -> Result? {
    switch state.take(isHelping: isHelping) {
    case .none: return nil
    case .result(let result): return result
    case .own(let number):
      let worker = ownWorker ?? makeWorker()
      ownWorker = worker
      let result = worker(number)
      state.finishOwn()
      return result
    }
  }

  /// The most that results weighed together while they waited.
  public var greatestWeight: Int { state.greatestWeight }

  /// What the threads share; guarded by the monitor.
  private final class State: @unchecked Sendable {
    enum Taken {
      case none
      case result(Result)
      case own(Int)
    }

    private let monitor = Monitor()
    private let count: Int
    private let bounds: Bounds
    private let weigh: @Sendable (Result) -> Int
    private var waiting: [(result: Result, weight: Int)?]
    private var begunCount = 0
    private var takenCount = 0
    private var weight = 0
    private var mostWeight = 0
    private var isStopped = false

    init(count: Int, bounds: Bounds, weight: @escaping @Sendable (Result) -> Int) {
      self.count = count
      self.bounds = bounds
      weigh = weight
      waiting = Array(repeating: nil, count: min(bounds.pieceCount, max(count, 1)))
    }

    var greatestWeight: Int { monitor.hold { mostWeight } }

    func stop() {
      monitor.hold {
        isStopped = true
        monitor.wakeAll()
      }
    }

    /// Does pieces until there are no more.
    func run(_ worker: Worker) {
      while let number = begin() { finish(number, worker(number)) }
    }

    private func begin() -> Int? {
      monitor.hold {
        while !isStopped, begunCount < count {
          let isNear = begunCount - takenCount < waiting.count
          if begunCount == takenCount || (isNear && weight < bounds.weight) {
            begunCount += 1
            return begunCount - 1
          }
          monitor.wait()
        }
        return nil
      }
    }

    private func finish(_ number: Int, _ result: Result) {
      let resultWeight = weigh(result)
      monitor.hold {
        waiting[number % waiting.count] = (result, resultWeight)
        weight += resultWeight
        mostWeight = max(mostWeight, weight)
        if number == takenCount { monitor.wakeAll() }
      }
    }

    func take(isHelping: Bool) -> Taken {
      monitor.hold {
        guard takenCount < count else { return .none }
        if isHelping, begunCount == takenCount {
          begunCount += 1
          return .own(takenCount)
        }
        let place = takenCount % waiting.count
        while waiting[place] == nil { monitor.wait() }
        guard let taken = waiting[place] else { return .none }
        waiting[place] = nil
        weight -= taken.weight
        takenCount += 1
        // Threads that ran ahead sleep until half of what they made is taken: waking them costs more than a small piece.
        if begunCount - takenCount <= waiting.count / 2 && weight <= bounds.weight / 2 { monitor.wakeAll() }
        return .result(taken.result)
      }
    }

    func finishOwn() {
      monitor.hold {
        takenCount += 1
        monitor.wakeAll()
      }
    }
  }
}
