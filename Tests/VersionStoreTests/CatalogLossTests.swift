import Catalog
import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("Losing the catalog") struct CatalogLossTests {
  /// Everything that a repository tells, as text.
  private func answers(_ here: TestRepository) throws -> String {
    var text = ""
    for entry in try here.repository.history(HistoryQuery(includesEverything: true)) {
      text += "\(entry.version.id) \(entry.state) \(entry.isLocal)\n"
    }
    for row in try here.repository.fileRows(below: nil) {
      text += "\(row.path) \(row.base) \(row.seen) \(row.unplacedReason ?? 0) \(row.mode) \(row.kind)\n"
    }
    for operation in try here.repository.operations(limit: 1000) {
      text += "\(operation.name) \(operation.records) \(operation.isUndone) \(operation.wallTime)\n"
    }
    for conflict in try here.repository.conflicts(nil) { text += "\(conflict.path) \(conflict.version.id)\n" }
    for device in try here.store.devices() { text += "\(device.device) \(device.name)\n" }
    for setting in try here.repository.settings() { text += "\(setting.key) \(setting.value ?? [])\n" }
    text += "\(try here.repository.status([nil]).entries)"
    return text
  }

  private func busy() throws -> TestRepository {
    let here = try TestRepository()
    let first = try #require(try here.save("one", at: "a.txt"))
    try here.save("two", at: "a.txt")
    try here.save("b", at: "sub/b.txt")
    let rival = try here.receive("rival", at: "a.txt", on: [first])
    try here.place([rival])
    try here.repository.setSetting(SettingKey.packages, to: Array("*.p".utf8))
    _ = try here.repository.move(DocumentPath("sub/b.txt"), to: DocumentPath("c.txt"), basis: .workingFile)
    try here.save("d", at: "d.txt")
    _ = try here.repository.undo()
    try here.save("e", at: "e.txt")
    try here.save("e2", at: "e.txt")
    _ = try here.repository.remove(
      try here.repository.version(.stepsBack(1), at: DocumentPath("e.txt")), at: DocumentPath("e.txt"), isDryRun: false)
    try here.receive("x", at: "link/x", on: [])
    return here
  }

  private func catalogs(_ here: TestRepository) throws -> [FilePath] {
    let file = try #require(here.store.privateLayout).catalog
    return ["", "-wal", "-shm"].compactMap { FilePath(bytes: file.bytes + Array($0.utf8)) }
  }

  private func replace(_ here: TestRepository, with bytes: [[UInt8]?]) throws {
    for (file, content) in zip(try catalogs(here), bytes) {
      try? FileSystem.remove(at: file)
      if let content { try AtomicFile.write(content, to: file) }
    }
  }

  private func contents(_ here: TestRepository) throws -> [[UInt8]?] {
    try catalogs(here).map { try? FileSystem.read($0, limit: 1 << 26) }
  }

  @Test("changes no answer", arguments: [false, true]) func deleted(isSealed: Bool) throws {
    let here = try busy()
    if isSealed {
      _ = try here.store.withLock { () throws(RepositoryError) in try here.store.seal() }
      try here.save("f", at: "f.txt")
    }
    let before = try answers(here)
    try replace(here, with: [nil, nil, nil])
    try here.reopen()
    #expect(try answers(here) == before)
    #expect(try here.saveAll().isEmpty)
    try here.store.rebuild()
    #expect(try answers(here) == before)
  }

  @Test("in part changes no answer either") func truncated() throws {
    let here = try busy()
    let before = try answers(here)
    let whole = try contents(here)
    for (number, content) in whole.enumerated() {
      guard let content, number < 2 else { continue }
      for part in 0..<12 {
        var cut = whole
        cut[number] = Array(content.prefix(content.count * part / 12))
        cut[2] = nil
        try replace(here, with: cut)
        try here.reopen()
        #expect(try answers(here) == before, "file \(number), \(part)/12")
      }
    }
    try replace(here, with: [Array("no database at all".utf8), nil, nil])
    try here.reopen()
    #expect(try answers(here) == before)
    #expect(try here.saveAll().isEmpty)
  }

  @Test("of what it knew of a compact is found out by whoever reads", arguments: [Store.Access.reading, .writing])
  func compacted(access: Store.Access) throws {
    let here = try busy()
    try here.saveHistory(at: "long.txt", count: 20)
    _ = try here.store.withLock { () throws(RepositoryError) in try here.store.seal() }
    here.store.catalog.emptyLog()
    let before = try contents(here)
    let all = try here.allContents()
    #expect(try here.store.compact().replaced > 0)
    let answers = try answers(here)
    let packs = try here.sealedNames()
    try replace(here, with: before)
    try here.reopen(access)
    #expect(try self.answers(here) == answers)
    #expect(try here.allContents() == all)
    #expect(try here.repository.verify(isQuick: false).isClean)
    #expect(try here.sealedNames() == packs)
    try here.reopen()
    #expect(try here.save("and on", at: "long.txt") != nil)
  }

  @Test("back to before there was a sealed pack is found out") func unsealed() throws {
    let here = try TestRepository()
    here.store.catalog.emptyLog()
    let before = try contents(here)
    try here.saveHistory(at: "a.txt", count: 3)
    _ = try here.store.withLock { () throws(RepositoryError) in try here.store.seal() }
    try here.write("not a document", to: "b.txt")
    _ = try here.repository.status([nil])
    let answers = try answers(here)
    try replace(here, with: before)
    try here.reopen()
    #expect(try self.answers(here) == answers)
  }

  @Test("to bad bytes is an error at most, and mended by opening again") func flipped() throws {
    let here = try busy()
    let before = try answers(here)
    let whole = try contents(here)
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<25 {
      var damaged = whole
      for number in 0..<2 {
        guard var content = damaged[number], !content.isEmpty else { continue }
        for _ in 0..<20 {
          let place = Int.random(in: 0..<content.count, using: &generator)
          content[place] ^= UInt8.random(in: 1...255, using: &generator)
        }
        damaged[number] = content
      }
      damaged[2] = nil
      try replace(here, with: damaged)
      do {
        try here.reopen()
        let found = try answers(here)
        #expect(found == before)
      } catch RepositoryError.catalog {
        try here.reopen()
        #expect(try answers(here) == before)
      }
    }
  }

  @Test("to another store's changes no answer") func foreign() throws {
    let here = try busy()
    let before = try answers(here)
    let other = try TestRepository(name: "other", clock: here.clock)
    try other.save("foreign", at: "foreign.txt")
    try other.save("foreign", at: "a.txt")
    try replace(here, with: try contents(other))
    try here.reopen()
    #expect(try answers(here) == before)
    #expect(try here.saveAll().isEmpty)
  }

  @Test("to an older one of its own changes no answer") func older() throws {
    let here = try busy()
    let old = try contents(here)
    try here.save("later", at: "later.txt")
    _ = try here.store.withLock { () throws(RepositoryError) in try here.store.seal() }
    try here.save("last", at: "later.txt")
    let before = try answers(here)
    try replace(here, with: old)
    try here.reopen()
    #expect(try answers(here) == before)
    #expect(try here.saveAll().isEmpty)
  }

  @Test("while another process holds the lock hides nothing from a reader") func readerMeanwhile() throws {
    let here = try busy()
    let before = try here.repository.history(HistoryQuery()).map(\.version.id)
    try here.store.withLock { () throws(RepositoryError) in
      do {
        try replace(here, with: [nil, nil, nil])
        let reader = try Repository.open(
          containing: here.directory.path, access: .reading, environment: TestRepository.environment("x", here.clock))
        #expect(try reader.history(HistoryQuery()).map(\.version.id) == before)
      } catch { Issue.record("\(error)") }
    }
  }

  /// Which of two processes seals packs and replaces them, after the catalog went that both had open or looked for.
  enum Replacing: CaseIterable { case former, latter }

  /// A repository with two sealed packs and no other: where these are replaced and nobody tells a catalog, it names what is gone.
  private func sealed() throws -> TestRepository {
    let here = try busy()
    for text in ["f", "g"] {
      try here.save(text, at: "f.txt")
      _ = try here.store.withLock { () throws(RepositoryError) in try here.store.seal() }
    }
    return here
  }

  private func checkSound(_ here: TestRepository) throws {
    let before = try answers(here)
    for _ in 0..<2 {
      try here.reopen()
      #expect(try answers(here) == before)
      #expect(try here.repository.verify(isQuick: false).damages == [])
    }
  }

  @Test("under a process that has it open leaves no process a catalog of its own", arguments: Replacing.allCases)
  func detached(replacing: Replacing) throws {
    let here = try sealed()
    let former = here.repository
    try replace(here, with: [nil, nil, nil])
    try here.reopen()
    switch replacing {
    case .former: #expect(try former.store.compact().replaced > 0)
    case .latter: #expect(try here.store.compact().replaced > 0)
    }
    for repository in [here.repository, former] {
      try here.write("later \(repository === former)", to: "a.txt")
      here.clock.advance(1000)
      #expect(try repository.save([DocumentPath("a.txt")], options: SaveOptions()).saved.count == 1)
    }
    try here.reopen()
    try checkSound(here)
  }

  @Test("leaves a process that made one in memory while another wrote to write into the file")
  func inMemory() throws {
    let here = try sealed()
    let writer = here.repository
    var opened: Repository?
    try writer.store.withLock { () throws(RepositoryError) in
      do { try replace(here, with: [Array("no database".utf8), nil, nil]) } catch { Issue.record("\(error)") }
      opened = try Repository.open(
        containing: here.directory.path, access: .writing, environment: TestRepository.environment("x", here.clock))
      #expect(opened?.store.catalog.isInMemory ?? false)
    }
    try here.reopen()
    #expect(try #require(opened).store.compact().replaced > 0)
    #expect(opened?.store.catalog.isInMemory == false)
    try checkSound(here)
  }

  @Test("of what an exchange brought changes nothing, though later saves stand on it") func behindExchange() throws {
    let here = try TestRepository()
    try here.save("one", at: "a.txt")
    let old = try contents(here)
    let other = try TestRepository(name: "other", clock: here.clock)
    let theirs = try #require(try other.save("theirs", at: "b.txt"))
    try other.store.publish()
    let source = other.path(".dver"), target = here.path(".dver")
    for name in ["packs/.", "log/."] {
      _ = try ChildProcess.run(
        program: FilePath("cp"),
        arguments: [Array("-a".utf8), source.appending(name).bytes, target.appending(String(name.dropLast(2))).bytes])
    }
    let report = try here.store.withLock { () throws(RepositoryError) in try here.store.absorbLogs() }
    #expect(report.newVersions.map(\.id) == [theirs.id])
    try here.place(report.newVersions)
    let mine = try #require(try here.save("mine", at: "b.txt"))
    #expect(mine.record.parents == [theirs.id])
    let before = try answers(here)
    // A power cut took the last changes of the catalog.
    try replace(here, with: old)
    try here.reopen()
    #expect(try answers(here) == before)
    #expect(try here.saveAll().isEmpty)
  }
}
