#if DEBUG
  import Glibc
  import SystemIO
  import TestSupport
  import Testing

  @Suite("Fault injection") struct FaultInjectionTests {
    let folder: TemporaryDirectory

    init() throws {
      folder = try TemporaryDirectory()
    }

    @Test("notes every call in order")
    func observing() throws {
      let path = folder.appending("f")
      let (result, report) = FaultInjection.run(.observing) { () throws(SystemError) in
        let file = try FileDescriptor.open(path, .writeOnly, options: .create)
        try file.write([1, 2, 3])
        try file.synchronizeData()
        _ = try FileStatus.of(folder.appending("none"))
      }
      #expect(report.calls.map(\.function) == ["open", "write", "fdatasync", "stat"])
      #expect(report.calls.map(\.path) == [path, path, path, folder.appending("none")])
      #expect(!report.isInjected)
      if case .failure(let error) = result { #expect(error.isNotFound) } else { Issue.record("no failure") }
    }

    @Test("lets one call fail, which then does nothing")
    func failing() throws {
      let path = folder.appending("f")
      let plans: [FaultPlan] = [
        .failing(call: 2, errno: ENOSPC), .failing(function: "write", errno: ENOSPC, occurrence: 1),
      ]
      for plan in plans {
        let (_, report) = FaultInjection.run(plan) {
          let file = try FileDescriptor.open(path, .writeOnly, options: [.create, .truncate])
          try file.write([1])
          #expect(errorCode { () throws(SystemError) in try file.write([2]) } == ENOSPC)
          try file.write([3])
        }
        #expect(report.isInjected)
        #expect(try FileSystem.read(path, limit: 10) == [1, 3])
      }
    }

    @Test("crashes: no later call does anything")
    func crashing() throws {
      for isTearing in [false, true] {
        let path = folder.appending("f")
        let plan: FaultPlan = isTearing ? .tearing(afterCalls: 2) : .crashing(afterCalls: 2)
        let (_, report) = FaultInjection.run(plan) {
          let file = try FileDescriptor.open(path, .writeOnly, options: [.create, .truncate])
          try file.write([1, 2])
          for _ in 0..<2 {
            #expect(errorCode { () throws(SystemError) in try file.write([3, 4, 5, 6]) } == ECANCELED)
            #expect(errorCode { () throws(SystemError) in try FileSystem.remove(at: path) } == ECANCELED)
          }
        }
        #expect(report.isInjected)
        #expect(try FileSystem.read(path, limit: 10) == (isTearing ? [1, 2, 3, 4] : [1, 2]))
      }
    }

    @Test("cuts appended bytes that were not synchronized")
    func appendedBytes() throws {
      let path = try folder.write([1, 2], to: "log")
      let (_, report) = FaultInjection.run(.observing) {
        let file = try FileDescriptor.open(path, .writeOnly, options: .append)
        try file.write([3])
        try file.synchronizeData()
        try file.write([4])
      }
      try report.simulatePowerLoss()
      #expect(try FileSystem.read(path, limit: 10) == [1, 2, 3])
    }

    @Test("keeps everything that a synchronization of the whole volume found, and believes none that failed")
    func wholeVolume() throws {
      guard FileDescriptor.canSynchronizeVolumes else { return }
      let path = try folder.write([1], to: "log")
      func work() throws {
        let root = try FileDescriptor.open(folder.path, .readOnly, options: .directory)
        let file = try FileDescriptor.open(path, .writeOnly, options: .append)
        try file.write([2])
        let new = try root.open(Array("new".utf8), .writeOnly, options: [.create])
        try new.write([5, 6])
        try root.rename(Array("new".utf8), to: Array("named".utf8))
        try root.synchronizeVolume()
        try file.write([3])
        try root.rename(Array("named".utf8), to: Array("again".utf8))
      }
      let (result, report) = FaultInjection.run(.observing) { try work() }
      try result.get()
      try report.simulatePowerLoss()
      #expect(try FileSystem.read(path, limit: 10) == [1, 2])
      #expect(try FileSystem.read(folder.appending("named"), limit: 10) == [5, 6])
      let (failed, second) = FaultInjection.run(.failing(function: "syncfs", errno: EIO)) { try work() }
      #expect(throws: SystemError.self) { try failed.get() }
      try second.simulatePowerLoss()
      #expect(try FileSystem.read(path, limit: 10) == [1, 2])
    }

    @Test("believes no synchronization after a failed one")
    func failedSynchronization() throws {
      let path = try folder.write([1], to: "log")
      let (_, report) = FaultInjection.run(.failing(function: "fdatasync", errno: EIO)) {
        let file = try FileDescriptor.open(path, .writeOnly, options: .append)
        try file.write([2])
        #expect(errorCode { () throws(SystemError) in try file.synchronizeData() } == EIO)
        try file.write([3])
        try file.synchronizeData()
      }
      try report.simulatePowerLoss()
      #expect(try FileSystem.read(path, limit: 10) == [1])
    }

    @Test("removes new files, folders and links whose folder was not synchronized, and keeps the others")
    func newNames() throws {
      let (_, report) = FaultInjection.run(.observing) {
        try FileSystem.makeFolders(at: folder.appending("kept"))
        let file = try FileDescriptor.open(folder.appending("kept/f"), .writeOnly, options: .create)
        try file.write([1])
        try file.synchronizeData()
        try FileSystem.synchronizeFolder(at: folder.appending("kept"))
        try FileSystem.synchronizeFolder(at: folder.path)
        try FileSystem.makeFolders(at: folder.appending("lost/inner"))
        try FileSystem.makeSymbolicLink(at: folder.appending("kept/link"), target: [0x78])
        let other = try FileDescriptor.open(folder.appending("kept/g"), .writeOnly, options: .create)
        try other.write([1])
        try other.synchronizeData()
      }
      #expect(report.pendingChangeCount == 4)
      try report.simulatePowerLoss()
      #expect(try folder.names() == [Array("kept".utf8)])
      #expect(try FileSystem.list(folder.appending("kept")).map(\.name) == [[0x66]])
    }

    @Test("puts renamed, replaced, exchanged and removed files back")
    func oldNames() throws {
      for keeping in 0...4 {
        let place = try TemporaryDirectory()
        for (name, byte) in [("a", 1), ("b", 2), ("c", 3), ("d", 4), ("e", 5)] as [(String, UInt8)] {
          try place.write([byte], to: name)
        }
        let (_, report) = FaultInjection.run(.observing) {
          try FileSystem.rename(from: place.appending("a"), to: place.appending("b"))
          try FileSystem.rename(from: place.appending("c"), to: place.appending("d"), how: .exchange)
          try FileSystem.remove(at: place.appending("e"))
          try FileSystem.rename(from: place.appending("b"), to: place.appending("x"), how: .noReplace)
        }
        try report.simulatePowerLoss(keeping: keeping)
        let states = [
          "a1b2c3d4e5", "b1c3d4e5", "b1c4d3e5", "b1c4d3", "c4d3x1",
        ]
        let state = try place.names().map { name in
          String(decoding: name, as: UTF8.self) + "\(try FileSystem.read(place.appending(name), limit: 1)[0])"
        }
        #expect(state.joined() == states[keeping])
      }
    }

    @Test("can lose power in the middle of a run")
    func inTheMiddle() throws {
      let path = folder.appending("f")
      let (result, _) = FaultInjection.run(.observing) {
        do {
          let file = try FileDescriptor.open(path, .writeOnly, options: .create)
          try file.write([1])
        }
        try FaultInjection.simulatePowerLoss()
        return try folder.names().count
      }
      #expect(try result.get() == 0)
    }

    @Test("touches no other thread and ends with its run")
    func threads() async throws {
      let path = folder.path
      let (result, _) = FaultInjection.run(.crashing(afterCalls: 0)) {
        var thread = pthread_t()
        let inner = Unmanaged.passRetained(folder).toOpaque()
        pthread_create(
          &thread, nil,
          {
            _ = listing($0); return nil
          }, inner)
        pthread_join(thread, nil)
        #expect(errorCode { () throws(SystemError) in _ = try FileSystem.list(path) } == ECANCELED)
      }
      if case .failure(let error) = result { throw error }
      #expect(try FileSystem.list(path).map(\.name) == [Array("from thread".utf8)])
    }
  }

  private func listing(_ argument: UnsafeMutableRawPointer?) -> Bool {
    guard let argument else { return false }
    let folder = Unmanaged<TemporaryDirectory>.fromOpaque(argument).takeRetainedValue()
    return (try? FileSystem.makeFolder(at: folder.appending("from thread"))) != nil
  }
#endif
