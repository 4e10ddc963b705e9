import Catalog
import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("A copied store") struct CopiedStoreTests {
  /// A copy as `cp -a` makes it.
  private func copy(_ here: TestRepository) throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    let result = try ChildProcess.run(
      program: FilePath("cp"), arguments: [Array("-aT".utf8), here.directory.path.bytes, folder.path.bytes])
    #expect(result.status == 0)
    return folder
  }

  private func open(_ folder: TemporaryDirectory, _ clock: TestClock, _ access: Store.Access = .writing) throws
    -> Repository
  {
    try Repository.open(
      containing: folder.path, access: access,
      environment: StoreEnvironment(now: { clock.now }, lockTimeoutMilliseconds: 0))
  }

  private func filled() throws -> TestRepository {
    let here = try TestRepository()
    try here.save("one", at: "a.txt")
    try here.save("two", at: "a.txt")
    _ = try here.store.withLock { () throws(RepositoryError) in try here.store.seal() }
    try here.save("three", at: "a.txt")
    try here.write([UInt8](repeating: 7, count: 5 << 20), to: "big.bin")
    try here.saveAll()
    try here.repository.setRemotes([RemoteEntry(name: Array("r".utf8), url: Array("/x y".utf8))])
    return here
  }

  @Test("becomes a new device that continues the old one and takes over what was not exchanged (R12)") func continues()
    throws
  {
    let here = try filled()
    guard try FileSystem.kind(ofVolumeAt: here.directory.path).hasStableInodes else {
      print("not tested: the volume of temporary files has no inode numbers to rely on")
      return
    }
    let folder = try copy(here)
    let versions = try here.repository.history(HistoryQuery(includesEverything: true)).map(\.version.id)
    let there = try open(folder, here.clock)
    let old = try #require(here.store.device)
    let new = try #require(there.store.device)
    #expect(new != old)
    let record = try #require(try there.store.devices().first { $0.device == new })
    #expect(record.continues == old)
    #expect(record.name == Array("laptop".utf8))
    #expect(try there.remotes() == here.repository.remotes())
    #expect(try there.history(HistoryQuery(includesEverything: true)).map(\.version.id) == versions)
    for entry in try there.history(HistoryQuery(includesEverything: true)) {
      #expect(entry.isLocal)
      #expect(
        try there.content(of: entry.version, at: entry.version.record.path)
          == here.repository.content(of: entry.version, at: entry.version.record.path))
    }
    #expect(try there.verify(isQuick: false).damages == [])
    #expect(try there.save([nil], options: SaveOptions()).saved.isEmpty)
    // It stands by itself: what it took over is in its own pack.
    try FileSystem.removeTree(at: folder.appending(".dver/private/\(old.hexadecimal)/active"))
    let again = try open(folder, here.clock)
    #expect(again.store.device == new)
    try again.store.rebuild()
    #expect(try again.history(HistoryQuery(includesEverything: true)).map(\.version.id) == versions)
    #expect(try again.verify(isQuick: false).damages == [])
  }

  @Test("takes over in about as many bytes as there were") func size() throws {
    let here = try TestRepository()
    var text = (0..<2000).map { "line number \($0)\n" }.joined()
    for number in 0..<40 {
      text += "and \(number)\n"
      try here.save(text, at: "a.txt")
    }
    let folder = try copy(here)
    let there = try open(folder, here.clock)
    func size(_ repository: Repository) throws -> UInt64 {
      try #require(try repository.store.catalog.packs().last).absorbedByteCount
    }
    #expect(try size(there) < 2 * size(here.repository))
    #expect(try there.verify(isQuick: false).damages == [])
  }

  @Test("takes over entries as they are, with what they are stored against") func entries() throws {
    let here = try TestRepository()
    for number in 0..<80 {
      let text = (0..<40).map { "line \($0) of many documents, such as \(number * $0 % 91)\n" }.joined()
      try here.write(text, to: "folder\(number / 30)/\(number).txt")
    }
    try here.saveAll()
    for number in 0..<5 {
      try here.save("\(try #require(try here.read("folder1/40.txt")))more \(number)", at: "folder1/40.txt")
    }
    let folder = try copy(here)
    let there = try open(folder, here.clock)
    func size(_ repository: Repository) throws -> UInt64 {
      try #require(try repository.store.catalog.packs().last).absorbedByteCount
    }
    #expect(try there.store.device != here.store.device)
    #expect(try size(there) < size(here.repository) * 21 / 20)
    #expect(try there.verify(isQuick: false).damages == [])
    try FileSystem.removeTree(at: folder.appending(".dver/private/\(try #require(here.store.device).hexadecimal)"))
    let again = try open(folder, here.clock)
    #expect(try again.verify(isQuick: false).damages == [])
    for entry in try again.history(HistoryQuery(includesEverything: true)) {
      #expect(
        try again.content(of: entry.version, at: entry.version.record.path)
          == here.repository.content(of: entry.version, at: entry.version.record.path))
    }
  }

  @Test("shows files that are as they were saved as nothing special") func status() throws {
    let here = try filled()
    try here.save("another", at: "b.txt")
    let folder = try copy(here)
    try FileSystem.remove(at: folder.path.appending("b.txt"))
    let there = try open(folder, here.clock, .reading)
    #expect(
      try there.status([nil]).entries == [StatusEntry(path: DocumentPath("b.txt"), change: .remoteOnly)])
  }

  @Test("is read without becoming a device") func readOnly() throws {
    let here = try filled()
    let folder = try copy(here)
    let there = try open(folder, here.clock, .reading)
    if try FileSystem.kind(ofVolumeAt: folder.path).hasStableInodes { #expect(there.store.device == nil) }
    #expect(
      try there.history(HistoryQuery(includesEverything: true)).map(\.version.id)
        == here.repository.history(HistoryQuery(includesEverything: true)).map(\.version.id))
    #expect(try FileSystem.list(folder.appending(".dver/private")).count == 1)
    #expect(throws: RepositoryError.self) { try there.save([nil], options: SaveOptions()) }
  }

  @Test("has everything whatever call failed while it became a device") func crash() throws {
    let here = try TestRepository()
    try here.save("one", at: "a.txt")
    try here.save("two", at: "b.txt")
    let versions = try here.repository.history(HistoryQuery(includesEverything: true)).map(\.version.id)
    guard try FileSystem.kind(ofVolumeAt: here.directory.path).hasStableInodes else { return }
    var number = 0
    while true {
      let folder = try copy(here)
      let run = FaultInjection.run(.crashing(afterCalls: number)) { try? open(folder, here.clock) }
      if number.isMultiple(of: 2) { try run.report.simulatePowerLoss() }
      let there = try open(folder, here.clock)
      #expect(try there.history(HistoryQuery(includesEverything: true)).map(\.version.id) == versions, "call \(number)")
      #expect(try there.verify(isQuick: false).damages == [], "call \(number)")
      if !run.report.isInjected { break }
      number += 1
    }
    #expect(number > 50)
  }
}
