import Exchange
import SystemIO
import TestSupport
import Testing
import VersionStore
import Versioning

@Suite("An exchange") struct ExchangeTests {
  private let world: SimulatedWorld

  init() throws { world = try SimulatedWorld() }

  @Test("brings one device's documents to another")
  func twoDevices() throws {
    let (a, b) = (try world.device("a"), try world.device("b"))
    try a.save("one", at: "letter.txt")
    try a.save("deep", at: "folder/note.txt")
    let sent = try a.sync(world.remote())
    #expect(sent.sentEntries == 1 && sent.fetchedEntries == 0)
    let report = try b.sync(world.remote())
    #expect(report.fetchedEntries == 1)
    #expect(report.newVersions.count == 2)
    #expect(report.placement.created.count == 2)
    #expect(b.read("letter.txt") == "one" && b.read("folder/note.txt") == "deep")
    #expect(report.warnings.isEmpty && report.failure == nil)
    #expect(try b.repository.verify(isQuick: false).damages == [])
  }

  @Test("has nothing to do the second time, and then writes nothing and sends nothing")
  func idempotence() throws {
    let (a, b) = (try world.device("a"), try world.device("b"))
    try a.save("one", at: "letter.txt")
    try a.sync(world.remote())
    try b.sync(world.remote())
    try a.sync(world.remote())
    for device in [a, b, a, b] {
      let remoteBefore = try Tree.files(below: world.remote())
      let storeBefore = try Tree.files(below: device.storeFolder).filter { !$0.key.contains("catalog.sqlite") }
      let (result, calls) = FaultInjection.run(.observing) { () throws(ExchangeError) in try device.sync(world.remote())
      }
      let report = try result.get()
      #expect(report.isUpToDate && report.newVersions.isEmpty && report.merges.isEmpty)
      #expect(report.fetchedBytes == 0 && report.sentBytes == 0)
      #expect(try Tree.files(below: world.remote()) == remoteBefore)
      #expect(try Tree.files(below: device.storeFolder).filter { !$0.key.contains("catalog.sqlite") } == storeBefore)
      let writes = calls.calls.filter { ["fdatasync", "fsync", "renameat2", "unlinkat"].contains($0.function) }
      #expect(writes.isEmpty, "\(writes)")
      #expect(calls.calls.count < 130, "\(calls.calls.count) calls")
    }
  }

  @Test("goes both ways, and merges what merges cleanly into the same version everywhere")
  func cleanMerge() throws {
    let (a, b) = (try world.device("a"), try world.device("b"))
    let lines = (1...20).map { "line \($0)" }
    try a.save(lines.joined(separator: "\n") + "\n", at: "d")
    try a.sync(world.remote())
    try b.sync(world.remote())
    var (ours, theirs) = (lines, lines)
    ours[1] = "changed on a"
    theirs[17] = "changed on b"
    try a.save(ours.joined(separator: "\n") + "\n", at: "d")
    try b.save(theirs.joined(separator: "\n") + "\n", at: "d")
    try a.sync(world.remote())
    let report = try b.sync(world.remote())
    #expect(report.merges.count == 1)
    try a.sync(world.remote())
    #expect(try a.current("d")?.id == b.current("d")?.id)
    #expect(a.read("d") == b.read("d"))
    #expect(a.read("d")?.contains("changed on a\n") == true && a.read("d")?.contains("changed on b\n") == true)
    #expect(try a.conflicts().isEmpty && b.conflicts().isEmpty)
  }

  @Test("shows a conflict alike on every device, and its resolution ends it everywhere (BR-064, BR-065)")
  func conflict() throws {
    let devices = try ["a", "b", "c"].map { try world.device($0) }
    let (a, b, c) = (devices[0], devices[1], devices[2])
    try a.save("base", at: "d")
    for device in devices { try device.sync(world.remote()) }
    try a.save("from a", at: "d")
    try b.save("from b", at: "d")
    for device in [a, c, b, c, a] { try device.sync(world.remote()) }
    for device in devices {
      #expect(try device.conflicts().count == 1)
      #expect(try device.conflicts().first?.version.id == a.conflicts().first?.version.id)
      #expect(device.read("d") == "from b")
    }
    world.clock.advance(1000)
    _ = try a.repository.resolve(DocumentPath("d"), .current)
    for device in [a, b, c, a, b, c] { try device.sync(world.remote()) }
    for device in devices {
      #expect(try device.conflicts().isEmpty)
      #expect(try device.current("d")?.id == a.current("d")?.id)
      #expect(try device.contents("d") == ["base", "from a", "from b"])
    }
  }

  @Test("leaves a file with unsaved changes alone, and says so (BR-067)")
  func unsavedChanges() throws {
    let (a, b) = (try world.device("a"), try world.device("b"))
    try a.save("one", at: "d")
    try a.sync(world.remote())
    try b.sync(world.remote())
    try a.save("two", at: "d")
    try a.sync(world.remote())
    try b.write("day-work", to: "d")
    let report = try b.sync(world.remote())
    #expect(report.placement.left.map(\.bytes) == [Array("d".utf8)])
    #expect(b.read("d") == "day-work")
    try b.saveAll()
    try b.sync(world.remote())
    try a.sync(world.remote())
    #expect(try a.contents("d") == ["one", "two", "day-work"])
    #expect(try a.conflicts().count == 1)
  }

  @Test("brings what it had to leave alone as soon as the file is as it was")
  func leftThenFree() throws {
    let (a, b) = (try world.device("a"), try world.device("b"))
    try a.save("one", at: "d")
    try a.sync(world.remote())
    try b.sync(world.remote())
    try a.save("two", at: "d")
    try a.sync(world.remote())
    try b.write("not meant", to: "d")
    for _ in 0..<2 { #expect(try b.sync(world.remote()).placement.left.count == 1) }
    try b.write("one", to: "d")
    try b.sync(world.remote())
    #expect(b.read("d") == "two")
  }

  @Test("brings deletions and renames")
  func deletion() throws {
    let (a, b) = (try world.device("a"), try world.device("b"))
    try a.save("one", at: "gone")
    try a.save("two", at: "old")
    try a.sync(world.remote())
    try b.sync(world.remote())
    try a.remove("gone")
    try FileSystem.rename(from: a.folder.appending("old"), to: a.folder.appending("new"))
    try a.saveAll()
    try a.sync(world.remote())
    try b.sync(world.remote())
    #expect(b.read("gone") == nil && b.read("old") == nil && b.read("new") == "two")
  }

  @Test("is relayed by a stick between devices that never meet")
  func relay() throws {
    let (a, b, c) = (try world.device("a"), try world.device("b"), try world.device("c"))
    let (home, office) = (world.remote("home"), world.remote("office"))
    try a.save("from a", at: "x")
    try a.sync(home)
    try b.sync(home)
    try b.sync(office)
    try c.save("from c", at: "y")
    let report = try c.sync(office)
    #expect(report.fetchedEntries == 2)
    #expect(c.read("x") == "from a")
    try b.sync(office)
    try b.sync(home)
    try a.sync(home)
    #expect(a.read("y") == "from c")
    #expect(try a.versionIDs() == c.versionIDs())
  }

  @Test("goes directly with another repository, whose unpushed versions come too")
  func directly() throws {
    let (a, b) = (try world.device("a"), try world.device("b"))
    try a.save("from a", at: "x")
    try b.save("from b", at: "y")
    let first = try a.sync(b.folder)
    #expect(a.read("y") == "from b")
    #expect(first.newVersions.count == 1)
    try b.sync(a.storeFolder)
    #expect(b.read("x") == "from a")
    #expect(try a.versionIDs() == b.versionIDs())
    #expect(try a.sync(b.folder).isUpToDate)
  }

  @Test("refuses the repository itself as its remote")
  func itself() throws {
    let a = try world.device("a")
    #expect(throws: ExchangeError.self) { try a.sync(a.folder) }
    #expect(throws: ExchangeError.self) { try a.sync(a.storeFolder) }
  }

  @Test("only tells what it would do in a dry run")
  func dryRun() throws {
    let (a, b) = (try world.device("a"), try world.device("b"))
    try a.save("one", at: "d")
    let plan = try a.sync(world.remote(), options: ExchangeOptions(isDryRun: true))
    #expect(plan.sentEntries == 1)
    #expect((try? FileStatus.of(world.remote())) == nil)
    try a.sync(world.remote())
    let before = try Tree.files(below: b.storeFolder)
    let report = try b.sync(world.remote(), options: ExchangeOptions(isDryRun: true))
    #expect(report.fetchedEntries == 1 && report.fetchedBytes > 0)
    #expect(try Tree.files(below: b.storeFolder).keys.sorted() == before.keys.sorted())
    #expect(b.read("d") == nil)
  }

  @Test("can be begun as a clone")
  func clone() throws {
    let a = try world.device("a")
    for number in 0..<20 { try a.write("text \(number)", to: "folder/\(number)") }
    try a.saveAll()
    try a.sync(world.remote())
    let folder = world.directory.appending("deep/copy")
    let before = try Tree.files(below: world.remote())
    let (repository, report) = try Clone.run(
      from: .folder(world.remote()), relativeTo: FilePath("/"), into: folder, isMetadataOnly: false,
      environment: SimulatedDevice.environment("b", world.clock))
    #expect(report.newVersions.count == 20 && report.placement.created.count == 20)
    #expect(try FileSystem.read(folder.appending("folder/7"), limit: 100) == Array("text 7".utf8))
    #expect(try repository.remotes().map(\.name) == [Array("origin".utf8)])
    #expect(try Tree.files(below: world.remote()) == before)
    #expect(throws: ExchangeError.notEmpty(folder)) {
      try Clone.run(
        from: .folder(world.remote()), relativeTo: FilePath("/"), into: folder, isMetadataOnly: false,
        environment: SimulatedDevice.environment("b", world.clock))
    }
    #expect(throws: ExchangeError.self) {
      try Clone.run(
        from: .folder(world.remote("nothing")), relativeTo: FilePath("/"), into: world.directory.appending("other"),
        isMetadataOnly: false, environment: SimulatedDevice.environment("b", world.clock))
    }
    #expect((try? FileStatus.of(world.directory.appending("other"))) == nil)
  }

  @Test("goes on where the catalog was lost in between (BR-063)")
  func lostCatalog() throws {
    let (a, b) = (try world.device("a"), try world.device("b"))
    for number in 0..<10 { try a.write("text \(number)", to: "\(number)") }
    try a.saveAll()
    try a.sync(world.remote())
    try b.sync(world.remote())
    try b.save("edited", at: "3")
    try a.remove("4")
    try a.saveAll()
    try b.loseCatalog()
    try a.loseCatalog()
    for device in [a, b, a, b] { try device.sync(world.remote()) }
    #expect(try a.conflicts().isEmpty && b.conflicts().isEmpty)
    #expect(a.read("3") == "edited" && b.read("4") == nil && b.read("5") == "text 5")
    #expect(try a.versionIDs() == b.versionIDs())
    #expect(try a.sync(world.remote()).isUpToDate)
  }

  @Test("tells of a device whose clock is far ahead")
  func clock() throws {
    let a = try SimulatedDevice("a", in: world.directory.appending("a"), clock: SimulatedClock())
    a.clock.advance(3_600_000)
    let b = try world.device("b")
    try a.save("one", at: "d")
    try a.sync(world.remote())
    let warnings = try b.sync(world.remote()).warnings
    #expect(warnings.contains { if case .clock(a.device, let ahead) = $0 { ahead > 3_500_000 } else { false } })
  }
}
