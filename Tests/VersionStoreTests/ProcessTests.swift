import ObjectStorage
import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("Several processes") struct ProcessTests {
  private func other(_ here: TestRepository, _ access: Store.Access = .writing) throws -> Repository {
    try Repository.open(
      containing: here.directory.path, access: access, environment: TestRepository.environment("laptop", here.clock))
  }

  @Test("One that wants to write while another does is told") func locked() throws {
    let here = try TestRepository()
    try here.save("one", at: "a.txt")
    let second = try other(here)
    let lock = try #require(here.store.privateLayout).lock
    try here.store.withLock { () throws(RepositoryError) in
      #expect(throws: RepositoryError.locked(lock)) { try second.save([nil], options: SaveOptions()) }
      #expect(throws: RepositoryError.locked(lock)) { try second.undo() }
    }
    try here.write("two", to: "a.txt")
    #expect(try second.save([nil], options: SaveOptions()).saved.count == 1)
    #expect(try here.current("a.txt")?.record.parents.count == 1)
  }

  @Test("A reader sees the last finished state while another writes") func reader() throws {
    let here = try TestRepository()
    let first = try #require(try here.save("one", at: "a.txt"))
    let reader = try other(here, .reading)
    try here.write("two", to: "a.txt")
    try here.store.write(.save) { (transaction) throws(RepositoryError) in
      let step = SaveStep(repository: here.repository, transaction: transaction, options: SaveOptions())
      guard let file = try here.repository.readWorkingFile(DocumentPath("a.txt")) else { return }
      _ = try step.save(file, at: DocumentPath("a.txt"), row: try here.repository.fileRow(at: DocumentPath("a.txt")))
      #expect(try reader.view(of: DocumentPath("a.txt")).current?.id == first.id)
      let third = try? other(here, .reading)
      #expect(try third?.view(of: DocumentPath("a.txt")).current?.id == first.id)
    }
    let second = try #require(try here.current("a.txt"))
    #expect(second.id != first.id)
    #expect(try reader.view(of: DocumentPath("a.txt")).current == second)
    #expect(try reader.content(of: second, at: DocumentPath("a.txt")) == Array("two".utf8))
  }

  @Test("Two that save in turn lose nothing") func turns() throws {
    let here = try TestRepository()
    let second = try other(here)
    var last: Version?
    for number in 0..<20 {
      here.clock.advance(1000)
      try here.write("\(number)", to: "a.txt")
      let writer = number.isMultiple(of: 2) ? here.repository : second
      let made = try #require(try writer.save([nil], options: SaveOptions()).saved.first)
      #expect(made.record.parents == (last.map { [$0.id] } ?? []))
      last = made
      if number == 7 { _ = try here.store.withLock { () throws(RepositoryError) in try here.store.seal() } }
      if number == 12 { _ = try second.store.withLock { () throws(RepositoryError) in try second.store.seal() } }
    }
    #expect(try second.history(of: DocumentPath("a.txt"), HistoryQuery()).count == 20)
    #expect(try second.verify(isQuick: false).damages == [])
  }

  @Test("A store that can't be written to is read") func readOnly() throws {
    guard let asNobody = OtherUser() else {
      print("not tested: no way to give up the rights of root here")
      return
    }
    let here = try TestRepository()
    let first = try #require(try here.save("one", at: "a.txt"))
    try here.save("two", at: "a.txt")
    try protect(here.path(".dver"))
    try FileSystem.setPermissions(0o755, at: here.directory.path)
    defer { try? unprotect(here.path(".dver")) }
    try asNobody.run {
      let reader = try other(here, .reading)
      #expect(try reader.history(of: DocumentPath("a.txt"), HistoryQuery()).count == 2)
      #expect(try reader.content(of: first, at: DocumentPath("a.txt")) == Array("one".utf8))
      #expect(try reader.verify(isQuick: false).damages == [])
      #expect(try reader.status([nil]).entries.isEmpty)
      do {
        let writer = try other(here)
        _ = try writer.save([nil], options: SaveOptions())
        Issue.record("a read-only store was written to")
      } catch RepositoryError.readOnly {} catch { Issue.record("\(error)") }
    }
  }

  private func protect(_ folder: FilePath) throws {
    for entry in try FileSystem.list(folder) {
      let place = folder.appending(entry.name)
      if entry.kind == .folder { try protect(place) } else { try FileSystem.setPermissions(0o444, at: place) }
    }
    try FileSystem.setPermissions(0o555, at: folder)
  }

  private func unprotect(_ folder: FilePath) throws {
    try FileSystem.setPermissions(0o755, at: folder)
    for entry in try FileSystem.list(folder) where entry.kind == .folder { try unprotect(folder.appending(entry.name)) }
  }

  @Test("A store of another format is refused") func format() throws {
    let here = try TestRepository()
    try here.save("one", at: "a.txt")
    let marker = here.path(".dver/dver-remote")
    let rows: [(String, RepositoryError)] = [
      ("dver-remote 2\n", .unsupportedFormat(Array("2".utf8))),
      ("dver-remote 1\nkey keys/1\n", .unsupportedFormat(Array("1".utf8))),
      ("something else", .damaged("the store's marker file holds something else")),
      ("", .damaged("the store's marker file holds something else")),
    ]
    for (text, error) in rows {
      try AtomicFile.write(Array(text.utf8), to: marker)
      for access in [Store.Access.reading, .writing] {
        #expect(throws: error, "\(text)") { try here.reopen(access) }
      }
    }
    try AtomicFile.write(RepositoryLayout.marker, to: marker)
    try here.reopen()
    try FileSystem.remove(at: marker)
    #expect(throws: RepositoryError.self) { try here.reopen() }
  }
}
