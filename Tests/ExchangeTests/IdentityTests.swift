import Exchange
import SystemIO
import TestSupport
import Testing
import VersionStore
import Versioning

@Suite("A device's identity (R12)") struct IdentityTests {
  private let world: SimulatedWorld

  init() throws { world = try SimulatedWorld() }

  /// A copy of a device with everything, as `cp -a` makes it.
  ///
  /// - Parameter keepsIdentity: as on a copied disk, where not even the folder's inode tells the copy from the original.
  private func copy(_ device: SimulatedDevice, as name: String, keepsIdentity: Bool) throws -> SimulatedDevice {
    let folder = world.directory.appending(name)
    try Tree.copy(device.folder, to: folder)
    if keepsIdentity, let id = device.device {
      let layout = PrivateLayout(RepositoryLayout(root: folder).privateFolder(of: id))
      let binding = try DeviceBinding(of: layout.folder, name: Array(name.utf8), continues: nil)
      try AtomicFile.write(binding.encoded(), to: layout.binding)
    }
    return try SimulatedDevice(name, in: folder, clock: world.clock)
  }

  private func expectEverything(_ texts: Set<String>, at path: String, on devices: [SimulatedDevice]) throws {
    for device in devices {
      #expect(try device.contents(path) == texts, "on \(device.name)")
      #expect(try device.versionIDs() == devices[0].versionIDs(), "on \(device.name)")
      #expect(try device.repository.verify(isQuick: false).damages == [], "on \(device.name)")
    }
  }

  @Test("is a new one in a copied store, with all that was not pushed", arguments: [false, true])
  func copiedStore(keepsIdentity: Bool) throws {
    let a = try world.device("a")
    try a.save("one", at: "d")
    try a.sync(world.remote())
    try a.save("two", at: "d")
    let copy = try copy(a, as: "copy", keepsIdentity: keepsIdentity)
    #expect((copy.device == a.device) == keepsIdentity)
    try a.save("from a", at: "d")
    try copy.save("from copy", at: "d")
    try a.sync(world.remote())
    let report = try copy.sync(world.remote())
    #expect(copy.device != a.device)
    #expect(report.warnings.contains { if case .identityRenewed = $0 { true } else { false } } == keepsIdentity)
    for device in [a, copy, a] { try device.sync(world.remote()) }
    let c = try world.device("c")
    try c.sync(world.remote())
    try a.sync(world.remote())
    try copy.sync(world.remote())
    try expectEverything(["one", "two", "from a", "from copy"], at: "d", on: [a, copy, c])
    #expect(try a.conflicts().count == 1)
    for device in [a, copy, c, a, copy, c] { #expect(try device.sync(world.remote()).warnings.isEmpty) }
    #expect(try a.sync(world.remote()).isUpToDate)
    #expect(try copy.sync(world.remote()).isUpToDate)
  }

  @Test("used twice on two remotes loses nothing when they meet")
  func twoRemotes() throws {
    let (home, office) = (world.remote("home"), world.remote("office"))
    let a = try world.device("a")
    try a.save("one", at: "d")
    try a.sync(home)
    try a.sync(office)
    let copy = try copy(a, as: "copy", keepsIdentity: true)
    // Both push as the same device, each where the other doesn't see it.
    for text in ["a1", "a2", "a3"] {
      try a.save(text, at: "d")
      try a.sync(home)
    }
    for text in ["c1", "c2"] {
      try copy.save(text, at: "d")
      try copy.sync(office)
    }
    #expect(a.device == copy.device)
    // Somebody who knows neither carries things from one to the other.
    let c = try world.device("c")
    try c.sync(home)
    let report = try c.sync(office)
    #expect(report.warnings.contains(.identityShared(try #require(a.device))))
    try c.save("c's own", at: "c")
    for _ in 0..<2 {
      try c.sync(home)
      try c.sync(office)
    }
    let e = try world.device("e")
    try e.sync(office)
    try expectEverything(["one", "a1", "a2", "a3", "c1", "c2"], at: "d", on: [c, e])
    // The two go on as before and hear of each other.
    try a.save("a4", at: "d")
    try copy.save("c3", at: "d")
    for _ in 0..<3 {
      try a.sync(home)
      try copy.sync(office)
      try c.sync(home)
      try c.sync(office)
      try e.sync(office)
    }
    try a.sync(home)
    try copy.sync(office)
    for _ in 0..<2 {
      for (device, place) in [(c, home), (c, office), (e, office), (copy, office), (a, home)] { try device.sync(place) }
    }
    try expectEverything(["one", "a1", "a2", "a3", "a4", "c1", "c2", "c3"], at: "d", on: [a, c, copy, e])
    // The copy comes home.
    try copy.sync(home)
    #expect(copy.device != a.device)
    for _ in 0..<2 { for device in [a, copy, c, e] { try device.sync(home) } }
    try expectEverything(["one", "a1", "a2", "a3", "a4", "c1", "c2", "c3"], at: "d", on: [a, c, copy, e])
    for device in [a, copy, c, e] { #expect(try device.sync(home).isUpToDate, "\(device.name)") }
  }

  @Test("is a new one in a store that was put back to an older copy (restored backup)")
  func restoredBackup() throws {
    let a = try world.device("a")
    let b = try world.device("b")
    try a.save("one", at: "d")
    try a.sync(world.remote())
    let backup = try copy(a, as: "backup", keepsIdentity: true)
    try a.save("two", at: "d")
    try a.save("three", at: "d")
    try a.sync(world.remote())
    try b.sync(world.remote())
    // From here on there is only the backup.
    try backup.save("after the backup", at: "x")
    let report = try backup.sync(world.remote())
    #expect(report.warnings.contains { if case .identityRenewed = $0 { true } else { false } })
    #expect(backup.read("d") == "three")
    try b.sync(world.remote())
    #expect(b.read("x") == "after the backup")
    #expect(try b.conflicts().isEmpty)
    try expectEverything(["one", "two", "three"], at: "d", on: [backup, b])
  }

  @Test("is found in use by reading back, where both push at the same moment")
  func race() throws {
    let a = try world.device("a")
    try a.save("one", at: "d")
    try a.sync(world.remote())
    let copy = try copy(a, as: "copy", keepsIdentity: true)
    try a.save("from a", at: "d")
    try copy.save("from copy", at: "d")
    let double = RemoteDouble(world.remote())
    var hasRaced = false
    double.beforePut = { name in
      guard !hasRaced, name.text.hasPrefix("log/") else { return }
      hasRaced = true
      try copy.sync(world.remote())
    }
    let report = try a.sync(with: double)
    #expect(hasRaced && a.device != copy.device)
    #expect(report.failure == nil)
    for device in [a, copy, a, copy] { try device.sync(world.remote()) }
    try expectEverything(["one", "from a", "from copy"], at: "d", on: [a, copy])
    let c = try world.device("c")
    try c.sync(world.remote())
    #expect(try c.contents("d") == ["one", "from a", "from copy"])
  }

  @Test("stays what it is when the host's name changes, and when the remote loses its newest entry")
  func stays() throws {
    let a = try world.device("a")
    try a.save("one", at: "d")
    try a.sync(world.remote())
    try a.save("two", at: "d")
    try a.sync(world.remote())
    let device = a.device
    try FileSystem.remove(at: world.remote().appending("log/\(try #require(device).hexadecimal)/2"))
    try a.reopen()
    #expect(try a.sync(world.remote()).sentEntries == 1)
    #expect(a.device == device)
  }

  @Test("keeps where the working files came from when it is renewed")
  func basesAreKept() throws {
    let a = try world.device("a")
    try a.save("one", at: "d")
    try a.save("two", at: "e")
    let old = try #require(a.device)
    let new = try a.repository.store.forkDevice()
    #expect(new != old && a.device == new)
    #expect(try a.saveAll().isEmpty)
    let version = try #require(try a.save("three", at: "d"))
    #expect(version.record.parents.count == 1 && version.record.device == new)
    try a.reopen()
    #expect(a.device == new)
    try a.loseCatalog()
    #expect(a.device == new)
    #expect(try a.contents("d") == ["one", "three"])
    try a.sync(world.remote())
    let b = try world.device("b")
    try b.sync(world.remote())
    #expect(try b.contents("d") == ["one", "three"] && b.read("e") == "two")
    #expect(try b.repository.store.devices().first { $0.device == new }?.continues == old)
  }

  @Test("is renewed whole or not at all, whichever call fails")
  func interruptedRenewal() throws {
    for number in stride(from: 0, to: 1000, by: 3) {
      let world = try SimulatedWorld()
      let a = try world.device("a")
      try a.save("one", at: "d")
      try a.save("two", at: "d")
      let store = a.repository.store
      let (_, report) = FaultInjection.run(.tearing(afterCalls: number)) { () throws(RepositoryError) in
        _ = try store.forkDevice()
      }
      try report.simulatePowerLoss()
      try a.reopen()
      #expect(try a.contents("d") == ["one", "two"], "call \(number)")
      #expect(try a.saveAll().isEmpty, "call \(number)")
      try a.sync(world.remote())
      let b = try world.device("b")
      try b.sync(world.remote())
      #expect(try b.contents("d") == ["one", "two"], "call \(number)")
      if !report.isInjected { return }
    }
    Issue.record("the renewal never came to its end")
  }
}
