import Catalog
import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("A status by the index of the working files") struct TreeIndexStatusTests {
  /// A repository of some folders with an index that tells of all of them; `nil` where the volume's times don't settle.
  private func indexed(_ here: TestRepository, fileCount: Int = 90) throws -> Bool {
    for number in 0..<fileCount { try here.write("text \(number)", to: "f\(number % 7)/in/d\(number).txt") }
    try here.saveAll()
    return try settle(here)
  }

  /// Asks until nothing has to be read any more, which takes some steps of the volume's clock.
  private func settle(_ here: TestRepository, unsavedCount: Int = 0) throws -> Bool {
    for _ in 0..<200 {
      let plan = try plan(here)
      if plan.known != nil, plan.readFolders.isEmpty, plan.tasks.count <= unsavedCount { return true }
      guard here.repository.tree.volume.hasStableInodes || here.repository.tree.volume == .tmpfs else { break }
      _ = try here.repository.status([nil])
      // Few changes are not worth a new index: drop it to have one of everything.
      if plan.known != nil { try here.repository.store.catalog.setTreeIndex(nil) }
    }
    print("not tested: the times of this volume don't settle")
    return false
  }

  private func plan(_ here: TestRepository) throws -> SavePlan {
    var plan = SavePlan(here.repository, rereadsEverything: false)
    try plan.add(nil)
    try plan.finish()
    return plan
  }

  private func status(_ here: TestRepository, _ target: DocumentPath? = nil) throws -> [StatusEntry] {
    try here.repository.status([target]).entries
  }

  @Test("reads no folder and no file that is unchanged") func unchanged() throws {
    let here = try TestRepository()
    guard try indexed(here) else { return }
    let plan = try plan(here)
    #expect(plan.unchangedCount == 90)
    #expect(plan.documentCount == 90)
    let run = FaultInjection.run(.observing) { try? here.repository.status([nil]).entries }
    #expect(try run.result.get() == [])
    #expect(
      !run.report.calls.contains { $0.function == "readdir" && $0.path?.bytes.contains(Array("/f".utf8)) ?? false })
  }

  @Test("finds the index that a small save of everything made, as a large one doesn't") func madeBySaving() throws {
    let here = try TestRepository()
    for number in 0..<90 { try here.write("text \(number)", to: "f\(number % 7)/d\(number).txt") }
    try here.saveAll()
    #expect(try plan(here).known == nil)
    try here.write("another text", to: "f1/d1.txt")
    #expect(try here.saveAll().count == 1)
    #expect(try plan(here).known != nil)
    #expect(try status(here) == [])
    try here.write("one more text", to: "f1/d1.txt")
    #expect(try status(here) == [StatusEntry(path: DocumentPath("f1/d1.txt"), change: .modified)])
    #expect(try here.saveAll().count == 1)
    #expect(try status(here) == [])
  }

  @Test("sees what it would see without one, whatever was done", arguments: 0..<8 as Range<UInt64>)
  func equal(seed: UInt64) throws {
    let here = try TestRepository()
    guard try indexed(here) else { return }
    var generator = SeededGenerator(seed: seed)
    for step in 0..<6 {
      for _ in 0..<Int.random(in: 1...4, using: &generator) { try change(here, step, using: &generator) }
      if Int.random(in: 0..<4, using: &generator) == 0 { try here.saveAll() }
      let with = try status(here)
      let below = try status(here, DocumentPath("f3"))
      try here.repository.store.catalog.setTreeIndex(nil)
      let without = try status(here)
      #expect(with == without, "seed \(seed), step \(step)")
      try here.repository.store.catalog.setTreeIndex(nil)
      #expect(below == (try status(here, DocumentPath("f3"))), "seed \(seed), step \(step)")
      _ = try status(here)
      if step == 2, try !settle(here, unsavedCount: .max) { return }
    }
  }

  /// Does something to the working files at random.
  private func change(_ here: TestRepository, _ step: Int, using generator: inout SeededGenerator) throws {
    let folder = "f\(Int.random(in: 0..<7, using: &generator))"
    let inner = here.directory.path.appending(folder).appending("in")
    let names = ((try? FileSystem.list(inner)) ?? []).map(\.name).sorted { $0.lexicographicallyPrecedes($1) }
    let name = names.randomElement(using: &generator)
    switch Int.random(in: 0..<9, using: &generator) {
    case 0: try here.write("new \(step)", to: "\(folder)/new\(step).txt")
    case 1: try here.write("new \(step)", to: "\(folder)/other\(step)/deep/new.txt")
    case 2: if let name { try FileSystem.remove(at: inner.appending(name)) }
    case 3:
      // As long as before.
      if let name, let text = try here.read("\(folder)/in/" + String(decoding: name, as: UTF8.self)) {
        try here.write(String(text.reversed()), to: "\(folder)/in/" + String(decoding: name, as: UTF8.self))
      }
    case 4:
      if let name {
        try FileSystem.rename(from: inner.appending(name), to: here.directory.path.appending("moved\(step)"))
      }
    case 5: try here.write("d1*\n", to: "\(folder)/.dverignore")
    case 6: try here.write(step.isMultiple(of: 2) ? "*.txt\n!new*\n" : "", to: ".dverignore")
    case 7: if let name { try? FileSystem.setPermissions(0o600, at: inner.appending(name)) }
    default:
      if let name {
        try FileSystem.remove(at: inner.appending(name))
        try FileSystem.makeSymbolicLink(at: inner.appending(name), target: Array("elsewhere".utf8))
      }
    }
  }

  @Test("and several threads find what one finds", arguments: [false, true]) func threads(isIndexed: Bool) throws {
    let here = try TestRepository()
    guard try indexed(here, fileCount: 400) else { return }
    for number in stride(from: 0, to: 400, by: 9) { try here.write("new", to: "f\(number % 7)/in/d\(number).txt") }
    for number in 0..<30 { try here.write("new", to: "more\(number)/below/it/new") }
    try FileSystem.makeFolder(at: here.path("empty"))
    func scan(_ least: Int) throws -> TreeScan {
      let index = try here.repository.store.treeIndex(of: here.repository.tree.volume)
      return try TreeScan(
        here.repository.tree, below: nil, packages: [], known: isIndexed ? index.map { KnownTree($0) } : nil,
        entryCountForThreads: least)
    }
    let (one, several) = (try scan(.max), try scan(0))
    #expect(one.items.map(\.path) == several.items.map(\.path))
    #expect(one.unchangedCount == several.unchangedCount)
    #expect(isIndexed ? one.unchangedCount == 355 : one.items.count == 430)
  }

  @Test("knows what was saved since, and what another document did to a path") func touched() throws {
    let here = try TestRepository()
    guard try indexed(here) else { return }
    try here.save("changed", at: "f1/in/d1.txt")
    let index = try #require(try here.repository.store.treeIndex(of: here.repository.tree.volume))
    #expect(index.touched == [DocumentPath("f1/in/d1.txt")])
    #expect(try status(here) == [])
    try here.write("changed again", to: "f1/in/d1.txt")
    #expect(try status(here).map(\.change) == [.modified])
  }

  @Test("is made anew where it was damaged or lost") func lost() throws {
    let here = try TestRepository()
    guard try indexed(here) else { return }
    let file = try #require(here.repository.store.privateLayout).treeIndex
    try FileSystem.remove(at: file)
    #expect(try plan(here).known == nil)
    #expect(try status(here) == [])
    #expect(try plan(here).known != nil)
    try AtomicFile.write([1, 2, 3], to: file, isDurable: false)
    #expect(try plan(here).known == nil)
    #expect(try status(here) == [])
    #expect(try plan(here).known != nil)
  }

  @Test("and a save of everything with faults at every call record no deletion") func faults() throws {
    let here = try TestRepository()
    guard try indexed(here) else { return }
    let calls = FaultInjection.run(.observing) { try? plan(here) }.report.calls
    for number in calls.indices
    where ["openat", "readdir", "fstatat", "open", "fstat"].contains(calls[number].function) {
      let run = FaultInjection.run(.failing(call: number, errno: 5)) { try? here.repository.status([nil]).entries }
      let entries = (try? run.result.get()) ?? []
      #expect(entries.allSatisfy { $0.change != .missing && $0.change != .new }, "\(calls[number])")
    }
    #expect(try here.saveAll().isEmpty)
  }
}
