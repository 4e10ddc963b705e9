import Catalog
import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("Deletions") struct DeletionTests {
  private func filled(_ count: Int) throws -> TestRepository {
    let here = try TestRepository()
    for number in 0..<count { try here.write("content \(number)", to: "f/\(number).txt") }
    try here.saveAll()
    return here
  }

  private func refuses(_ here: TestRepository, _ targets: [DocumentPath?] = [nil]) -> Refusal? {
    do {
      _ = try here.repository.save(targets, options: SaveOptions())
      return nil
    } catch {
      if case .refused(let refusal) = error { return refusal }
      Issue.record("\(error)")
      return nil
    }
  }

  @Test("of everything, or of more than half of ten or more, are asked about (R4)") func mass() throws {
    let one = try filled(1)
    try one.remove("f/0.txt")
    #expect(refuses(one) == .massDeletion(missing: 1, of: 1))
    let nine = try filled(9)
    for number in 0..<8 { try nine.remove("f/\(number).txt") }
    #expect(refuses(nine) == nil)
    let ten = try filled(10)
    for number in 0..<5 { try ten.remove("f/\(number).txt") }
    #expect(refuses(ten) == nil)
    let twelve = try filled(12)
    for number in 0..<7 { try twelve.remove("f/\(number).txt") }
    #expect(refuses(twelve) == .massDeletion(missing: 7, of: 12))
    #expect(try twelve.current("f/0.txt") != nil)
    #expect(try twelve.saveAll(allowsMassDeletion: true).count == 7)
  }

  @Test("of a folder that is gone are found when the folder is named") func folder() throws {
    let here = try filled(3)
    try here.save("x", at: "x.txt")
    try FileSystem.removeTree(at: here.path("f"))
    #expect(refuses(here, [DocumentPath("f")]) == .massDeletion(missing: 3, of: 3))
    let report = try here.repository.save([DocumentPath("f")], options: SaveOptions(allowsMassDeletion: true))
    #expect(report.saved.map(\.record.isDeletion) == [true, true, true])
    #expect(throws: RepositoryError.noSuchDocument(DocumentPath("nothing"))) {
      try here.repository.save([DocumentPath("nothing")], options: SaveOptions())
    }
  }

  @Test("name the base and the heads that were seen, and no other (R11)") func seen() throws {
    let here = try TestRepository()
    try here.save("kept", at: "kept")
    let first = try #require(try here.save("one", at: "a.txt"))
    let seen = try here.receive("two", at: "a.txt", on: [first])
    let third = try here.receive("three", at: "a.txt", on: [first])
    let report = try here.place([seen, third])
    #expect(report.replaced == [DocumentPath("a.txt")])
    #expect(try here.row("a.txt")?.base == [third.id])
    #expect(try here.row("a.txt")?.seen == [seen.id])
    let unseen = try here.receive("unseen", at: "a.txt", on: [first])
    try here.remove("a.txt")
    let deletion = try #require(try here.saveAll().first)
    #expect(deletion.record.parents.first == third.id)
    #expect(Set(deletion.record.parents) == [third.id, seen.id])
    #expect(try here.current("a.txt")?.id == unseen.id)
    #expect(try here.view("a.txt").conflicts.map(\.id) == [deletion.id])
  }

  @Test("of an edit that nobody here saw leave the edit current (R11)") func editWins() throws {
    let here = try TestRepository()
    let first = try #require(try here.save("one", at: "a.txt"))
    let edit = try here.receive("two", at: "a.txt", on: [first])
    let made = try here.repository.delete([DocumentPath("a.txt")], basis: .workingFile)
    #expect(made.first?.record.parents == [first.id])
    #expect(try here.current("a.txt")?.id == edit.id)
    #expect(try here.read("a.txt") == "two")
    #expect(try here.saveAll().isEmpty)
  }

  @Test("by rm name seen heads of other documents at the path too (R11)") func otherDocuments() throws {
    let here = try TestRepository()
    let mine = try #require(try here.save("mine", at: "a.txt"))
    let theirs = try here.receive("theirs", at: "a.txt", on: [])
    try here.place([theirs])
    #expect(try here.read("a.txt") == "theirs")
    let made = try here.repository.delete([DocumentPath("a.txt")], basis: .workingFile)
    #expect(Set(made.first?.record.parents ?? []) == [mine.id, theirs.id])
    #expect(try here.current("a.txt") == nil)
    #expect(try here.read("a.txt") == nil)
    #expect(try here.saveAll().isEmpty)
  }

  @Test("are continued by a new file at the path (R11)") func again() throws {
    let here = try TestRepository()
    try here.save("kept", at: "kept")
    try here.save("one", at: "a.txt")
    try here.remove("a.txt")
    let deletion = try #require(try here.saveAll().first)
    let again = try #require(try here.save("again", at: "a.txt"))
    #expect(again.record.parents == [deletion.id])
    #expect(again.record.document == deletion.record.document)
  }

  @Test("leave the versions of a document in reach by the path that another has now") func covered() throws {
    let here = try TestRepository()
    try here.save("kept", at: "kept")
    let path = DocumentPath("a.txt")
    let old = try #require(try here.save("old", at: "a.txt"))
    _ = try here.repository.delete([path], basis: .workingFile)
    try here.write("new", to: "a.txt")
    let new = try #require(
      try here.repository.save([path], options: SaveOptions(basis: .versions([]))).saved.first)
    #expect(new.record.document != old.record.document)
    let named = try here.repository.version(.prefix(Array(old.id.hexadecimal.utf8.prefix(8))), at: path)
    #expect(named.id == old.id)
    #expect(try here.content(of: named) == "old")
    #expect(try here.repository.details(of: named, at: path).children.count == 1)
    #expect(try here.repository.history(of: path, HistoryQuery()).map(\.version.id) == [new.id])
    let all = try here.repository.history(of: path, HistoryQuery(includesEverything: true))
    #expect(all.count == 3)
    #expect(Set(all.map(\.version.id)).isSuperset(of: [old.id, new.id]))
    let restored = try #require(try here.repository.restore(named, at: path, basis: .workingFile))
    #expect(restored.record.parents == [new.id])
    #expect(try here.read("a.txt") == "old")
    #expect(throws: RepositoryError.noSuchVersion(Array("0000".utf8), path)) {
      try here.repository.version(.prefix(Array("0000".utf8)), at: path)
    }
  }

  @Test("are taken back by a restore at the path of before a renaming, with the history") func renamed() throws {
    let here = try TestRepository()
    try here.save("kept", at: "kept")
    let one = try #require(try here.save("one", at: "old.txt"))
    _ = try here.repository.move(DocumentPath("old.txt"), to: DocumentPath("new.txt"), basis: .workingFile)
    let copied = try #require(try here.repository.restore(one, at: DocumentPath("old.txt"), basis: .workingFile))
    #expect(copied.record.document != one.record.document, "the document is still there")
    let deletion = try #require(
      try here.repository.delete([DocumentPath("new.txt"), DocumentPath("old.txt")], basis: .workingFile).first)
    let path = DocumentPath("third.txt")
    let restored = try #require(try here.repository.restore(one, at: path, basis: .workingFile))
    #expect(restored.record.parents == [deletion.id])
    #expect(restored.record.document == one.record.document)
    #expect(try here.read("third.txt") == "one")
  }

  @Test("with unsaved changes are refused, and nothing is done then") func unsaved() throws {
    let here = try TestRepository()
    try here.save("one", at: "a.txt")
    try here.save("two", at: "b.txt")
    try here.write("edited", to: "b.txt")
    #expect(throws: RepositoryError.refused(.unsavedChanges(DocumentPath("b.txt")))) {
      try here.repository.delete([DocumentPath("a.txt"), DocumentPath("b.txt")], basis: .workingFile)
    }
    #expect(try here.read("a.txt") == "one")
    #expect(try here.read("b.txt") == "edited")
    #expect(try here.current("a.txt")?.record.isDeletion == false)
  }

  @Test("are none for what lies behind a link or in an unreadable place (R4)") func behindLink() throws {
    let here = try TestRepository()
    try here.save("kept", at: "kept")
    try here.save("one", at: "sub/a.txt")
    try here.rename("sub", to: "elsewhere")
    try FileSystem.makeSymbolicLink(at: here.path("sub"), target: Array("elsewhere".utf8))
    let report = try here.repository.save([nil], options: SaveOptions(allowsMassDeletion: true))
    #expect(report.saved.allSatisfy { !$0.record.isDeletion })
    let places = [try here.current("sub/a.txt"), try here.current("elsewhere/a.txt")]
    #expect(places.contains { $0 != nil })
  }
}
