import Catalog
import ObjectStorage
import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("Quick saves") struct QuickSaveTests {
  private func isDeclined(_ outcome: QuickSaveOutcome) -> Bool {
    if case .declined = outcome { return true }
    return false
  }

  private func recent(_ here: TestRepository) throws -> RecentSaves {
    RecentSaves(try #require(here.store.privateLayout))
  }

  private func history(_ here: TestRepository, _ path: String) throws -> [Version] {
    try here.repository.history(of: DocumentPath(path), HistoryQuery()).map(\.version)
  }

  /// A repository in which `a.txt` can be saved quickly.
  private func prepared() throws -> TestRepository {
    let here = try TestRepository()
    try here.save("one\n", at: "a.txt")
    return here
  }

  @Test("Make the versions that an ordinary save makes, and the catalog follows") func chain() throws {
    let here = try prepared()
    var texts = ["one\n"]
    var made: [Version] = []
    for number in 0..<20 {
      texts.append(texts[number] + "line \(number)\n")
      made.append(try #require(try here.saveQuickly(texts[number + 1], at: "a.txt")))
    }
    #expect(try recent(here).state()?.groupCount == 20)
    try here.reopen()
    #expect(try recent(here).state()?.groupCount == 0)
    let versions = try history(here, "a.txt")
    #expect(Array(versions.dropLast()) == made.reversed())
    for (version, text) in zip(versions.reversed(), texts) { #expect(try here.content(of: version) == text) }
    for (version, parent) in zip(versions, versions.dropFirst()) {
      #expect(version.record.parents == [parent.id])
      #expect(version.record.document == parent.record.document)
      #expect(version.record.origin == .save)
    }
    let row = try #require(try here.repository.fileRow(at: DocumentPath("a.txt")))
    #expect(row.base == [made[19].id])
    #expect(row.status != nil, "a file that was saved quickly needn't be hashed again")
    #expect(try here.repository.verify(isQuick: false).damages == [])
    try here.store.rebuild()
    #expect(try history(here, "a.txt") == versions)
  }

  @Test("Give the same bytes as ordinary ones") func sameBytes() throws {
    let quick = try prepared()
    let ordinary = try TestRepository()
    try ordinary.save("one\n", at: "a.txt")
    var generator = SeededGenerator(seed: 7)
    var text = (0..<400).map { "line \($0 &* 7919 % 1000)\n" }.joined()
    for _ in 0..<30 {
      let place = text.index(text.startIndex, offsetBy: Int.random(in: 0..<text.count, using: &generator))
      text.insert(contentsOf: "edit \(UInt16.random(in: 0...999, using: &generator)) ", at: place)
      let one = try #require(try quick.saveQuickly(text, at: "a.txt") ?? quick.save(text, at: "a.txt"))
      let other = try #require(try ordinary.save(text, at: "a.txt"))
      #expect(one.record.content == other.record.content)
    }
    // Documents, devices and the nanoseconds of files differ, which changes no length but that of a number.
    let sizes = try [quick, ordinary].map { here in
      try FileStatus.of(#require(here.store.privateLayout).activePack(1)).size
    }
    #expect(sizes[0].distance(to: sizes[1]).magnitude < 100, "\(sizes)")
  }

  @Test("Leave other documents quick") func severalDocuments() throws {
    let here = try prepared()
    try here.save("other\n", at: "b.txt")
    try here.save("third\n", at: "deep/c.txt")
    for round in 0..<5 {
      for path in ["a.txt", "b.txt", "deep/c.txt"] {
        #expect(try here.saveQuickly("\(path) \(round)\n", at: path) != nil, "\(path) in round \(round)")
      }
    }
    try here.reopen()
    for path in ["a.txt", "b.txt", "deep/c.txt"] {
      #expect(try history(here, path).count == 6)
      #expect(try here.saveQuickly("\(path) after\n", at: path) != nil, "looking changes nothing")
    }
  }

  @Test("Say that nothing changed") func unchanged() throws {
    let here = try prepared()
    guard case .unchanged = try here.saveQuickly("a.txt") else { return #expect(Bool(false)) }
    try here.write("one\n", to: "a.txt")
    guard case .unchanged = try here.saveQuickly("a.txt") else { return #expect(Bool(false)) }
    try here.reopen()
    #expect(try history(here, "a.txt").count == 1)
  }

  @Test("Take modes, times and messages along") func fields() throws {
    let here = try prepared()
    try here.write("two\n", to: "a.txt")
    try FileSystem.setPermissions(0o600, at: here.path("a.txt"))
    guard case .saved(let version) = try here.saveQuickly("a.txt", message: "as sent") else {
      return #expect(Bool(false), "declined")
    }
    #expect(version.record.mode == 0o600)
    #expect(version.record.message == Array("as sent".utf8))
    #expect(version.record.modificationTime == (try here.status("a.txt")).modificationTime)
    // Of the mode alone too.
    try FileSystem.setPermissions(0o640, at: here.path("a.txt"))
    let next = try here.saveQuickly("a.txt")
    #expect(isDeclined(next), "content that is stored already is left to the catalog")
    #expect(try here.saveAll().first?.record.mode == 0o640)
  }

  @Test(
    "Leave to an ordinary save what isn't simple",
    arguments: [
      "a conflict", "another document at the path", "a missing file", "a link", "a folder", "a longer pack",
      "a change of another kind", "another document moved", "no state", "content of several chunks",
    ])
  func declined(_ reason: String) throws {
    let here = try prepared()
    let first = try #require(try here.current("a.txt"))
    try here.write("two\n", to: "a.txt")
    #expect(try here.saveQuickly("a.txt").isSaved)
    switch reason {
    case "a conflict":
      try here.receive("rival\n", at: "a.txt", on: [first])
    case "another document at the path":
      try here.receive("rival\n", at: "a.txt", on: [])
    case "a missing file":
      try here.remove("a.txt")
    case "a link":
      try here.remove("a.txt")
      try FileSystem.makeSymbolicLink(at: here.path("a.txt"), target: Array("b".utf8))
    case "a folder":
      try here.remove("a.txt")
      try FileSystem.makeFolder(at: here.path("a.txt"))
    case "a longer pack":
      let pack = try #require(here.store.privateLayout).activePack(1)
      let file = try FileDescriptor.open(pack, .readWrite)
      try file.write([1, 2, 3], at: try file.status().size)
    case "a change of another kind":
      try here.repository.setSetting(SettingKey.packages, to: Array("*.txt".utf8))
    case "another document moved":
      try here.save("b\n", at: "b.txt")
      _ = try here.repository.move(DocumentPath("b.txt"), to: DocumentPath("c.txt"), basis: .workingFile)
    case "no state":
      try recent(here).invalidate()
    default:
      try here.write(String(repeating: "long ", count: 1_000_000), to: "a.txt")
    }
    if !["a missing file", "a link", "a folder", "content of several chunks"].contains(reason) {
      try here.write("three\n", to: "a.txt")
    }
    #expect(isDeclined(try here.saveQuickly("a.txt")))
    try here.reopen()
    if reason == "a folder" { return }
    #expect(!(try here.saveAll().isEmpty))
    #expect(try here.repository.verify(isQuick: false).damages == [])
  }

  @Test("Go back to the catalog every now and then, and for every 64th version") func boundedLag() throws {
    let here = try prepared()
    var ordinary = 0
    for number in 0..<200 {
      if try here.saveQuickly("text \(number)\n", at: "a.txt") == nil {
        ordinary += 1
        try here.reopen()
        #expect(try here.saveAll().count == 1)
        let log = try #require(here.store.privateLayout).folder.appending("catalog.sqlite-wal")
        #expect(try FileStatus.of(log).size == 0, "what was brought into the catalog isn't left lying in its log")
      }
      #expect((try recent(here).state()?.groupCount ?? 0) <= RecentSaves.groupCountLimit)
    }
    #expect((6...12).contains(ordinary), "\(ordinary)")
    try here.reopen()
    #expect(try history(here, "a.txt").count == 201)
    #expect(try here.repository.verify(isQuick: false).damages == [])
  }

  @Test(
    "Never go on from a version that is no longer the last",
    arguments: ["a deletion", "content of several chunks", "a link", "a second document", "another document between"])
  func staleDocuments(_ between: String) throws {
    let here = try prepared()
    switch between {
    case "a deletion":
      try here.remove("a.txt")
      _ = try here.repository.save([DocumentPath("a.txt")], options: SaveOptions(allowsMassDeletion: true))
    case "content of several chunks":
      try here.save(String(repeating: "long ", count: 1_000_000), at: "a.txt")
    case "a link":
      try here.remove("a.txt")
      try FileSystem.makeSymbolicLink(at: here.path("a.txt"), target: Array("b".utf8))
      _ = try here.repository.save([DocumentPath("a.txt")], options: SaveOptions())
      try here.remove("a.txt")
    case "a second document":
      try here.write("second\n", to: "a.txt")
      _ = try here.repository.save([DocumentPath("a.txt")], options: SaveOptions(basis: .versions([])))
    default:
      try here.save("other\n", at: "b.txt")
      try here.remove("b.txt")
      _ = try here.repository.save([DocumentPath("b.txt")], options: SaveOptions(allowsMassDeletion: true))
      #expect(try here.saveQuickly("two\n", at: "a.txt") ?? here.save("two\n", at: "a.txt") != nil)
      try here.write("other\n", to: "b.txt")
      #expect(isDeclined(try here.saveQuickly("b.txt")))
      return
    }
    try here.write("one\n", to: "a.txt")
    #expect(isDeclined(try here.saveQuickly("a.txt")))
    #expect(try here.save("one\n", at: "a.txt") != nil || between == "a second document")
  }

  @Test("Build nothing on a damaged pack") func damagedPack() throws {
    let here = try TestRepository()
    try here.save((0..<2000).map { "\($0)\n" }.joined(), at: "a.txt")
    _ = try #require(try here.saveQuickly((0..<2001).map { "\($0)\n" }.joined(), at: "a.txt"))
    let pack = try #require(here.store.privateLayout).activePack(1)
    var bytes = try FileSystem.read(pack, limit: 1 << 20)
    bytes[600] ^= 1
    try FileDescriptor.open(pack, .writeOnly).write(bytes, at: 0)
    #expect(try here.saveQuickly("new\n", at: "a.txt") == nil)
    try here.reopen()
    let version = try #require(try here.saveAll().first)
    #expect(try here.content(of: version) == "new\n")
  }

  @Test("Are seen by a reader while somebody keeps the lock, and on a full disk") func readers() throws {
    let here = try prepared()
    let version = try #require(try here.saveQuickly("two\n", at: "a.txt"))
    let folder = try #require(here.store.privateLayout)
    let lock = try #require(try FileLock.acquire(at: folder.lock, timeoutMilliseconds: 0))
    try here.reopen(.reading)
    #expect(try here.current("a.txt") == version)
    #expect(try here.repository.verify(isQuick: false).damages == [])
    lock.release()
    for function in ["pwrite", "ftruncate"] {
      let run = FaultInjection.run(.failing(function: function, errno: 28)) {
        try here.reopen(.reading)
        return try here.current("a.txt")
      }
      #expect(try run.result.get() == version, "no space for \(function)")
    }
  }

  @Test("Are seen by a check that began before them") func verifyingMeanwhile() throws {
    let here = try prepared()
    _ = try #require(try here.saveQuickly("two\n", at: "a.txt"))
    #expect(try here.repository.verify(isQuick: false).damages == [])
  }

  @Test("Are undone like any save") func undo() throws {
    let here = try prepared()
    _ = try #require(try here.saveQuickly("two\n", at: "a.txt"))
    try here.reopen()
    _ = try here.repository.undo()
    #expect(try here.read("a.txt") == "one\n")
  }

  @Test("Never rely on a damaged cache") func damage() throws {
    let here = try prepared()
    let folder = try recent(here).folder
    for entry in try FileSystem.list(folder) {
      let file = folder.appending(entry.name)
      let whole = try FileSystem.read(file, limit: 1 << 20)
      for place in whole.indices {
        var damaged = whole
        damaged[place] ^= 0x10
        try AtomicFile.write(damaged, to: file, isDurable: false)
        try here.write("two\n", to: "a.txt")
        #expect(isDeclined(try here.saveQuickly("a.txt")), "byte \(place) of \(whole.count)")
      }
      for length in 0..<whole.count {
        try AtomicFile.write(Array(whole[..<length]), to: file, isDurable: false)
        #expect(isDeclined(try here.saveQuickly("a.txt")), "\(length) bytes of \(whole.count)")
      }
      try AtomicFile.write(whole, to: file, isDurable: false)
    }
    #expect(try here.saveQuickly("two\n", at: "a.txt") != nil)
  }

  @Test("Begin another pack after a failed write to the disk") func failedSynchronization() throws {
    let here = try prepared()
    try here.write("two\n", to: "a.txt")
    let run = FaultInjection.run(.failing(function: "fdatasync", errno: 5)) { try here.saveQuickly("a.txt") }
    #expect(throws: RepositoryError.self) { try run.result.get() }
    let folder = try #require(here.store.privateLayout).active
    #expect(try FileSystem.list(folder).count == 2)
    #expect(isDeclined(try here.saveQuickly("a.txt")))
    try here.reopen()
    #expect(try here.saveAll().count == 1)
    #expect(try history(here, "a.txt").count == 2)
  }
}

extension QuickSaveOutcome {
  fileprivate var isSaved: Bool {
    if case .saved = self { return true }
    return false
  }
}
