import Catalog
import Hashing
import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("Settling, restoring, moving, taking back") struct SettlingTests {
  private let path = DocumentPath("a.txt")

  /// A document in conflict: `one`, on it `mine` and the current `theirs`, which is placed.
  private func conflict() throws -> (here: TestRepository, first: Version, mine: Version, theirs: Version) {
    let here = try TestRepository()
    let first = try #require(try here.save("one", at: "a.txt"))
    let mine = try #require(try here.save("mine", at: "a.txt"))
    let theirs = try here.receive("theirs", at: "a.txt", on: [first])
    try here.place([theirs])
    return (here, first, mine, theirs)
  }

  /// Nothing is left to save, and nothing to tell but conflicts.
  private func checkSettled(_ here: TestRepository) throws {
    #expect(try here.savedPaths() == [])
    #expect(try here.repository.status([nil]).entries.filter { $0.change != .conflict } == [])
    try here.store.rebuild()
    #expect(try here.savedPaths() == [])
  }

  @Test("Restoring makes a version on top, and a following save none") func restore() throws {
    let here = try TestRepository()
    let first = try #require(try here.save("one", at: "a.txt"))
    let second = try #require(try here.save("two", at: "a.txt"))
    let made = try #require(try here.repository.restore(first, at: path, basis: .workingFile))
    #expect(made.record.parents == [second.id])
    #expect(made.record.origin == .restore)
    #expect(try here.read("a.txt") == "one")
    try checkSettled(here)
    #expect(try here.repository.restore(first, at: path, basis: .workingFile) == nil)
    try here.remove("a.txt")
    #expect(try here.repository.restore(made, at: path, basis: .workingFile) == nil)
    #expect(try here.read("a.txt") == "one")
    try checkSettled(here)
  }

  @Test("Restoring over unsaved changes or through a folder in the way is refused") func restoreRefused() throws {
    let here = try TestRepository()
    let first = try #require(try here.save("one", at: "a.txt"))
    try here.save("two", at: "a.txt")
    try here.write("edited", to: "a.txt")
    #expect(throws: RepositoryError.refused(.unsavedChanges(path))) {
      try here.repository.restore(first, at: path, basis: .workingFile)
    }
    #expect(try here.read("a.txt") == "edited")
    try here.remove("a.txt")
    try FileSystem.makeFolder(at: here.path("a.txt"))
    #expect(throws: RepositoryError.refused(.unreachable(path))) {
      try here.repository.restore(first, at: path, basis: .workingFile)
    }
    #expect(try here.repository.history(of: path, HistoryQuery()).count == 2)
  }

  @Test("A deleted document is restored as itself") func restoreDeleted() throws {
    let here = try TestRepository()
    try here.save("kept", at: "kept")
    let first = try #require(try here.save("one", at: "sub/a.txt"))
    let deletion = try #require(
      try here.repository.delete([DocumentPath("sub/a.txt")], basis: .workingFile).first)
    let made = try #require(
      try here.repository.restore(first, at: DocumentPath("sub/a.txt"), basis: .workingFile))
    #expect(made.record.parents == [deletion.id])
    #expect(made.record.document == first.record.document)
    #expect(try here.read("sub/a.txt") == "one")
    try checkSettled(here)
  }

  @Test("Moving keeps the document, unsaved edits and the place of what follows") func move() throws {
    let here = try TestRepository()
    let first = try #require(try here.save("one", at: "a.txt"))
    try here.write("edited", to: "a.txt")
    let made = try here.repository.move(path, to: DocumentPath("new/place/b.txt"), basis: .workingFile)
    #expect(made.map(\.record.parents) == [[first.id]])
    #expect(try here.read("a.txt") == nil)
    #expect(try here.read("new/place/b.txt") == "edited")
    let next = try #require(try here.saveAll().first)
    #expect(next.record.parents == made.map(\.id))
    try checkSettled(here)
    let back = try here.repository.move(DocumentPath("new/place/b.txt"), to: path, basis: .workingFile)
    #expect(back.first?.record.parents == [next.id])
    #expect(try here.directory.names() == [Array(".dver".utf8), Array("a.txt".utf8)])
    try checkSettled(here)
  }

  @Test("Moving a folder is one operation, taken back as one") func moveFolder() throws {
    let here = try TestRepository()
    for name in ["x", "y", "z/w"] { try here.save(name, at: "old/\(name)") }
    let made = try here.repository.move(DocumentPath("old"), to: DocumentPath("new"), basis: .workingFile)
    #expect(made.count == 3)
    #expect(try here.read("new/z/w") == "z/w")
    #expect(try here.read("old/x") == nil)
    try checkSettled(here)
    #expect(try here.repository.undo().made.count == 3)
    #expect(try here.read("old/z/w") == "z/w")
    #expect(try here.read("new/x") == nil)
    try checkSettled(here)
  }

  @Test("Moving to where something is, or can't be, is refused before anything is done") func moveRefused() throws {
    let here = try TestRepository()
    try here.save("one", at: "a.txt")
    try here.save("two", at: "b.txt")
    try here.save("three", at: "f/c.txt")
    try here.write("no document", to: "d.txt")
    let before = try here.repository.history(HistoryQuery()).count
    for target in ["b.txt", "d.txt", "f", "b.txt/x", "a.txt/x", "d.txt/x"] {
      #expect(throws: RepositoryError.self, "\(target)") {
        try here.repository.move(path, to: DocumentPath(target), basis: .workingFile)
      }
    }
    #expect(throws: RepositoryError.self) {
      try here.repository.move(DocumentPath("f"), to: DocumentPath("f/g"), basis: .workingFile)
    }
    #expect(try here.repository.history(HistoryQuery()).count == before)
    #expect(try here.read("a.txt") == "one")
    #expect(try here.savedPaths() == ["d.txt"])
  }

  @Test("A resolution has exactly the settled heads as parents, the chosen one first (R8)") func resolve() throws {
    let (here, _, mine, theirs) = try conflict()
    let made = try here.repository.resolve(path, .use(mine), message: Array("mine".utf8))
    #expect(made.map(\.record.parents) == [[mine.id, theirs.id]])
    #expect(made.first?.record.message == Array("mine".utf8))
    #expect(try here.read("a.txt") == "mine")
    #expect(try !here.view("a.txt").hasConflict)
    try checkSettled(here)
    #expect(throws: RepositoryError.refused(.noConflict(path))) { try here.repository.resolve(path, .current) }
  }

  @Test("A resolution over unsaved changes is refused, except by that very file") func resolveUnsaved() throws {
    let (here, _, mine, theirs) = try conflict()
    try here.write("both", to: "a.txt")
    #expect(throws: RepositoryError.refused(.unsavedChanges(path))) { try here.repository.resolve(path, .current) }
    let made = try here.repository.resolve(path, .merged(here.path("a.txt")))
    #expect(Set(made.first?.record.parents ?? []) == [mine.id, theirs.id])
    #expect(try here.read("a.txt") == "both")
    #expect(try here.content(of: try #require(made.first)) == "both")
    try checkSettled(here)
  }

  @Test("A file that was written back to what a head holds follows the resolution") func resolveRewritten() throws {
    let (here, _, mine, theirs) = try conflict()
    try here.write("mine", to: "a.txt")
    let made = try here.repository.resolve(path, .use(theirs))
    #expect(Set(made.first?.record.parents ?? []) == [mine.id, theirs.id])
    #expect(try here.read("a.txt") == "theirs")
    try checkSettled(here)
  }

  @Test("Keeping both makes a document of the loser; taken back, the conflict is there again (R8, R14)") func both()
    throws
  {
    let (here, _, mine, theirs) = try conflict()
    let made = try here.repository.resolve(path, .both)
    #expect(made.count == 2)
    let digest = SHA256.hash(Array("both\(mine.id.hexadecimal)".utf8)).digest
    #expect(made[1].record.document.bytes == Array(digest.prefix(16)))
    let beside = String(decoding: made[1].record.path.bytes, as: UTF8.self)
    #expect(beside == "a~\(made[1].record.document.hexadecimal.prefix(8)).txt")
    #expect(try here.read("a.txt") == "theirs")
    #expect(try here.read(beside) == "mine")
    try checkSettled(here)
    let report = try here.repository.undo()
    #expect(Set(report.retracted) == Set(made.map(\.id)))
    #expect(Set(try here.view("a.txt").rivals.map(\.id)) == [mine.id, theirs.id])
    #expect(try here.read("a.txt") == "theirs")
    #expect(try here.read(beside) == nil)
    try checkSettled(here)
    #expect(try here.repository.verify(isQuick: false).damages == [])
    #expect(try here.repository.history(HistoryQuery(includesEverything: true)).count == 4)
  }

  @Test("Both sides are kept only where both are contents") func bothOfDeletion() throws {
    let here = try TestRepository()
    let path = DocumentPath("a.txt")
    let first = try #require(try here.save("one", at: "a.txt"))
    try here.save("two", at: "a.txt")
    try here.receive(nil, at: "a.txt", on: [first])
    #expect(throws: RepositoryError.refused(.nothingToKeep(path))) { try here.repository.resolve(path, .both) }
    _ = try here.repository.resolve(path, .current)
    #expect(try here.repository.conflicts(nil).isEmpty)
  }

  @Test("Taking back a save gives the earlier state on top, of a new document a deletion (R8)") func undoSave() throws {
    let here = try TestRepository()
    try here.save("kept", at: "kept")
    try here.save("one", at: "a.txt")
    let second = try #require(try here.save("two", at: "a.txt"))
    let report = try here.repository.undo()
    #expect(report.made.map(\.record.parents) == [[second.id]])
    #expect(report.made.map(\.record.origin) == [.undo])
    #expect(try here.read("a.txt") == "one")
    try checkSettled(here)
    #expect(throws: RepositoryError.refused(.stoodOn(path))) { try here.repository.undo() }
    try here.save("new", at: "new.txt")
    #expect(try here.repository.undo().made.map(\.record.isDeletion) == [true])
    #expect(try here.read("new.txt") == nil)
    try checkSettled(here)
  }

  @Test("Deletions, renames and restorations are taken back") func undoOthers() throws {
    let here = try TestRepository()
    try here.save("kept", at: "kept")
    let first = try #require(try here.save("one", at: "a.txt"))
    _ = try here.repository.delete([path], basis: .workingFile)
    #expect(try here.repository.undo().operation.name == "rm")
    #expect(try here.read("a.txt") == "one")
    try checkSettled(here)
    try here.rename("a.txt", to: "b.txt")
    try here.saveAll()
    #expect(try here.repository.undo().made.first?.record.path == path)
    #expect(try here.read("a.txt") == "one")
    #expect(try here.read("b.txt") == nil)
    try checkSettled(here)
    try here.save("two", at: "a.txt")
    _ = try here.repository.restore(first, at: path, basis: .workingFile)
    _ = try here.repository.undo()
    #expect(try here.read("a.txt") == "two")
    try checkSettled(here)
  }

  @Test("What was edited since, or stands under something else, is not taken back") func undoRefused() throws {
    let here = try TestRepository()
    #expect(throws: RepositoryError.refused(.nothingToUndo)) { try here.repository.undo() }
    try here.save("one", at: "a.txt")
    let second = try #require(try here.save("two", at: "a.txt"))
    try here.write("edited", to: "a.txt")
    #expect(throws: RepositoryError.refused(.unsavedChanges(path))) { try here.repository.undo() }
    #expect(try here.read("a.txt") == "edited")
    try here.write("two", to: "a.txt")
    try here.receive("theirs", at: "a.txt", on: [second])
    #expect(throws: RepositoryError.refused(.stoodOn(path))) { try here.repository.undo() }
    #expect(try here.current("a.txt")?.record.parents == [second.id])
  }

  @Test("Removing an old version keeps every head; its content is refused; it is taken back (R8)") func remove() throws
  {
    let here = try TestRepository()
    let first = try #require(try here.save("one", at: "a.txt"))
    let second = try #require(try here.save("two", at: "a.txt"))
    #expect(throws: RepositoryError.refused(.currentVersion(path))) {
      try here.repository.remove(second, at: path, isDryRun: false)
    }
    #expect(try here.repository.remove(first, at: path, isDryRun: true).removed == [first])
    #expect(try here.repository.content(of: first, at: path) == Array("one".utf8))
    let report = try here.repository.remove(first, at: path, isDryRun: false)
    #expect(report.removed == [first])
    #expect(report.made == nil)
    #expect(try here.current("a.txt") == second)
    #expect(throws: RepositoryError.refused(.removedVersion(first.id))) {
      try here.repository.content(of: first, at: path)
    }
    #expect(throws: RepositoryError.refused(.removedVersion(first.id))) {
      try here.repository.restore(first, at: path, basis: .workingFile)
    }
    #expect(try here.repository.remove(first, at: path, isDryRun: false).removed.isEmpty)
    #expect(try here.repository.operations(limit: 1).first?.wallTime == here.clock.now)
    try checkSettled(here)
    #expect(try here.repository.undo().retracted.count == 1)
    #expect(try here.repository.content(of: first, at: path) == Array("one".utf8))
  }

  @Test("Removing a conflict version settles it first, equal ones together") func removeConflict() throws {
    let (here, first, mine, theirs) = try conflict()
    let equal = try here.receive("mine", at: "a.txt", on: [first])
    try here.place([equal])
    #expect(Set(try here.view("a.txt").rivals.map(\.id)) == [mine.id, theirs.id, equal.id])
    let current = try #require(try here.current("a.txt"))
    let loser = try #require(try here.view("a.txt").conflicts.first)
    let report = try here.repository.remove(loser, at: path, isDryRun: false)
    #expect(report.made != nil)
    #expect(try !here.view("a.txt").hasConflict)
    #expect(try here.current("a.txt")?.record.content == current.record.content)
    try checkSettled(here)
    _ = try here.repository.undo()
    #expect(try here.view("a.txt").hasConflict)
    #expect(try here.repository.verify(isQuick: false).damages == [])
    try checkSettled(here)
  }

  @Test("Equal conflict versions, which are shown as one, are removed together (R9)") func removeEqual() throws {
    let (here, first, mine, theirs) = try conflict()
    let equal = try here.receive("mine", at: "a.txt", on: [first])
    let newest = try here.receive("newest", at: "a.txt", on: [theirs])
    try here.place([newest])
    let pair = try here.repository.remove(equal, at: path, isDryRun: false)
    #expect(Set(pair.removed.map(\.id)) == [equal.id, mine.id])
    #expect(Set(pair.made?.record.parents ?? []) == [newest.id, equal.id, mine.id])
    #expect(try !here.view("a.txt").hasConflict)
    #expect(try here.repository.verify(isQuick: false).damages == [])
    try checkSettled(here)
  }

  @Test("Removing all others keeps one version, and an old device can't bring them back (R8)") func removeOthers()
    throws
  {
    let (here, first, mine, theirs) = try conflict()
    #expect(
      try here.repository.removeOthers(at: path, keeping: nil, conflictsOnly: false, isDryRun: true).removed.count == 2)
    let report = try here.repository.removeOthers(at: path, keeping: mine, conflictsOnly: false, isDryRun: false)
    #expect(Set(report.removed.map(\.id)) == [first.id, theirs.id])
    let made = try #require(report.made)
    #expect(Set(made.record.parents) == [mine.id, theirs.id])
    #expect(try here.read("a.txt") == "mine")
    #expect(try !here.view("a.txt").hasConflict)
    for version in [first, theirs, mine] {
      #expect(throws: RepositoryError.refused(.removedVersion(version.id))) {
        try here.repository.content(of: version, at: path)
      }
    }
    #expect(try here.content(of: made) == "mine")
    try checkSettled(here)
    _ = try here.repository.undo()
    #expect(Set(try here.view("a.txt").rivals.map(\.id)) == [mine.id, theirs.id])
    #expect(try here.read("a.txt") == "theirs")
    try checkSettled(here)
  }

  @Test("Removing all others of a single head makes no version") func removeOthersOfOne() throws {
    let here = try TestRepository()
    let first = try #require(try here.save("one", at: "a.txt"))
    let second = try #require(try here.save("two", at: "a.txt"))
    let report = try here.repository.removeOthers(at: path, keeping: nil, conflictsOnly: false, isDryRun: false)
    #expect(report.removed == [first])
    #expect(report.made == nil)
    #expect(try here.current("a.txt") == second)
    try checkSettled(here)
  }

  @Test("Removing only the conflict versions leaves the history") func removeConflictsOnly() throws {
    let (here, first, mine, _) = try conflict()
    let report = try here.repository.removeOthers(at: path, keeping: nil, conflictsOnly: true, isDryRun: false)
    #expect(report.removed == [mine])
    #expect(try here.repository.content(of: first, at: path) == Array("one".utf8))
    try checkSettled(here)
  }

  @Test("A path that two documents claim is settled into one document, of the smaller id (R14)") func contested() throws
  {
    let here = try TestRepository()
    let mine = try #require(try here.save("mine", at: "a.txt"))
    let theirs = try here.receive("theirs", at: "a.txt", on: [])
    try here.place([theirs])
    #expect(try here.view("a.txt").conflicts == [mine])
    let made = try #require(try here.repository.resolve(path, .current).first)
    #expect(Set(made.record.parents) == [mine.id, theirs.id])
    #expect(made.record.document == min(mine.record.document, theirs.record.document))
    #expect(try here.view("a.txt").claimants.count == 1)
    try checkSettled(here)
    _ = try here.repository.undo()
    #expect(try here.view("a.txt").claimants.count == 2)
    try checkSettled(here)
  }

  @Test("A clock outside of the years that a record can hold does no harm (R10)", arguments: [Int64.min, Int64.max])
  func clock(_ time: Int64) throws {
    let here = try TestRepository()
    try here.save("one", at: "a.txt")
    here.clock.set(time)
    try here.write("two", to: "a.txt")
    #expect(try here.repository.save([nil], options: SaveOptions()).saved.count == 1)
    #expect(try here.repository.save(standardInput: [1], at: path, options: SaveOptions()) != nil)
    try here.store.rebuild()
    #expect(try here.repository.history(of: path, HistoryQuery()).count == 3)
  }
}
