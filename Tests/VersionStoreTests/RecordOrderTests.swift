import Catalog
import Hashing
import ObjectStorage
import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("The order of records") struct RecordOrderTests {
  private func records(_ here: TestRepository) throws -> [IdentifiedRecord] {
    try here.repository.history(HistoryQuery(includesEverything: true)).map {
      IdentifiedRecord(id: $0.version.id, record: .version($0.version.record))
    }
  }

  @Test("puts what is named first, and leaves alone what is so already") func order() throws {
    let here = try TestRepository()
    try here.saveHistory(at: "a.txt", count: 30)
    try here.saveHistory(at: "b.txt", count: 5, seed: 2)
    let newestFirst = try records(here)
    #expect(!RecordOrder.isNamedFirst(newestFirst))
    let order = RecordOrder.namedFirst(newestFirst)
    #expect(order.sorted() == Array(newestFirst.indices))
    let ordered = order.map { newestFirst[$0] }
    #expect(RecordOrder.isNamedFirst(ordered))
    #expect(RecordOrder.namedFirst(ordered) == Array(ordered.indices))
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<20 {
      let shuffled = newestFirst.shuffled(using: &generator)
      #expect(RecordOrder.isNamedFirst(RecordOrder.namedFirst(shuffled).map { shuffled[$0] }))
    }
    // What isn't there is taken for known.
    #expect(RecordOrder.namedFirst(Array(newestFirst.prefix(3))).count == 3)
  }

  @Test("of compacted packs is kept where a later pack stands before an earlier one in the list")
  func compacted() throws {
    let here = try TestRepository()
    for number in 0..<4 {
      try here.saveHistory(at: "a.txt", count: 4, seed: UInt64(number))
      _ = try here.store.withLock { () throws(RepositoryError) in try here.store.seal() }
    }
    let contents = try here.allContents()
    let packs = try here.store.unloggedPacks()
    #expect(packs.count == 4)
    try here.store.setUnlogged(packs.reversed())
    _ = try here.store.compact()
    try here.reopen()
    try here.store.rebuild()
    #expect(try here.allContents() == contents)
    #expect(try here.repository.verify(isQuick: false).damages == [])
  }

  @Test("of packs that were sealed since keeps a compacted one before them") func place() throws {
    let here = try TestRepository()
    for number in 0..<3 {
      try here.saveHistory(at: "a.txt", count: 4, seed: UInt64(number))
      _ = try here.store.withLock { () throws(RepositoryError) in try here.store.seal() }
    }
    let last = try #require(try here.store.unloggedPacks().last)
    // Somebody seals another pack between the reading and the switch.
    var isDone = false
    _ = try here.store.compact { _, _ in
      if isDone { return }
      isDone = true
      do {
        try here.save("meanwhile", at: "a.txt")
        _ = try here.store.withLock { () throws(RepositoryError) in try here.store.seal() }
      } catch { Issue.record("\(error)") }
    }
    let packs = try here.store.unloggedPacks()
    #expect(packs.count == 2 && !packs.contains { $0.id == last.id })
    let first = try #require(packs.first)
    let header = try PackFile.open(here.store.packFile(first.id), name: .sealed(PackID(first.id))).header
    #expect(header.replaces.count == 3)
    let contents = try here.allContents()
    _ = try here.store.compact()
    try here.store.rebuild()
    #expect(try here.allContents() == contents)
  }

  @Test(
    "A pack that stands on a lost one is damage, whether the catalog knew of that or not", arguments: [false, true])
  func leftOut(isCatalogLost: Bool) throws {
    let here = try TestRepository()
    try here.save("one", at: "a.txt")
    _ = try here.store.withLock { () throws(RepositoryError) in try here.store.seal() }
    let first = try #require(try here.store.sealedPacks().first)
    try here.save("two", at: "a.txt")
    _ = try here.store.withLock { () throws(RepositoryError) in try here.store.seal() }
    try FileSystem.remove(at: here.store.packFile(first.digest))
    if isCatalogLost { try here.store.rebuild() }
    try here.reopen()
    #expect(try here.repository.verify(isQuick: true).damages != [])
  }
}
