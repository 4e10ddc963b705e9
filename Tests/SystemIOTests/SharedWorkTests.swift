import SystemIO
import Testing

@Suite("Work that threads share") struct SharedWorkTests {
  @Test("is done once each, also what comes up on the way", arguments: [1, 2, 5])
  func once(threads: Int) {
    let work = SharedWork([1])
    let results = SharedResults<[Int]>()
    Threads.run(threads) {
      var done: [Int] = []
      while let number = work.next() {
        done.append(number)
        // A tree of numbers: each is the parent of two.
        work.add([2 * number, 2 * number + 1].filter { $0 < 5000 })
        work.finish()
      }
      results.add(done)
    }
    #expect(results.all.flatMap { $0 }.sorted() == Array(1..<5000))
    #expect(results.all.count == threads)
    #expect(work.next() == nil)
  }

  @Test("of which there is none ends at once") func none() {
    let work = SharedWork<Int>([])
    Threads.run(3) { #expect(work.next() == nil) }
  }
}
