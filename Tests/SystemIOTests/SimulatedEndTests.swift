#if DEBUG
  import Glibc
  import SystemIO
  import Testing
  import TestSupport

  @Suite("The end of a simulated process") struct SimulatedEndTests {
    @Test("gives up its locks, though a child still shares the descriptor") func sharedDescriptor() throws {
      let directory = try TemporaryDirectory()
      let path = directory.appending("lock")
      var shared: Int32 = -1
      let run = FaultInjection.run(.crashing(afterCalls: 2)) { () throws(SystemError) in
        let file = try FileDescriptor.open(path, .readWrite, options: [.create])
        _ = try file.tryLock(exclusive: true)
        shared = dup(file.rawValue)
        try file.unlock()
      }
      defer { close(shared) }
      #expect(run.report.isInjected && shared >= 0)
      let next = try FileDescriptor.open(path, .readWrite)
      let isFree = try next.tryLock(exclusive: true)
      #expect(isFree)
    }
  }
#endif
