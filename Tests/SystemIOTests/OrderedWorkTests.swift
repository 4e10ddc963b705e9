import TestSupport
import Testing

@testable import SystemIO

@Suite("Ordered work") struct OrderedWorkTests {
  private struct Stop: Error {}

  /// Takes a while that depends on the number alone.
  private static func result(of number: Int) -> Int {
    var generator = SeededGenerator(seed: UInt64(number))
    var sum: UInt64 = 0
    for _ in 0..<(generator.next() % 2000) { sum &+= generator.next() }
    return sum == 1 ? -1 : number * 3
  }

  private func results(
    count: Int, threads: Int, bounds: OrderedWork<Int>.Bounds, taking: Int = .max
  ) -> (results: [Int], greatestWeight: Int) {
    OrderedWork<Int>.run(
      count: count, threadCount: threads, bounds: bounds, weight: { _ in 10 }, makeWorker: { Self.result(of:) }
    ) { work in
      var results: [Int] = []
      while results.count < taking, let result = work.next() { results.append(result) }
      return (results, work.greatestWeight)
    }
  }

  @Test("hands the results out in order, however many threads there are", arguments: 0...5)
  func order(threads: Int) {
    for count in [0, 1, 2, 7, 300] {
      let bounds = OrderedWork<Int>.Bounds(pieceCount: 8, weight: 50)
      #expect(results(count: count, threads: threads, bounds: bounds).results == (0..<count).map { $0 * 3 })
    }
  }

  @Test("goes on with the narrowest bounds", arguments: [(1, 1), (1, 1000), (3, 0), (64, 0), (2, 1)])
  func narrow(pieceCount: Int, weight: Int) {
    let bounds = OrderedWork<Int>.Bounds(pieceCount: pieceCount, weight: weight)
    #expect(results(count: 200, threads: 3, bounds: bounds).results == (0..<200).map { $0 * 3 })
  }

  @Test("lets no more wait than the bounds say, and one result for each thread", arguments: 1...4)
  func bounded(threads: Int) {
    let heavy = OrderedWork<Int>.Bounds(pieceCount: 1000, weight: 50)
    #expect(results(count: 500, threads: threads, bounds: heavy).greatestWeight < 50 + threads * 10)
    let many = OrderedWork<Int>.Bounds(pieceCount: 4, weight: .max)
    #expect(results(count: 500, threads: threads, bounds: many).greatestWeight <= 4 * 10)
  }

  @Test("ends its threads where not all results are taken", arguments: 0...3)
  func early(threads: Int) {
    let bounds = OrderedWork<Int>.Bounds(pieceCount: 8, weight: .max)
    #expect(results(count: 1000, threads: threads, bounds: bounds, taking: 3).results == [0, 3, 6])
  }

  @Test("passes on an error of the body", arguments: 0...2)
  func failing(threads: Int) {
    #expect(throws: Stop.self) {
      try OrderedWork<Int>.run(
        count: 100, threadCount: threads, bounds: OrderedWork<Int>.Bounds(pieceCount: 8, weight: .max),
        weight: { $0 }, makeWorker: { { $0 } }
      ) { (work) throws(Stop) in
        _ = work.next()
        throw Stop()
      }
    }
  }

  @Test("gives sequential pieces to one worker in their order", arguments: 0...3)
  func sequential(threads: Int) {
    let sums = OrderedWork<Int>.run(
      count: 100, threadCount: threads, isSequential: true,
      bounds: OrderedWork<Int>.Bounds(pieceCount: 4, weight: .max), weight: { $0 },
      makeWorker: {
        var sum = 0
        return { number in
          sum += number
          return sum
        }
      },
      { work in
        var sums: [Int] = []
        while let sum = work.next() { sums.append(sum) }
        return sums
      })
    #expect(sums == (0..<100).map { $0 * ($0 + 1) / 2 })
  }

  @Test("counts the system calls of its threads as those of the one that started them")
  func faults() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path.appending("file")
    try AtomicFile.create([1, 2, 3], at: path)
    let plan = FaultPlan.failing(function: "open", errno: 5, occurrence: 6)
    let (result, report) = FaultInjection.run(plan) {
      OrderedWork<Bool>.run(
        count: 10, threadCount: 2, bounds: OrderedWork<Bool>.Bounds(pieceCount: 3, weight: .max), weight: { _ in 1 },
        makeWorker: { { _ in (try? FileSystem.read(path, limit: 10)) == [1, 2, 3] } },
        { work in
          var good = 0
          while let isGood = work.next() { good += isGood ? 1 : 0 }
          return good
        })
    }
    #expect(try result.get() == 9)
    #expect(report.isInjected)
  }

  @Test("A file that threads share gives the bytes at an offset, fewer at its end")
  func sharedFile() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path.appending("file")
    try AtomicFile.create(Array(0..<100), at: path)
    let file = SharedFile(try FileDescriptor.open(path, .readOnly))
    #expect(try file.bytes(at: 10, count: 3) == [10, 11, 12])
    #expect(try file.bytes(at: 98, count: 5) == [98, 99])
    #expect(try file.bytes(at: 200, count: 5) == [])
    #expect(try file.bytes(at: 0, count: 0) == [])
  }
}
