import Exchange
import SystemIO
import TestSupport
import Testing
import VersionStore
import Versioning

@Suite("A damaged remote") struct DamagedRemoteTests {
  private let world: SimulatedWorld
  private let a: SimulatedDevice
  private let b: SimulatedDevice

  /// `d` was synchronised with "old", then `a` pushed "new" to it and made `other`, in another push.
  init() throws {
    world = try SimulatedWorld()
    (a, b) = (try world.device("a"), try world.device("b"))
    try a.save("old", at: "d")
    try a.sync(world.remote())
    try b.sync(world.remote())
    let before = try Set(Tree.packs(below: world.remote()))
    self.before = before
    try a.save("new", at: "d")
    try a.sync(world.remote())
    newPack = try #require(try Tree.packs(below: world.remote()).first { !before.contains($0) })
  }

  private let before: Set<FilePath>
  /// The pack that brings "new".
  private let newPack: FilePath

  private func newEntry(_ number: Int = 2) throws -> FilePath {
    world.remote().appending("log/\(try #require(a.device).hexadecimal)/\(number)")
  }

  enum Damage: CaseIterable, Sendable {
    case missing, cut, empty, flippedFirst, flippedMiddle, flippedLast, longer, swapped
  }

  private func damage(_ path: FilePath, _ damage: Damage) throws {
    var bytes = try FileSystem.read(path, limit: 1 << 24)
    switch damage {
    case .missing: return try FileSystem.remove(at: path)
    case .cut: bytes.removeLast(bytes.count / 2)
    case .empty: bytes = []
    case .flippedFirst: bytes[0] ^= 1
    case .flippedMiddle: bytes[bytes.count / 2] ^= 16
    case .flippedLast: bytes[bytes.count - 1] ^= 128
    case .longer: bytes.append(0)
    case .swapped: bytes = try FileSystem.read(try #require(before.first), limit: 1 << 24)
    }
    try Tree.overwrite(path, with: bytes)
  }

  @Test(
    "keeps the old version, brings what else is whole, and takes the new one when it is whole (BR-087, BR-088, BR-092)",
    arguments: Damage.allCases)
  func pack(_ kind: Damage) throws {
    let c = try world.device("c")
    try c.save("from c", at: "other")
    try c.sync(world.remote(), options: ExchangeOptions())
    let pack = newPack
    let good = try FileSystem.read(pack, limit: 1 << 24)
    try damage(pack, kind)
    for _ in 0..<2 {
      let report = try b.sync(world.remote())
      #expect(b.read("d") == "old")
      #expect(report.failure == nil)
      #expect(!report.warnings.isEmpty)
    }
    #expect(try b.conflicts().isEmpty)
    #expect(try b.repository.verify(isQuick: false).damages == [])
    try? FileSystem.remove(at: pack)
    try AtomicFile.write(good, to: pack)
    let report = try b.sync(world.remote())
    #expect(b.read("d") == "new")
    #expect(b.read("other") == "from c")
    #expect(report.warnings.isEmpty)
  }

  @Test("is put right by the device that has the pack, when everything is checked (BR-090)", arguments: Damage.allCases)
  func packRepair(_ kind: Damage) throws {
    try damage(newPack, kind)
    let report = try a.sync(world.remote(), options: ExchangeOptions(checksEverything: true))
    #expect(report.failure == nil)
    try b.sync(world.remote())
    #expect(b.read("d") == "new")
    let c = try world.device("c")
    try c.sync(world.remote())
    #expect(c.read("d") == "new")
  }

  @Test(
    "or a sound one gives back what this store lost, when everything is checked, with the catalog or without",
    arguments: Damage.allCases, [false, true])
  func lostHere(_ kind: Damage, isCatalogLost: Bool) throws {
    try b.sync(world.remote())
    let pack = b.storeFolder.appending("packs").appending(newPack.parent.lastComponent).appending(newPack.lastComponent)
    let good = try FileSystem.read(pack, limit: 1 << 24)
    try damage(pack, kind)
    try isCatalogLost ? b.loseCatalog() : b.reopen()
    #expect(try b.repository.verify(isQuick: false).damages != [])
    let report = try b.sync(world.remote(), options: ExchangeOptions(checksEverything: true))
    // Without the catalog nothing tells that it was here: it is fetched as new.
    #expect(report.warnings == (isCatalogLost ? [] : [.broughtBack(pack)]))
    #expect(try FileSystem.read(pack, limit: 1 << 24) == good)
    #expect(try b.repository.verify(isQuick: false).damages == [])
    #expect(try b.contents("d").count == 2)
    #expect(try b.sync(world.remote(), options: ExchangeOptions(checksEverything: true)).warnings == [])
  }

  @Test(
    "has its newest entry rewritten by its author, and nobody takes it for empty (BR-091)", arguments: Damage.allCases)
  func entry(_ kind: Damage) throws {
    try damage(try newEntry(), kind)
    let first = try b.sync(world.remote())
    #expect(b.read("d") == "old" && first.failure == nil)
    try a.sync(world.remote())
    try b.sync(world.remote())
    #expect(b.read("d") == "new")
    let c = try world.device("c")
    let report = try c.sync(world.remote())
    #expect(c.read("d") == "new" && report.warnings.isEmpty)
    #expect(a.device == (try a.repository.store.device))
  }

  @Test(
    "does not stop what comes after an older damaged entry from being put right when everything is checked",
    arguments: Damage.allCases)
  func oldEntry(_ kind: Damage) throws {
    try damage(try newEntry(1), kind)
    let c = try world.device("c")
    try c.sync(world.remote())
    #expect(c.read("d") == nil)
    try a.sync(world.remote(), options: ExchangeOptions(checksEverything: true))
    try c.sync(world.remote())
    #expect(c.read("d") == "new")
  }

  @Test("never spreads: what is bad in a device's own store is not sent")
  func ownPack() throws {
    try a.save("newest", at: "d")
    try a.repository.store.publish()
    let pack = try #require(
      try Tree.packs(below: a.storeFolder).max { try FileStatus.of($0).changeSeconds < FileStatus.of($1).changeSeconds }
    )
    var bytes = try FileSystem.read(pack, limit: 1 << 24)
    bytes[bytes.count / 2] ^= 1
    try Tree.overwrite(pack, with: bytes)
    let report = try a.sync(world.remote("second"))
    #expect(report.warnings.contains { $0.isDamage })
    for path in try Tree.packs(below: world.remote("second")) {
      #expect(path.lastComponent != pack.lastComponent)
    }
  }

  @Test("that was put back to an older copy gets everything again, and nothing is lost or in conflict (BR-061)")
  func olderCopy() throws {
    try Tree.copy(world.remote(), to: world.remote("copy"))
    try a.save("n1", at: "n1")
    try a.save("newer", at: "d")
    try a.sync(world.remote())
    try b.sync(world.remote())
    try b.save("from b", at: "b")
    try b.sync(world.remote())
    try FileSystem.removeTree(at: world.remote())
    try FileSystem.rename(from: world.remote("copy"), to: world.remote())
    for device in [a, b, a] { try device.sync(world.remote()) }
    let c = try world.device("c")
    try c.sync(world.remote())
    for device in [a, b, c] {
      #expect(device.read("n1") == "n1" && device.read("d") == "newer" && device.read("b") == "from b")
      #expect(try device.conflicts().isEmpty)
    }
  }

  @Test(
    "that was emptied but for its marker gets everything again; without the marker nothing is done (BR-062, BR-093)")
  func emptied() throws {
    let device = a.device
    for name in ["packs", "log"] { try FileSystem.removeTree(at: world.remote().appending(name)) }
    let report = try a.sync(world.remote())
    #expect(report.sentEntries >= 2 && a.device == device)
    let c = try world.device("c")
    try c.sync(world.remote())
    #expect(c.read("d") == "new")

    try FileSystem.remove(at: world.remote().appending("dver-remote"))
    #expect(throws: ExchangeError.self) { try a.sync(world.remote()) }
    for name in ["packs", "log"] { try FileSystem.removeTree(at: world.remote().appending(name)) }
    #expect(throws: ExchangeError.self) { try a.sync(world.remote()) }
    #expect(try FileSystem.list(world.remote()).isEmpty)
    #expect(a.read("d") == "new")

    // Asked for again, it is set up.
    try KnownRemotes(a.repository.store).forget(world.remote().bytes)
    #expect(try a.sync(world.remote()).sentEntries >= 2)
  }

  @Test("is not set up where a person asked for none, or where other files are (BR-095)")
  func noSetUp() throws {
    let empty = world.remote("empty")
    try FileSystem.makeFolder(at: empty)
    #expect(throws: ExchangeError.self) { try a.sync(empty, options: ExchangeOptions(setsUpRemote: false)) }
    try AtomicFile.write([1], to: empty.appending("letter"))
    #expect(throws: ExchangeError.self) { try a.sync(empty) }
    #expect(try FileSystem.list(empty).count == 1)
  }

  @Test("may hold other people's files (BR-086)")
  func strangeFiles() throws {
    let names = ["desktop.ini", ".DS_Store", "Icon\r", "._x", "Thumbs.db"]
    func litter(_ folder: FilePath) throws {
      for entry in try FileSystem.list(folder) where try FileStatus.of(folder.appending(entry.name)).kind == .folder {
        try litter(folder.appending(entry.name))
      }
      for name in names { try AtomicFile.write([1, 2], to: folder.appending(name), isDurable: false) }
      for name in [".Trashes", "lost+found"] { try? FileSystem.makeFolder(at: folder.appending(name)) }
    }
    try litter(world.remote())
    try litter(a.storeFolder)
    try litter(b.storeFolder)
    try a.reopen()
    try a.save("newer", at: "d")
    let report = try a.sync(world.remote())
    #expect(report.failure == nil && !report.warnings.contains { $0.isDamage })
    try b.reopen()
    try b.sync(world.remote())
    #expect(b.read("d") == "newer")
    #expect(try a.repository.verify(isQuick: false).damages == [])
    #expect(try FileSystem.list(world.remote()).count >= names.count + 3)
  }

  @Test("whose listings are stale still gives everything that is named by number")
  func staleListing() throws {
    let double = RemoteDouble(world.remote())
    let c = try world.device("c")
    try c.sync(with: double)
    try double.freezeListings(of: [.logs, .log(of: try #require(a.device)), .log(of: try #require(b.device))])
    try a.save("newest", at: "d")
    try a.sync(world.remote())
    let report = try c.sync(with: double)
    #expect(c.read("d") == "newest" && report.warnings.isEmpty)
    // A device that the listing doesn't show yet is known from the entries that rely on it.
    let e = try world.device("e")
    try e.save("from e", at: "e")
    try e.sync(world.remote())
    try a.sync(world.remote())
    try a.save("on top", at: "e")
    try a.sync(world.remote())
    try c.sync(with: double)
    #expect(c.read("e") == "on top")
  }

  @Test("that can only be read gives everything, and what was not sent is said")
  func readOnly() throws {
    let double = RemoteDouble(world.remote())
    double.isReadOnly = true
    try b.save("from b", at: "b")
    let report = try b.sync(with: double)
    #expect(b.read("d") == "new")
    #expect(report.failure == .readOnly(place: double.place))
    double.isReadOnly = false
    #expect(try b.sync(with: double).failure == nil)
    try a.sync(world.remote())
    #expect(a.read("b") == "from b")
  }

  @Test("that stops answering at any call leaves both sides whole")
  func deadLine() throws {
    var calls = 0
    while true {
      try a.save("a \(calls)", at: "d")
      try b.save("b \(calls)", at: "b")
      try a.sync(world.remote())
      let double = RemoteDouble(world.remote())
      double.callsLeft = calls
      let report = try? b.sync(with: double)
      #expect(try b.repository.verify(isQuick: true).damages == [])
      let isDone = report.map { $0.failure == nil } ?? false
      try b.sync(world.remote())
      try a.sync(world.remote())
      #expect(b.read("d") == "a \(calls)" && a.read("b") == "b \(calls)")
      if isDone { break }
      calls += 1
    }
    #expect(calls > 5)
    #expect(try a.versionIDs() == b.versionIDs())
  }
}
