import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

/// Histories without branches are read in one pass, and must be what the graph gives of them.
@Suite("Histories that are one line") struct LineHistoryTests {
  private static let paths = ["a.txt", "b/c.txt"]

  @Test("are, after any operations, the ones that the graph gives", arguments: 0..<24 as Range<UInt64>)
  func sameAsGraph(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let here = try TestRepository()
    var lineCount = 0
    for _ in 0..<24 {
      // What is refused, or has nothing to do, is of no interest here.
      try? change(here, using: &generator)
      for path in Self.paths where try here.current(path) != nil {
        lineCount += try compare(here, DocumentPath(path)) ? 1 : 0
      }
      if Int.random(in: 0..<6, using: &generator) == 0 { try here.reopen() }
    }
    #expect(lineCount > 0)
  }

  /// - Returns: whether there was a line.
  private func compare(_ here: TestRepository, _ path: DocumentPath) throws -> Bool {
    let versions = try here.repository.documentHistory(of: path).versions
    let times = versions.map(\.record.wallTime).sorted()
    let queries = [
      HistoryQuery(), HistoryQuery(limit: 0), HistoryQuery(limit: 1), HistoryQuery(limit: 3),
      HistoryQuery(limit: versions.count), HistoryQuery(limit: .max),
      HistoryQuery(since: times[times.count / 2]), HistoryQuery(limit: 2, until: times[times.count / 2]),
      HistoryQuery(since: times[times.count - 1], until: times[0] - 1),
    ]
    for query in queries {
      let expected = try here.repository.historyByGraph(of: path, query)
      #expect(try shown(here.repository.history(of: path, query)) == shown(expected), "\(query)")
    }
    for count in [0, 1, 2, versions.count - 1, versions.count, .max] {
      let expected = try? here.repository.versionByGraph(.stepsBack(count), at: path)
      let found = try? here.repository.version(.stepsBack(count), at: path)
      #expect(found == expected, "\(count) steps back")
    }
    return try here.repository.line(of: path, HistoryQuery()) != nil
  }

  private func shown(_ entries: [HistoryEntry]) -> [String] {
    entries.map { "\($0.version.id.hexadecimal) \($0.state) \($0.isLocal) \($0.version.record.logicalTime)" }
  }

  private func change(_ here: TestRepository, using generator: inout SeededGenerator) throws {
    let path = Self.paths[Int.random(in: 0..<10, using: &generator) < 8 ? 0 : 1]
    let document = DocumentPath(path)
    let versions = (try? here.repository.documentHistory(of: document).versions) ?? []
    let some = versions.randomElement(using: &generator)
    switch Int.random(in: 0..<30, using: &generator) {
    case 0..<14: try here.save("text \(generator.next())", at: path)
    case 14..<17: _ = try here.saveQuickly("text \(generator.next())", at: path)
    case 17: try FileSystem.setPermissions(0o600, at: here.path(path))
    case 18:
      if let some { _ = try here.repository.restore(some, at: document, basis: .workingFile) }
    case 19: try here.receive("other \(generator.next())", at: path, on: some.map { [$0] } ?? [])
    case 20:
      let heads = try here.view(path).rivals
      if heads.count == 2 { try here.receive("settled", at: path, on: heads) }
    case 21:
      if let some { _ = try here.repository.remove(some, at: document, isDryRun: false) }
    case 22:
      _ = try here.repository.removeOthers(at: document, keeping: nil, conflictsOnly: false, isDryRun: false)
    case 23: _ = try here.repository.undo()
    case 24: _ = try here.repository.mergeAutomatically(near: versions, combinesContents: true)
    case 25: _ = try here.repository.move(document, to: DocumentPath("moved"), basis: .workingFile)
    case 26: _ = try here.repository.move(DocumentPath("moved"), to: document, basis: .workingFile)
    case 27: _ = try here.store.seal()
    case 28: _ = try here.store.compact()
    default: _ = try here.repository.delete([document], basis: .workingFile)
    }
    try here.saveAll()
  }

  @Test("are read without a graph, from any packs")
  func withoutGraph() throws {
    let here = try TestRepository()
    for number in 0..<80 { try here.save("text \(number)", at: "a.txt") }
    let path = DocumentPath("a.txt")
    for _ in 0..<2 {
      #expect(try here.repository.line(of: path, HistoryQuery())?.count == 80)
      _ = try here.store.seal()
      #expect(try here.repository.line(of: path, HistoryQuery())?.count == 80)
      #expect(try here.repository.line(of: path, HistoryQuery(limit: 5))?.count == 5)
      try here.reopen()
    }
    _ = try here.store.compact()
    #expect(try here.repository.line(of: path, HistoryQuery())?.count == 80)
  }

  @Test("are no line where a version from a side branch is as new as those of the line")
  func sideBranch() throws {
    let here = try TestRepository()
    let path = DocumentPath("a.txt")
    let root = try here.receive("0", at: "a.txt", on: [])
    let start = here.clock.now
    here.clock.advance(100_000)
    let side = try here.receive("side", at: "a.txt", on: [root])
    here.clock.set(start)
    var last = root
    for number in 1...4 { last = try here.receive("\(number)", at: "a.txt", on: [last]) }
    here.clock.advance(200_000)
    try here.receive("both", at: "a.txt", on: [last, side])
    for limit in 1...7 {
      let query = HistoryQuery(limit: limit)
      let expected = try here.repository.historyByGraph(of: path, query)
      #expect(try shown(here.repository.history(of: path, query)) == shown(expected), "\(limit)")
    }
  }

  @Test("with something damaged in them fail as the graph does")
  func damage() throws {
    let here = try TestRepository()
    for number in 0..<12 { try here.save("text \(number)", at: "a.txt") }
    let path = DocumentPath("a.txt")
    let pack = try #require(here.store.privateLayout).activePack(1)
    let bytes = try FileSystem.read(pack, limit: 1 << 20)
    for place in stride(from: 40, to: bytes.count, by: 7) {
      var damaged = bytes
      damaged[place] ^= 0x10
      try FileDescriptor.open(pack, .readWrite).write(damaged, at: 0)
      try here.reopen(.reading)
      let expected = outcome { try here.repository.historyByGraph(of: path, HistoryQuery()) }
      try here.reopen(.reading)
      #expect(outcome { try here.repository.history(of: path, HistoryQuery()) } == expected, "byte \(place)")
    }
  }

  private func outcome(_ body: () throws -> [HistoryEntry]) -> String {
    do { return shown(try body()).joined(separator: "\n") } catch { return "\(error)" }
  }
}
