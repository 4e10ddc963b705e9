import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("Importing a history") struct ImportHistoryTests {
  private let here: TestRepository
  private let source: TemporaryDirectory
  private let path = DocumentPath("doc.txt")

  init() throws {
    here = try TestRepository()
    source = try TemporaryDirectory()
  }

  /// Files with these contents, a day apart from 2001 on.
  private func files(_ contents: [String]) throws -> [FilePath] {
    try contents.enumerated().map { number, text in
      let file = source.path.appending("\(number)")
      let open = try FileDescriptor.open(file, .readWrite, options: [.create, .truncate])
      try open.write(Array(text.utf8))
      try open.setModificationTime(seconds: 978_307_200 + Int64(number) * 86_400, nanoseconds: 5_000_000)
      return file
    }
  }

  @Test("makes a version of each file that differs from the one before, in their order and with their times")
  func versions() throws {
    let made = try here.repository.importHistory(try files(["one", "two", "two", "", "three"]), at: path).made
    #expect(try made.map { try here.content(of: $0) } == ["one", "two", "", "three"])
    #expect(made.map(\.record.parents) == [[]] + made.dropLast().map { [$0.id] })
    #expect(made.map { ($0.record.wallTime - 978_307_200_005) / 86_400_000 } == [0, 1, 3, 4])
    #expect(made.allSatisfy { $0.record.origin == .import && $0.record.document == made[0].record.document })
    #expect(zip(made, made.dropFirst()).allSatisfy { $0.record.logicalTime < $1.record.logicalTime })
    #expect(try here.read("doc.txt") == "three")
    #expect(try here.saveAll().isEmpty)
    try here.reopen()
    #expect(try here.current("doc.txt")?.id == made.last?.id)
    #expect(try here.repository.verify(isQuick: false).damages == [])
  }

  @Test("goes on from what is there, and again makes nothing new of what ends as before") func again() throws {
    let first = try #require(try here.save("zero", at: "doc.txt"))
    let made = try here.repository.importHistory(try files(["zero", "one"]), at: path).made
    #expect(made.map(\.record.parents) == [[first.id]])
    #expect(try here.repository.importHistory(try files(["one"]), at: path).made.isEmpty)
    #expect(try here.read("doc.txt") == "one")
  }

  @Test("leaves a file with unsaved changes alone, and makes nothing") func unsaved() throws {
    try here.save("zero", at: "doc.txt")
    try here.write("edited", to: "doc.txt")
    #expect(throws: RepositoryError.refused(.unsavedChanges(path))) {
      try here.repository.importHistory(try files(["one"]), at: path)
    }
    #expect(try here.repository.history(of: path, HistoryQuery()).count == 1)
    #expect(try here.read("doc.txt") == "edited")
  }

  @Test("keeps what was made before a file that can't be read") func unreadable() throws {
    let gone = source.path.appending("gone")
    #expect(throws: RepositoryError.self) {
      try here.repository.importHistory(try files(["one", "two"]) + [gone], at: path)
    }
    #expect(try here.repository.history(of: path, HistoryQuery()).count == 2)
    #expect(try here.read("doc.txt") == "two")
    #expect(try here.saveAll().isEmpty)
  }

  @Test("ends between two files where that is asked for") func cancelled() throws {
    let made = try here.repository.importHistory(
      try files(["one", "two", "three"]), at: path, isCancelled: { $0 == 2 })
    #expect(made.made.count == 2 && made.takenCount == 2)
    #expect(try here.read("doc.txt") == "two")
  }

  @Test(
    "goes on where it ended early, and makes nothing of what is there whole",
    arguments: [nil, "zero", "one"], [1, 2, 3, 4, 6] as [Int])
  func resumed(first: String?, cancelledAt: Int) throws {
    if let first { try here.save(first, at: "doc.txt") }
    let files = try files(["one", "two", "two", "", "three", "two"])
    let before = try here.repository.importHistory(files, at: path, isCancelled: { $0 == cancelledAt })
    try here.reopen()
    let report = try here.repository.importHistory(files, at: path)
    #expect(report.takenCount == files.count)
    // The third file makes no version, whether it was taken or not.
    #expect(report.passedOverCount == (before.made.isEmpty ? 0 : cancelledAt == 2 ? 3 : cancelledAt))
    let made = before.made + report.made
    let isLikeFirst = first == "one"
    #expect(try made.map { try here.content(of: $0) } == (isLikeFirst ? [] : ["one"]) + ["two", "", "three", "two"])
    #expect(zip(made, made.dropFirst()).allSatisfy { $1.record.parents == [$0.id] })
    let again = try here.repository.importHistory(files, at: path)
    #expect(again.made.isEmpty && again.passedOverCount == files.count)
    #expect(try here.read("doc.txt") == "two" && here.saveAll().isEmpty)
  }

  @Test("goes on only with the same files") func otherFiles() throws {
    let texts = ["one", "two", "three"]
    _ = try here.repository.importHistory(try files(texts), at: path)
    // The same texts of other days.
    let later = try files(["", "", ""] + texts).suffix(3)
    let report = try here.repository.importHistory(Array(later), at: path)
    #expect(report.passedOverCount == 0 && report.made.count == 3)
    // After a save of another text nothing tells that it was interrupted.
    try here.save("four", at: "doc.txt")
    #expect(try here.repository.importHistory(Array(later), at: path).made.count == 3)
    _ = try here.repository.undo()
    #expect(try here.repository.importHistory(Array(later), at: path).made.count == 3, "undone is not there")
  }

  @Test("is one operation, however many versions become durable at a time") func undo() throws {
    try here.save("zero", at: "doc.txt")
    let made = try here.repository.importHistory(try files((0..<100).map { "text \($0)" }), at: path).made
    #expect(made.count == 100)
    _ = try here.repository.undo()
    #expect(try here.read("doc.txt") == "zero")
    #expect(try here.repository.history(of: path, HistoryQuery()).count == 102, "history is added to")
    #expect(try here.repository.verify(isQuick: false).damages == [])
    _ = try here.repository.importHistory(try files(["one", "two"]), at: path)
    try here.save("three", at: "doc.txt")
    _ = try here.repository.undo()
    #expect(try here.read("doc.txt") == "two")
    #expect(throws: RepositoryError.refused(.stoodOn(path))) { try here.repository.undo() }
  }

  @Test("stores versions as saves one by one do, and those of a length that is never grouped too") func sizes() throws {
    var generator = SeededGenerator(seed: 4)
    var lines = (0..<300).map { "line \($0) \(UInt64.random(in: 0...UInt64.max, using: &generator))" }
    var texts: [String] = []
    for number in 0..<150 {
      lines[Int.random(in: 0..<300, using: &generator)] += " changed \(number)"
      // Now and then as it was before, and back.
      if number % 10 == 9 { texts.append(texts[number - 3]) } else { texts.append(lines.joined(separator: "\n")) }
    }
    texts[70] += String(repeating: "a long text ", count: 500_000)
    let made = try here.repository.importHistory(try files(texts), at: path).made
    #expect(made.count == 150)
    let other = try TestRepository()
    for text in texts { try other.save(text, at: "doc.txt") }
    for (version, text) in zip(made, texts) { #expect(try here.content(of: version) == text) }
    #expect(try here.repository.verify(isQuick: false).damages == [])
    try here.store.rebuild()
    #expect(try here.repository.history(of: path, HistoryQuery()).map(\.version) == made.reversed())
    let (imported, saved) = (try packByteCount(here), try packByteCount(other))
    // The operation lists what it made; the rest is alike.
    #expect(imported < saved + saved / 20 + 150 * 32, "\(imported) B against \(saved) B")
  }

  private func packByteCount(_ here: TestRepository) throws -> UInt64 {
    let folder = try #require(here.store.privateLayout).active
    return try FileSystem.list(folder).map { try FileStatus.of(folder.appending($0.name)).size }.reduce(0, +)
  }
}
