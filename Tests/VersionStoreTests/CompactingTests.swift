import Catalog
import Hashing
import ObjectStorage
import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

extension TestRepository {
  /// Saves a text with some lines changed, again and again.
  @discardableResult
  func saveHistory(at path: String, count: Int = 12, seed: UInt64 = 1) throws -> [String] {
    var generator = SeededGenerator(seed: seed)
    var lines = (0..<60).map { "line \($0) with \(generator.next() % 1_000_000)" }
    var texts: [String] = []
    for number in 0..<count {
      lines[Int.random(in: 0..<lines.count, using: &generator)] = "version \(number) \(generator.next() % 1_000_000)"
      texts.append(lines.joined(separator: "\n"))
      try save(texts[number], at: path)
    }
    return texts
  }

  /// The contents of all versions, by version.
  func allContents() throws -> [RecordID: [UInt8]] {
    var contents: [RecordID: [UInt8]] = [:]
    for entry in try repository.history(HistoryQuery(includesEverything: true)) {
      guard let content = entry.version.record.content else { continue }
      contents[entry.version.id] = try store.content(content)
    }
    return contents
  }

  func sealedNames() throws -> [ObjectID] { try store.sealedPacks().map(\.digest) }
}

@Suite("Compacting") struct CompactingTests {
  @Test("keeps every version of every sort, what they are called, and what can be undone")
  func keepsEverything() throws {
    let here = try TestRepository()
    try here.repository.setSetting(SettingKey.packages, to: Array("*.pages".utf8))
    try here.saveHistory(at: "a.txt")
    try here.saveHistory(at: "b/c.txt", seed: 2)
    for number in 0..<4 {
      try here.write("x \(number)", to: "d.pages/x")
      try here.write(String(repeating: "y", count: 300 + number), to: "d.pages/deep/y")
      try here.saveAll()
    }
    try here.save("gone", at: "gone.txt")
    try here.remove("gone.txt")
    try here.saveAll()
    try here.rename("a.txt", to: "new.txt")
    try here.saveAll()
    let current = try #require(try here.current("new.txt"))
    try here.place([try here.receive("rival", at: "new.txt", on: current.record.parents.isEmpty ? [] : [current])])
    let contents = try here.allContents()
    let versions = Set(try here.repository.history(HistoryQuery(includesEverything: true)).map(\.version.id))
    let report = try here.store.compact()
    #expect(report.replaced == 1 && report.packsAfter == 1)
    #expect(try here.sealedNames().count == 1)
    for isRebuilt in [false, true] {
      if isRebuilt { try here.store.rebuild() } else { try here.reopen() }
      #expect(try here.allContents() == contents)
      #expect(Set(try here.repository.history(HistoryQuery(includesEverything: true)).map(\.version.id)) == versions)
      #expect(try here.repository.verify(isQuick: false).damages == [])
    }
    #expect(try here.saveAll().isEmpty)
    try here.save("undone", at: "b/c.txt")
    _ = try here.repository.undo()
    #expect(try here.read("b/c.txt") != "undone")
  }

  @Test("makes a store of short texts smaller, and what is private with it", arguments: [1, 3])
  func shortTexts(versionCount: Int) throws {
    let here = try TestRepository()
    for version in 0..<versionCount {
      for number in 0..<120 {
        try here.write(
          "# Note \(number)\n\nversion \(version) of a short note, like the others\n", to: "\(number % 7)/\(number).md")
      }
      try here.write("x", to: "\(version).bin")
      try here.saveAll()
    }
    func byteCount() throws -> UInt64 {
      var total: UInt64 = 0
      for row in try here.store.catalog.packs() {
        total += try FileStatus.of(here.store.path(of: PackName(row.name))).size
      }
      return total
    }
    let contents = try here.allContents()
    let operations = try here.store.catalog.operations(limit: 100)
    let before = try byteCount()
    let report = try here.store.compact()
    #expect(report.replaced == 1)
    #expect(try byteCount() < before)
    for isRebuilt in [false, true] {
      if isRebuilt { try here.store.rebuild() } else { try here.reopen() }
      #expect(try here.allContents() == contents)
      #expect(try here.store.catalog.operations(limit: 100).map(\.records) == operations.map(\.records))
      #expect(try here.repository.verify(isQuick: false).damages == [])
      #expect(try here.saveAll().isEmpty, "every working file is known by its base")
    }
    #expect(try here.store.compact().replaced == 0)
  }

  @Test("again takes in what was saved since, and leaves nothing to do")
  func again() throws {
    let here = try TestRepository()
    let first = try here.saveHistory(at: "a.txt", count: 40)
    #expect(try here.store.compact().replaced == 1)
    #expect(try here.store.compact().replaced == 0)
    let second = try here.saveHistory(at: "a.txt", count: 40, seed: 9)
    let report = try here.store.compact()
    #expect(report.replaced == 2 && report.packsAfter == 1)
    let pack = try here.store.file(#require(try here.store.catalog.packs().first { $0.name.isSealed }).number)
    #expect(pack.header.replaces.count == 3)
    #expect(Set(try here.allContents().values) == Set((first + second).map { Array($0.utf8) }))
    #expect(try here.repository.verify(isQuick: false).damages == [])
  }

  @Test("lets others save and read meanwhile")
  func savesMeanwhile() throws {
    let here = try TestRepository()
    let texts = try here.saveHistory(at: "a.txt", count: 30)
    let other = try Repository.open(
      containing: here.directory.path, access: .writing, environment: TestRepository.environment("laptop", here.clock))
    let oldest = try #require(try other.history(of: DocumentPath("a.txt"), HistoryQuery()).last?.version)
    var saved: [String] = []
    let report = try here.store.compact { done, _ in
      let text = "meanwhile \(saved.count)"
      do {
        try here.write(text, to: "b.txt")
        here.clock.advance(1000)
        if case .declined = try here.saveQuickly("b.txt") {
          _ = try other.save([DocumentPath("b.txt")], options: SaveOptions())
        }
        saved.append(text)
      } catch { Issue.record("\(error) after \(done)") }
    }
    #expect(report.replaced == 1 && !saved.isEmpty)
    // The other process still looks where the old pack was.
    #expect(try other.content(of: oldest, at: oldest.record.path) == Array(texts[0].utf8))
    #expect(try other.store.graph(around: oldest.id).versions.count == 30)
    try here.reopen()
    #expect(Set(try here.allContents().values) == Set((texts + saved).map { Array($0.utf8) }))
    #expect(try here.repository.verify(isQuick: false).damages == [])
  }

  @Test("doesn't begin while an exchange is under way")
  func exchangeUnderWay() throws {
    let here = try TestRepository()
    try here.saveHistory(at: "a.txt")
    let folder = try #require(here.store.privateLayout)
    let lock = try #require(try FileLock.acquire(at: folder.exchangeLock, timeoutMilliseconds: 0))
    #expect(throws: RepositoryError.self) { _ = try here.store.compact() }
    lock.release()
    #expect(try here.store.compact().replaced == 1)
  }

  @Test("finishes what a run before left, and throws nothing of other devices away")
  func leftovers() throws {
    let here = try TestRepository()
    try here.saveHistory(at: "a.txt")
    _ = try here.store.withLock { () throws(RepositoryError) in try here.store.seal() }
    let old = try #require(try here.sealedNames().first)
    let bytes = try FileSystem.read(here.store.packFile(old), limit: 1 << 20)
    #expect(try here.store.compact().replaced == 1)
    let contents = try here.allContents()
    // As a power cut may bring it back.
    try AtomicFile.write(bytes, to: here.store.packFile(old))
    try here.store.rebuild()
    #expect(try here.allContents() == contents)
    _ = try here.store.compact()
    #expect(try here.sealedNames().count == 1 && !here.sealedNames().contains(old))
    #expect(try here.allContents() == contents)
    let damages = try here.repository.verify(isQuick: false).damages
    #expect(damages == [], "\(damages)")
  }

  @Test("A pack that is named by a log entry goes only after one that brings the new pack")
  func logEntries() throws {
    let here = try TestRepository()
    try here.saveHistory(at: "a.txt")
    try here.store.publish()
    try here.saveHistory(at: "a.txt", seed: 3)
    try here.store.publish()
    let contents = try here.allContents()
    let device = try #require(here.store.device)
    #expect(try here.store.compact().replaced == 2)
    #expect(try here.store.newestLog(of: device)?.number == 3)
    let pack = try #require(try here.sealedNames().first)
    #expect(try here.store.logEntry(of: device, number: 3)?.entry.packs.map(\.id) == [pack])
    #expect(try here.store.hasUnpublished() == false)
    try here.store.rebuild()
    #expect(try here.allContents() == contents)
    #expect(try here.store.newestLog(of: device)?.number == 3)
    #expect(try here.store.hasUnpublished() == false)
    #expect(try here.repository.verify(isQuick: false).damages == [])
  }

  @Test("Packs that answer another device's versions are not merged with those before")
  func otherDevices() throws {
    let here = try TestRepository()
    try here.saveHistory(at: "a.txt")
    try here.store.publish()
    try here.saveHistory(at: "a.txt", seed: 3)
    let sources = try here.store.withLock { () throws(RepositoryError) -> [CompactionPlan.Source] in
      _ = try here.store.seal()
      return try here.store.ownSources()
    }
    #expect(sources.count == 2)
    var plan = CompactionPlan()
    for source in sources { plan.add(source, try here.store.packRecords(source)) }
    plan.close()
    #expect(plan.batches.map(\.count) == [2])
    // The second one alone stands on records that no pack before it holds.
    plan = CompactionPlan()
    let later = try here.store.packRecords(sources[1])
    plan.add(sources[1], later)
    plan.add(sources[1], later)
    plan.close()
    #expect(plan.batches.map(\.count) == [1, 1])
  }
}

extension CatalogPackName {
  fileprivate var isSealed: Bool {
    if case .sealed = self { return true }
    return false
  }
}
