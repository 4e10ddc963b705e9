import Catalog
import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("Finding out what changed") struct ChangeDetectionTests {
  @Test("500 saves in a row miss no change, however fast they follow each other") func racy() throws {
    let here = try TestRepository()
    for number in 100..<600 {
      try here.write("\(number)", to: "a.txt")
      let saved = try here.saveAll()
      #expect(saved.count == 1, "\(number)")
    }
    #expect(try here.repository.history(of: DocumentPath("a.txt"), HistoryQuery()).count == 500)
  }

  @Test("A status in between doesn't make a save believe in old times") func racyStatus() throws {
    let here = try TestRepository()
    try here.save("0", at: "a.txt")
    for number in 1..<100 {
      #expect(try here.repository.status([nil]).entries.isEmpty, "\(number)")
      try here.write("\(number % 10)", to: "a.txt")
      #expect(try here.saveAll().count == 1, "\(number)")
    }
  }

  @Test(
    "A file that no version is as long as is named without being read",
    arguments: [(nil, .new), ("one", .modified)] as [(String?, StatusChange)])
  func unread(saved: String?, change: StatusChange) throws {
    let here = try TestRepository()
    if let saved { try here.save(saved, at: "a.txt") }
    try here.write("longer", to: "a.txt")
    let run = FaultInjection.run(.observing) { try? here.repository.status([nil]).entries }
    #expect(try run.result.get() == [StatusEntry(path: DocumentPath("a.txt"), change: change)])
    let ofFile = run.report.calls.filter { $0.path?.bytes.suffix(5).elementsEqual("a.txt".utf8) ?? false }
    #expect(!ofFile.isEmpty && !ofFile.contains { $0.function.contains("read") }, "\(ofFile.map(\.function))")
  }

  @Test("A change is found though the modification time was put back") func timePutBack() throws {
    let here = try TestRepository()
    try here.save("one", at: "a.txt")
    try letTimePass(here)
    let before = try here.status("a.txt")
    try here.write("two", to: "a.txt")
    try FileSystem.setModificationTime(
      seconds: before.modificationSeconds, nanoseconds: before.modificationNanoseconds, at: here.path("a.txt"))
    #expect(try here.savedPaths() == ["a.txt"])
  }

  /// Until the file system's steps of time are behind us, without a wait that is longer than they are.
  private func letTimePass(_ here: TestRepository) throws {
    let start = Clock.wallNanoseconds
    while Clock.wallNanoseconds - start < 30_000_000 { _ = try here.status("a.txt") }
    #expect(try here.repository.status([nil]).entries.isEmpty)
  }

  @Test("A file that was not touched is not read again") func unchanged() throws {
    let here = try TestRepository()
    try here.save("one", at: "a.txt")
    try letTimePass(here)
    let run = FaultInjection.run(.observing) { try? here.repository.status([nil]) }
    #expect(!run.report.calls.contains { $0.path == here.path("a.txt") && $0.function == "openat" })
  }

  @Test("A change of the mode makes a version, a change of the time none (R15)") func mode() throws {
    let here = try TestRepository()
    let first = try #require(try here.save("one", at: "a.txt"))
    try FileSystem.setModificationTime(seconds: 1, nanoseconds: 2, at: here.path("a.txt"))
    #expect(try here.saveAll().isEmpty)
    #expect(try here.repository.status([nil]).entries.isEmpty)
    try FileSystem.setPermissions(0o755, at: here.path("a.txt"))
    #expect(try here.repository.status([nil]).entries == [StatusEntry(path: DocumentPath("a.txt"), change: .modified)])
    let second = try #require(try here.saveAll().first)
    #expect(second.record.mode == 0o755)
    #expect(second.record.content == first.record.content)
    #expect(second.record.parents == [first.id])
    #expect(try here.saveAll().isEmpty)
  }

  @Test("A file put back to an equal head makes no version, and that head is its base then (R7)") func equalHead()
    throws
  {
    let here = try TestRepository()
    let first = try #require(try here.save("one", at: "a.txt"))
    let second = try #require(try here.save("two", at: "a.txt"))
    let rival = try here.receive("other", at: "a.txt", on: [first])
    try here.write("other", to: "a.txt")
    #expect(try here.saveAll().isEmpty)
    #expect(try here.row("a.txt")?.base == [rival.id])
    #expect(try here.row("a.txt")?.seen == [second.id])
    let third = try #require(try here.save("more", at: "a.txt"))
    #expect(third.record.parents == [rival.id])
    #expect(Set(try here.view("a.txt").rivals.map(\.id)) == [second.id, third.id])
  }

  @Test("The parent is what the file came from, not what arrived meanwhile (R7)") func base() throws {
    let here = try TestRepository()
    let first = try #require(try here.save("one", at: "a.txt"))
    let newer = try here.receive("two", at: "a.txt", on: [first])
    let mine = try #require(try here.save("mine", at: "a.txt"))
    #expect(mine.record.parents == [first.id])
    #expect(try here.view("a.txt").conflicts.map(\.id).count == 1)
    #expect(Set(try here.view("a.txt").rivals.map(\.id)) == [newer.id, mine.id])
  }

  @Test(
    "A file of an unknown base continues the oldest version with its bytes, else this device's newest, else none (R7)")
  func unknownBase() throws {
    let here = try TestRepository()
    let first = try here.receive("one", at: "a.txt", on: [])
    let second = try here.receive("two", at: "a.txt", on: [first])
    _ = try here.receive("one", at: "a.txt", on: [second])
    let last = try here.receive("three", at: "a.txt", on: [second])
    try here.write("two", to: "a.txt")
    try FileSystem.setPermissions(0o600, at: here.path("a.txt"))
    let saved = try #require(try here.saveAll().first)
    #expect(saved.record.parents == [second.id])
    #expect(saved.record.document == last.record.document)
    try here.write("x", to: "b.txt")
    let theirs = try here.receive("y", at: "b.txt", on: [])
    let mine = try #require(try here.saveAll().first)
    #expect(mine.record.parents.isEmpty)
    #expect(mine.record.document != theirs.record.document)
    #expect(try here.view("b.txt").hasConflict)
  }

  @Test(
    "A file's times are believed only where they were old when it was looked at",
    arguments: [
      (VolumeKind.ext, Int64(10_000_000), false), (.ext, 25_000_000, true), (.tmpfs, 10_000_000, false),
      (.overlay, 25_000_000, false), (.fat, 1_900_000_000, false), (.fat, 2_200_000_000, true),
      (.network, 1_900_000_000, false), (.ext, 0, false), (.ext, -1, false),
    ])
  func oldEnough(volume: VolumeKind, age: Int64, isBelieved: Bool) throws {
    let here = try TestRepository()
    try here.save("one", at: "a.txt")
    let status = try here.status("a.txt")
    var row = try #require(try here.row("a.txt"))
    let changed = status.changeSeconds * 1_000_000_000 + Int64(status.changeNanoseconds)
    row.status = CachedStatus(status, checkedAt: changed + age)
    #expect(row.isUnchanged(status, on: volume) == isBelieved)
    try FileSystem.setPermissions(0o755, at: here.path("a.txt"))
    #expect(try !row.isUnchanged(here.status("a.txt"), on: volume))
  }
}
