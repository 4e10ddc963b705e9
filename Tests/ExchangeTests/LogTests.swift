import Exchange
import Hashing
import SystemIO
import TestSupport
import Testing
import VersionStore
import Versioning

@Suite("A device's log") struct LogTests {
  private let world: SimulatedWorld

  init() throws { world = try SimulatedWorld() }

  @Test("names everything again in every 256th entry")
  func checkpoint() throws {
    let (a, b) = (try world.device("a"), try world.device("b"))
    try b.save("from b", at: "b")
    try b.sync(world.remote())
    for number in 1...257 {
      try a.save("\(number)", at: "d\(number % 7)")
      if number == 100 { try a.sync(world.remote()) } else { try a.repository.store.publish() }
    }
    let store = a.repository.store
    let device = try #require(a.device)
    let checkpoint = try #require(try store.logEntry(of: device, number: 256)).entry
    #expect(checkpoint.isCheckpoint && checkpoint.packs.count == 256)
    #expect(checkpoint.heads.map(\.device) == [b.device])
    let next = try #require(try store.logEntry(of: device, number: 257)).entry
    #expect(next.packs.count == 1)
    #expect(try a.sync(world.remote()).sentEntries == 157)
    #expect(try b.sync(world.remote()).newVersions.count == 257)
    #expect(b.read("d5") == "257")
    #expect(try a.sync(world.remote()).isUpToDate || a.sync(world.remote()).isUpToDate)
  }

  @Test("grows only by what is new: seeing others' entries alone writes none")
  func nothingToSay() throws {
    let (a, b) = (try world.device("a"), try world.device("b"))
    try a.sync(world.remote())
    try b.sync(world.remote())
    try a.sync(world.remote())
    for number in 0..<3 {
      try a.save("\(number)", at: "d")
      try a.sync(world.remote())
      #expect(try b.sync(world.remote()).sentEntries == 0)
    }
    let device = try #require(b.device)
    #expect(try b.repository.store.newestLog(of: device)?.number == 1)
  }

  @Test("is written whole or not at all, and once, whichever call fails")
  func interruptedPublishing() throws {
    let a = try world.device("a")
    var isInjected = true
    var number = 0
    while isInjected && number < 300 {
      try a.save("\(number)", at: "d")
      let store = a.repository.store
      let (_, report) = FaultInjection.run(.tearing(afterCalls: number)) { () throws(RepositoryError) in
        _ = try store.publish()
      }
      isInjected = report.isInjected
      try report.simulatePowerLoss()
      try a.reopen()
      #expect(try a.saveAll().isEmpty)
      try a.repository.store.publish()
      number += 2
    }
    #expect(!isInjected)
    let report = try a.sync(world.remote())
    #expect(report.warnings.isEmpty)
    let b = try world.device("b")
    try b.sync(world.remote())
    #expect(try b.versionIDs() == a.versionIDs())
  }

  @Test("that somebody pushed into a store is taken in by its owner's next exchange, and relayed")
  func pushedIntoStore() throws {
    let (a, b, c) = (try world.device("a"), try world.device("b"), try world.device("c"))
    try b.save("from b", at: "b")
    try b.sync(a.folder)
    #expect(a.read("b") == nil)
    let report = try a.sync(world.remote())
    #expect(a.read("b") == "from b" && report.newVersions.count == 1)
    try c.sync(world.remote())
    #expect(c.read("b") == "from b")
  }

  @Test("that was pushed into a store is placed even where the catalog was made anew before")
  func pushedThenRebuilt() throws {
    let (a, b) = (try world.device("a"), try world.device("b"))
    try b.save("from b", at: "b")
    try b.sync(a.folder)
    try a.loseCatalog()
    try a.sync(world.remote())
    #expect(a.read("b") == "from b")
  }

  @Test("waits for another exchange of the same device")
  func busy() throws {
    let a = try world.device("a")
    let folder = try #require(a.privateFolder)
    let lock = try #require(try FileLock.acquire(at: folder.exchangeLock, timeoutMilliseconds: 0))
    #expect(throws: ExchangeError.busy(folder.exchangeLock)) { try a.sync(world.remote()) }
    lock.release()
    try a.sync(world.remote())
  }

  @Test("of a hostile device that names a huge pack, or leads nowhere, keeps nobody else's from arriving")
  func hostileEntries() throws {
    let (a, b) = (try world.device("a"), try world.device("b"))
    try a.save("one", at: "d")
    try a.sync(world.remote())
    let remote = DirectoryRemote(world.remote())
    let junk = [UInt8](repeating: 7, count: 5000)
    let hostile: [(UInt64, LogEntry.Pack)] = [
      (1, .init(id: SHA256.hash([1]), byteCount: .max)),
      (2, .init(id: SHA256.hash([2]), byteCount: 0)),
      (3, .init(id: SHA256.hash(junk), byteCount: 5000)),
    ]
    try remote.put(.pack(SHA256.hash(junk)), junk)
    for (number, pack) in hostile {
      let device = DeviceID(high: number, low: 1)
      let entry = LogEntry(
        device: device, number: 1, previous: nil, wallTime: .max, packs: [pack],
        heads: [.init(device: DeviceID(high: 9, low: 9), number: .max, entry: SHA256.hash([]))])
      try remote.put(.logEntry(of: device, number: 1), entry.encoded())
    }
    let report = try b.sync(world.remote())
    #expect(b.read("d") == "one" && report.failure == nil)
    #expect(!report.warnings.isEmpty)
    try b.save("two", at: "d")
    try b.sync(world.remote())
    try a.sync(world.remote())
    #expect(a.read("d") == "two")
    try a.reopen()
    #expect(try a.repository.verify(isQuick: false).damages == [])
  }
}
