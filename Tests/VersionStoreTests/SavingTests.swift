import SystemIO
import TestSupport
import Testing
import VersionStore
import Versioning

@Suite("Saving") struct SavingTests {
  @Test("A changed file becomes a version on top of the one before") func chain() throws {
    let here = try TestRepository()
    let first = try #require(try here.save("one", at: "a.txt"))
    let second = try #require(try here.save("two", at: "a.txt"))
    #expect(second.record.parents == [first.id])
    #expect(first.record.document == second.record.document)
    #expect(try here.content(of: first) == "one")
    #expect(try here.content(of: second) == "two")
    #expect(try here.save("two", at: "a.txt") == nil)
  }

  @Test("Another process sees what was saved") func reopened() throws {
    let here = try TestRepository()
    let first = try #require(try here.save("one", at: "notes/a.txt"))
    try here.reopen()
    #expect(try here.repository.view(of: DocumentPath("notes/a.txt")).current == first)
    let second = try #require(try here.save("two", at: "notes/a.txt"))
    #expect(second.record.parents == [first.id])
  }

  @Test("A thousand versions come back from a catalog that is made anew") func rebuilt() throws {
    let here = try TestRepository()
    var versions: [Version] = []
    var text = "line\n"
    for number in 0..<300 {
      text += "line \(number)\n"
      versions.append(try #require(try here.save(text, at: "a.txt")))
    }
    try here.repository.store.rebuild()
    #expect(try here.repository.view(of: DocumentPath("a.txt")).current == versions.last)
    let history = try here.repository.history(of: DocumentPath("a.txt"), HistoryQuery())
    #expect(history.map(\.version) == versions.reversed())
    #expect(try here.content(of: versions[0]) == "line\nline 0\n")
    #expect(try here.content(of: versions[150]).hasSuffix("line 150\n"))
    let sealed = try here.repository.store.withLock { () throws(RepositoryError) in try here.repository.store.seal() }
    #expect(sealed != nil)
    #expect(try here.content(of: versions[150]).hasSuffix("line 150\n"))
    try here.repository.store.rebuild()
    #expect(try here.content(of: versions[299]) == text)
    text += "more\n"
    let next = try #require(try here.save(text, at: "a.txt"))
    #expect(next.record.parents == [versions[299].id])
    #expect(try here.repository.verify(isQuick: false).damages == [])
  }

  @Test("A deleted file becomes a deletion, and a renamed one keeps its document") func deleteAndRename() throws {
    let here = try TestRepository()
    let kept = try #require(try here.save("kept", at: "kept.txt"))
    let first = try #require(try here.save("some content\n", at: "a.txt"))
    try FileSystem.rename(
      from: here.directory.path.appending("a.txt"), to: here.directory.path.appending("b.txt"), how: .replace)
    let renamed = try #require(try here.saveAll().first)
    #expect(renamed.record.document == first.record.document)
    #expect(renamed.record.origin == .rename)
    try here.remove("b.txt")
    let deletion = try #require(try here.saveAll().first)
    #expect(deletion.record.isDeletion)
    #expect(deletion.record.parents == [renamed.id])
    #expect(try here.repository.view(of: DocumentPath("b.txt")).current == nil)
    #expect(try here.repository.view(of: DocumentPath("kept.txt")).current == kept)
  }
}
