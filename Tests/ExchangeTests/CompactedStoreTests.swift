import Exchange
import SystemIO
import TestSupport
import Testing
import VersionStore
import Versioning

@Suite("An exchange with compacted stores") struct CompactedStoreTests {
  private let world: SimulatedWorld

  init() throws { world = try SimulatedWorld() }

  private func save(_ device: SimulatedDevice, _ count: Int, at path: String = "d", name: String = "") throws {
    for number in 0..<count {
      let lines = (0..<40).map { $0 == number % 40 ? "\(name) changed \(number)" : "line \($0)" }
      try device.save(lines.joined(separator: "\n") + "\n", at: path)
    }
  }

  /// All devices know the same versions, can read them all, and find nothing wrong, with their catalogs or without.
  private func agree(_ devices: [SimulatedDevice], _ paths: [String] = ["d"]) throws {
    let versions = try devices[0].versionIDs()
    let contents = try paths.map { try devices[0].contents($0) }
    for device in devices {
      for isLost in [false, true] {
        if isLost { try device.loseCatalog() }
        #expect(try device.versionIDs() == versions, "\(device.name)")
        #expect(try paths.map { try device.contents($0) } == contents, "\(device.name)")
        #expect(try device.repository.verify(isQuick: false).damages == [], "\(device.name)")
      }
    }
  }

  @Test("brings what was compacted before it was ever sent")
  func neverSent() throws {
    let (a, b) = (try world.device("a"), try world.device("b"))
    try save(a, 12)
    #expect(try a.repository.store.compact().replaced == 1)
    try a.sync(world.remote())
    try b.sync(world.remote())
    try agree([a, b])
  }

  @Test("leaves a remote the old packs, brings it the new one, and a device that had the old ones goes on")
  func sentBefore() throws {
    let (a, b, c) = (try world.device("a"), try world.device("b"), try world.device("c"))
    for round in 0..<3 {
      try save(a, 6, name: "\(round)")
      try a.sync(world.remote())
    }
    try b.sync(world.remote())
    let before = try Tree.packs(below: world.remote())
    #expect(try a.repository.store.compact().replaced == 3)
    #expect(try Tree.packs(below: a.storeFolder).count == 1)
    let report = try a.sync(world.remote())
    #expect(report.warnings.isEmpty && report.failure == nil)
    #expect(Set(before).isSubset(of: try Tree.packs(below: world.remote())))
    try b.sync(world.remote())
    try c.sync(world.remote())
    try save(b, 3, name: "b")
    for device in [b, a, c] { try device.sync(world.remote()) }
    try agree([a, b, c])
  }

  @Test("fills a new remote from a compacted store, though its log names packs that are gone")
  func newRemote() throws {
    let (a, c) = (try world.device("a"), try world.device("c"))
    for round in 0..<3 {
      try save(a, 6, name: "\(round)")
      try a.sync(world.remote())
    }
    _ = try a.repository.store.compact()
    let report = try a.sync(world.remote("second"))
    #expect(report.warnings.isEmpty && report.sentEntries == 4)
    #expect(try Tree.packs(below: world.remote("second")).count == 1)
    let fetched = try c.sync(world.remote("second"))
    #expect(fetched.warnings.isEmpty && fetched.fetchedEntries == 4, "\(fetched.warnings)")
    // One that starts from nothing relays as well.
    try c.sync(world.remote("third"))
    let d = try world.device("d")
    #expect(try d.sync(world.remote("third")).warnings.isEmpty)
    try agree([a, c, d])
    // Each brings its own device record first.
    for device in [a, c, a] { try device.sync(world.remote("second")) }
    #expect(try a.sync(world.remote("second")).isUpToDate && c.sync(world.remote("second")).isUpToDate)
  }

  @Test("is a clone from a compacted store, pushed before or not", arguments: [false, true])
  func directly(isPushed: Bool) throws {
    let (a, b) = (try world.device("a"), try world.device("b"))
    try save(a, 12)
    if isPushed { try a.sync(world.remote()) }
    try save(a, 3, name: "more")
    _ = try a.repository.store.compact()
    try save(a, 2, name: "since")
    #expect(try b.sync(a.folder).warnings.isEmpty)
    try agree([a, b])
  }

  @Test("that pushes into a store leaves that one nothing that its check misses") func pushed() throws {
    let (a, b) = (try world.device("a"), try world.device("b"))
    try save(a, 2)
    try a.sync(world.remote())
    try b.sync(world.remote())
    for round in 0..<2 {
      try save(b, 4, at: "b", name: "\(round)")
      try b.sync(world.remote())
    }
    #expect(try b.repository.store.compact().replaced > 0)
    try b.sync(a.folder)
    // Before anything was taken in there.
    #expect(try a.repository.verify(isQuick: false).damages == [])
    try a.sync(world.remote())
    try agree([a, b], ["d", "b"])
  }

  @Test("relays a log that names a pack which its writer compacted later")
  func namedByAnother() throws {
    let (a, b, c) = (try world.device("a"), try world.device("b"), try world.device("c"))
    try save(a, 12)
    _ = try a.repository.store.withLock { () throws(RepositoryError) in try a.repository.store.seal() }
    // b takes a's pack from its store, and brings it by a log entry of its own.
    try b.sync(a.folder)
    try save(b, 2, name: "b")
    try b.sync(world.remote())
    #expect(try a.repository.store.compact().replaced == 1)
    try a.sync(world.remote())
    try a.sync(world.remote("second"))
    #expect(try c.sync(world.remote("second")).warnings.isEmpty)
    try b.sync(world.remote())
    try b.sync(world.remote("second"))
    try a.sync(world.remote("second"))
    try c.sync(world.remote("second"))
    try agree([a, b, c])
  }

  @Test("of two that answer each other works though both compact, again and again", arguments: 0..<4 as Range<UInt64>)
  func backAndForth(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let devices = [try world.device("a"), try world.device("b"), try world.device("c")]
    let remotes = [world.remote(), world.remote("second")]
    for round in 0..<10 {
      let device = devices[Int.random(in: 0..<devices.count, using: &generator)]
      try device.sync(remotes[Int.random(in: 0..<2, using: &generator)])
      try save(device, Int.random(in: 1...5, using: &generator), name: "\(round)")
      if Bool.random(using: &generator) { _ = try device.repository.store.compact() }
      try device.sync(remotes[Int.random(in: 0..<2, using: &generator)])
      if Int.random(in: 0..<4, using: &generator) == 0 { try device.loseCatalog() }
    }
    for _ in 0..<3 {
      for device in devices { for remote in remotes { try device.sync(remote) } }
    }
    let late = try world.device("late")
    try late.sync(remotes[Int(seed % 2)])
    try agree(devices + [late])
  }

  @Test("waits where neither a pack nor what replaces it is there")
  func missing() throws {
    let (a, c) = (try world.device("a"), try world.device("c"))
    try save(a, 6)
    try a.sync(world.remote())
    try save(a, 6, name: "more")
    _ = try a.repository.store.compact()
    try a.sync(world.remote("second"))
    let pack = try #require(try Tree.packs(below: world.remote("second")).first)
    let bytes = try FileSystem.read(pack, limit: 1 << 20)
    try FileSystem.remove(at: pack)
    #expect(try c.sync(world.remote("second")).warnings.isEmpty == false)
    #expect(try c.versionIDs().isEmpty)
    try AtomicFile.write(bytes, to: pack)
    try c.sync(world.remote("second"))
    try agree([a, c])
  }
}
