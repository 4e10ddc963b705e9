import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("Renames outside of dver") struct RenameTests {
  private let text = (0..<50).map { "line number \($0)\n" }.joined()

  @Test("are found by the inode, though the text was edited") func edited() throws {
    let here = try TestRepository()
    try here.save("kept", at: "kept")
    let first = try #require(try here.save(text, at: "a.txt"))
    try here.rename("a.txt", to: "sub/b.txt")
    try here.write(text + "one more\n", to: "sub/b.txt")
    let saved = try here.saveAll()
    #expect(saved.count == 1)
    #expect(saved.first?.record.document == first.record.document)
    #expect(saved.first?.record.parents == [first.id])
    #expect(saved.first?.record.origin == .save)
    #expect(try here.current("a.txt") == nil)
  }

  @Test("are found by equal content of another inode") func equal() throws {
    let here = try TestRepository()
    try here.save("kept", at: "kept")
    let first = try #require(try here.save(text, at: "a.txt"))
    try here.write(text, to: "b.txt")
    try here.remove("a.txt")
    let saved = try here.saveAll()
    #expect(saved.map(\.record.document) == [first.record.document])
    #expect(saved.first?.record.origin == .rename)
    #expect(try here.saveAll().isEmpty)
  }

  @Test("are not guessed where two files have the content") func ambiguous() throws {
    let here = try TestRepository()
    let first = try #require(try here.save(text, at: "a.txt"))
    try here.write(text, to: "b.txt")
    try here.write(text, to: "c.txt")
    try here.remove("a.txt")
    let saved = try here.saveAll()
    #expect(saved.count == 3)
    #expect(saved.filter { $0.record.document == first.record.document }.map(\.record.isDeletion) == [true])
  }

  @Test("of empty files are not guessed, whatever inode the new one has") func empty() throws {
    for _ in 0..<5 {
      let here = try TestRepository()
      try here.save("kept", at: "kept")
      let first = try #require(try here.save("", at: "a.txt"))
      try here.remove("a.txt")
      // The inode is often the one that became free.
      try here.write("", to: "b.txt")
      let saved = try here.saveAll()
      #expect(saved.count == 2)
      #expect(saved.first { !$0.record.isDeletion }?.record.document != first.record.document)
    }
  }

  @Test("of empty files are found by inode and time") func emptyMoved() throws {
    let here = try TestRepository()
    try here.save("kept", at: "kept")
    let first = try #require(try here.save("", at: "a.txt"))
    try here.rename("a.txt", to: "b.txt")
    #expect(try here.saveAll().map(\.record.document) == [first.record.document])
  }

  @Test("pair no link with a file") func kinds() throws {
    let here = try TestRepository()
    try here.save("kept", at: "kept")
    try FileSystem.makeSymbolicLink(at: here.path("l"), target: Array("target".utf8))
    try here.saveAll()
    try here.remove("l")
    try here.write("target", to: "f")
    #expect(try here.saveAll().count == 2)
  }

  @Test("and a new file at the old name leave two documents") func replaced() throws {
    let here = try TestRepository()
    let first = try #require(try here.save(text, at: "a.txt"))
    try here.rename("a.txt", to: "b.txt")
    try here.write("something else", to: "a.txt")
    let saved = try here.saveAll()
    #expect(saved.count == 2)
    // The path has its document; what lies elsewhere now is new.
    #expect(saved.first { $0.record.path == DocumentPath("a.txt") }?.record.parents == [first.id])
  }

  @Test("of whole folders keep every document") func folder() throws {
    let here = try TestRepository()
    var documents: Set<DocumentID> = []
    for number in 0..<20 {
      documents.insert(try #require(try here.save("\(text)\(number)", at: "old/\(number)")).record.document)
    }
    try FileSystem.rename(from: here.path("old"), to: here.path("new"), how: .noReplace)
    let saved = try here.saveAll(allowsMassDeletion: false)
    #expect(saved.count == 20)
    #expect(Set(saved.map(\.record.document)) == documents)
    #expect(try here.saveAll().isEmpty)
  }

  @Test("are not lost where the file can't be read at that moment") func unreadable() throws {
    let here = try TestRepository()
    try here.save("kept", at: "kept")
    let first = try #require(try here.save(text, at: "a.txt"))
    try here.rename("a.txt", to: "b.txt")
    let calls = FaultInjection.run(.observing) { try? here.repository.status([nil]) }.report.calls
    for number in calls.indices where calls[number].path == here.path("b.txt") {
      _ = FaultInjection.run(.failing(call: number, errno: 5)) {
        try? here.repository.save([nil], options: SaveOptions(allowsMassDeletion: false))
      }
    }
    let run = FaultInjection.run(.failing(function: "openat", errno: 5, occurrence: 0)) {
      try? here.repository.save([nil], options: SaveOptions())
    }
    _ = run
    try here.saveAll()
    #expect(try here.current("b.txt")?.record.document == first.record.document)
  }

  @Test("of hard links keep their names, and are found the same way every time") func hardLinks() throws {
    let here = try TestRepository()
    try here.save("kept", at: "kept")
    try here.write("shared content", to: "d/m")
    for name in ["d/a", "d/z"] {
      _ = try ChildProcess.run(program: FilePath("ln"), arguments: [here.path("d/m").bytes, here.path(name).bytes])
    }
    try here.saveAll()
    for (name, folder) in [("z", "e"), ("m", "e"), ("a", "f")] { try here.rename("d/\(name)", to: "\(folder)/\(name)") }
    for _ in 0..<5 {
      let found = try here.repository.status([nil]).entries.map { "\($0)" }
      #expect(found.count == 3)
      try here.reopen()
    }
    let saved = try here.saveAll()
    #expect(saved.count == 3)
    for version in saved {
      let parent = try #require(version.record.parents.first)
      #expect(try here.store.version(parent)?.record.path.name == version.record.path.name)
    }
  }
}
