import Catalog
import Glibc
import Hashing
import ObjectStorage
import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("Replacing a file that somebody writes to") struct ReplacingTests {
  private let path = DocumentPath("a.txt")

  /// Replaces `a.txt` as the repository does, with something done at the very moment it is replaced.
  private func replace(
    _ here: TestRepository, with version: Version, over base: Version, atThatMoment act: @escaping () throws -> Void
  ) throws -> (outcome: PlaceOutcome, rescued: [Version]) {
    var rescued: [Version] = []
    let outcome = try here.store.withLock { () throws(RepositoryError) in
      try here.repository.tree.place(
        version.record, at: path, over: .file, target: nil,
        write: { (file) throws(RepositoryError) in
          try here.repository.writeContent(version.record.content ?? SHA256.hash([]), file)
        },
        settle: { (folder, name) throws(RepositoryError) in
          do { try act() } catch { Issue.record("\(error)") }
          try here.repository.settle(folder, name, at: path, base: base, &rescued)
        })
    }
    return (outcome, rescued)
  }

  @Test("saves what was written as a version (R2)") func rescued() throws {
    let here = try TestRepository()
    let first = try #require(try here.save("one", at: "a.txt"))
    let second = try here.receive("two", at: "a.txt", on: [first])
    let writer = try FileDescriptor.open(here.path("a.txt"), .writeOnly)
    let handle = writer.rawValue
    let (_, rescued) = try replace(here, with: second, over: first) {
      let file = FileDescriptor(adopting: dup(handle))
      try file.write(Array("written at the last moment".utf8))
    }
    #expect(rescued.count == 1)
    #expect(rescued.first?.record.parents == [first.id])
    #expect(rescued.first?.record.path == path)
    #expect(try here.content(of: try #require(rescued.first)) == "written at the last moment")
    #expect(try here.read("a.txt") == "two")
    #expect(try here.view("a.txt").hasConflict)
    #expect(try here.temporaries().isEmpty)
  }

  @Test("keeps the file where it can't be saved") func putBack() throws {
    let here = try TestRepository()
    let first = try #require(try here.save("one", at: "a.txt"))
    let second = try here.receive("two", at: "a.txt", on: [first])
    #expect(throws: RepositoryError.refused(.noConflict(path))) {
      try here.repository.tree.place(
        second.record, at: path, over: .file, target: nil, write: { (_) throws(RepositoryError) in },
        settle: { (_, _) throws(RepositoryError) in throw .refused(.noConflict(path)) })
    }
    #expect(try here.read("a.txt") == "one")
    #expect(try here.temporaries().isEmpty)
  }

  @Test("never deletes the only copy, whatever fails") func everyFailure() throws {
    var number = 0
    while true {
      let here = try TestRepository()
      let first = try #require(try here.save("one", at: "a.txt"))
      let second = try here.receive("two", at: "a.txt", on: [first])
      try here.write("unsaved", to: "a.txt")
      // As if the write had come right behind the look at the file; then two calls in a row fail.
      let run = FaultInjection.run(.crashing(afterCalls: number)) { try? replace(here, with: second, over: first) {} }
      try here.reopen()
      try here.saveAll()
      #expect(try keeps(here, "unsaved"), "call \(number)")
      if !run.report.isInjected { break }
      number += 1
    }
    #expect(number > 20)
  }

  @Test("never deletes the only copy where putting it back fails") func failureTwice() throws {
    let here = try TestRepository()
    let first = try #require(try here.save("one", at: "a.txt"))
    let second = try here.receive("two", at: "a.txt", on: [first])
    try here.write("unsaved", to: "a.txt")
    // The second exchange of names, which puts the file back, fails.
    let run = FaultInjection.run(.failing(function: "renameat2", errno: 5, occurrence: 1)) {
      try? here.repository.tree.place(
        second.record, at: path, over: .file, target: nil,
        write: { (file) throws(RepositoryError) in
          try here.repository.writeContent(second.record.content ?? SHA256.hash([]), file)
        }, settle: { (_, _) throws(RepositoryError) in throw .refused(.noConflict(path)) })
    }
    #expect(run.report.isInjected)
    try here.saveAll()
    #expect(try keeps(here, "unsaved"))
  }

  @Test("a save doesn't clear away what came out of an exchange and no version holds") func leftBehind() throws {
    let here = try TestRepository()
    try here.save("one", at: "a.txt")
    try here.write("nobody's", to: ".dver-tmp-1")
    try here.write("one", to: ".dver-tmp-2")
    try here.write("deeper", to: "sub/.dver-tmp-3")
    try here.write("inside", to: ".dver-tmp-4/x")
    try here.write("", to: ".dver-tmp-5")
    try here.saveAll()
    #expect(try here.temporaries().isEmpty)
    #expect(try FileSystem.list(here.path("sub")).isEmpty)
    for text in ["nobody's", "deeper", "inside"] { #expect(try keeps(here, text), "\(text)") }
    let displaced = try #require(here.store.privateLayout).displaced
    #expect(try FileSystem.list(displaced).count == 3)
  }

  @Test("a write to the file just placed is seen by the next save") func writtenAfter() throws {
    let here = try TestRepository()
    let first = try #require(try here.save("one", at: "a.txt"))
    let second = try here.receive("two", at: "a.txt", on: [first])
    let (outcome, _) = try replace(here, with: second, over: first) {
      // The new file has its name by now.
      try here.write("edited", to: "a.txt")
      let start = Clock.wallNanoseconds
      while Clock.wallNanoseconds - start < 30_000_000 {}
    }
    guard case .placed(let placed) = outcome else {
      Issue.record("not placed")
      return
    }
    let status: FileStatus? = placed
    try here.store.write(.none) { (transaction) throws(RepositoryError) in
      try transaction.note(.base(path: path, base: [second.id], seen: []))
      transaction.statuses[path] = status.map { CachedStatus($0, checkedAt: Clock.wallNanoseconds) }
    }
    #expect(try here.savedPaths() == ["a.txt"])
  }

  /// Whether some file, version or set-aside file still holds a text.
  private func keeps(_ here: TestRepository, _ text: String) throws -> Bool {
    let content = SHA256.hash(Array(text.utf8))
    if try here.store.contains(content) { return true }
    var found = false
    func look(_ folder: FilePath) throws {
      for entry in try FileSystem.list(folder) {
        let place = folder.appending(entry.name)
        if entry.kind == .folder {
          try look(place)
        } else if try FileSystem.read(place, limit: 1 << 26) == Array(text.utf8) {
          found = true
        }
      }
    }
    try look(here.directory.path)
    return found
  }
}
