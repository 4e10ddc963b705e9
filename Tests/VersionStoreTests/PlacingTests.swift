import Catalog
import Hashing
import ObjectStorage
import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("Placing what arrived") struct PlacingTests {
  private func path(_ text: String) -> DocumentPath { DocumentPath(text) }

  @Test("creates, replaces and removes files, and a following save finds nothing") func outcomes() throws {
    let here = try TestRepository()
    let first = try #require(try here.save("one", at: "a.txt"))
    let gone = try #require(try here.save("gone", at: "sub/gone.txt"))
    let new = try here.receive("new", at: "deep/er/new.txt", on: [], mode: 0o755)
    let second = try here.receive("two", at: "a.txt", on: [first])
    let deletion = try here.receive(nil, at: "sub/gone.txt", on: [gone])
    let report = try here.place([new, second, deletion])
    #expect(report.created == [path("deep/er/new.txt")])
    #expect(report.replaced == [path("a.txt")])
    #expect(report.removed == [path("sub/gone.txt")])
    #expect(report.left.isEmpty && report.unplaced.isEmpty && report.rescued.isEmpty)
    #expect(try here.read("a.txt") == "two")
    #expect(try here.status("deep/er/new.txt").permissions == 0o755)
    #expect(try here.directory.names() == [".dver", "a.txt", "deep"].map { Array($0.utf8) })
    #expect(try here.saveAll().isEmpty)
    #expect(try here.repository.status([nil]).entries.isEmpty)
    let again = try here.place([new, second, deletion])
    #expect(again.created.isEmpty && again.replaced.isEmpty && again.removed.isEmpty && again.left.isEmpty)
  }

  @Test("leaves files with unsaved changes, deleted files and foreign files alone (R2)") func left() throws {
    let here = try TestRepository()
    let a = try #require(try here.save("a", at: "a.txt"))
    let b = try #require(try here.save("b", at: "b.txt"))
    let c = try #require(try here.save("c", at: "c.txt"))
    try here.write("edited", to: "a.txt")
    try here.remove("b.txt")
    try FileSystem.setPermissions(0o600, at: here.path("c.txt"))
    try here.write("mine", to: "new.txt")
    try FileSystem.makeFolder(at: here.path("folder.txt"))
    let made = [
      try here.receive("a2", at: "a.txt", on: [a]), try here.receive("b2", at: "b.txt", on: [b]),
      try here.receive(nil, at: "c.txt", on: [c]), try here.receive("theirs", at: "new.txt", on: []),
      try here.receive("folder", at: "folder.txt", on: []),
    ]
    let report = try here.place(made)
    #expect(Set(report.left) == Set(["a.txt", "b.txt", "c.txt", "new.txt", "folder.txt"].map(path)))
    #expect(try here.read("a.txt") == "edited")
    #expect(try here.read("b.txt") == nil)
    #expect(try here.read("c.txt") == "c")
    #expect(try here.read("new.txt") == "mine")
    #expect(try here.temporaries().isEmpty)
    let saved = try here.saveAll()
    #expect(saved.first { $0.record.path == path("a.txt") }?.record.parents == [a.id])
    #expect(saved.first { $0.record.path == path("b.txt") }?.record.parents == [b.id])
    #expect(saved.first { $0.record.path == path("new.txt") }?.record.parents == [])
    #expect(!saved.contains { $0.record.path == path("folder.txt") })
  }

  @Test("goes on with the other files where one can't be placed") func oneInTheWay() throws {
    let here = try TestRepository()
    try here.write("a file", to: "way")
    let blocked = try here.receive("x", at: "way/x.txt", on: [])
    let other = try here.receive("y", at: "z.txt", on: [])
    let report = try here.place([blocked, other])
    #expect(report.created == [path("z.txt")])
    #expect(report.left == [path("way/x.txt")])
    #expect(try here.read("way") == "a file")
    #expect(try here.savedPaths() == ["way"])
    #expect(try here.current("way/x.txt") != nil)
  }

  @Test("follows no link on the way, and no deletion is recorded for what is behind it (R4, R5)") func link() throws {
    let here = try TestRepository()
    let outside = try TemporaryDirectory()
    try FileSystem.makeSymbolicLink(at: here.path("sub"), target: outside.path.bytes)
    let version = try here.receive("x", at: "sub/x.txt", on: [])
    let report = try here.place([version])
    #expect(report.unplaced == [.init(path: path("sub/x.txt"), reason: .behindLink)])
    #expect(try outside.names().isEmpty)
    #expect(try here.savedPaths() == ["sub"])
    #expect(try here.current("sub/x.txt")?.id == version.id)
    try here.remove("sub")
    try here.saveAll()
    #expect(try here.place([version]).created == [path("sub/x.txt")])
    #expect(try here.read("sub/x.txt") == "x")
    #expect(try here.saveAll().isEmpty)
  }

  @Test("replaces a link itself, not what it leads to") func linkItself() throws {
    let here = try TestRepository()
    try here.write("target", to: "target.txt")
    try FileSystem.makeSymbolicLink(at: here.path("l"), target: Array("target.txt".utf8))
    let link = try #require(try here.saveAll().first { $0.record.kind == .symbolicLink })
    let file = try here.receive("file", at: "l", on: [link])
    #expect(try here.place([file]).replaced == [path("l")])
    #expect(try here.read("l") == "file")
    #expect(try here.read("target.txt") == "target")
    let back = try here.receive("elsewhere", at: "l", on: [file], kind: .symbolicLink, mode: 0o777)
    #expect(try here.place([back]).replaced == [path("l")])
    #expect(try FileSystem.readLink(here.path("l")) == Array("elsewhere".utf8))
    #expect(try here.saveAll().isEmpty)
  }

  @Test("makes a folder of a file and a file of a folder") func folderAndFile() throws {
    let here = try TestRepository()
    let hosts = try #require(try here.save("hosts", at: "hosts"))
    let main = try here.receive("hosts", at: "hosts/main", on: [hosts])
    let report = try here.place([main])
    #expect(report.removed == [path("hosts")])
    #expect(report.created == [path("hosts/main")])
    #expect(try here.read("hosts/main") == "hosts")
    #expect(try here.saveAll().isEmpty)
    let back = try here.receive("hosts", at: "hosts", on: [main])
    let second = try here.place([back])
    #expect(second.removed == [path("hosts/main")])
    #expect(try here.read("hosts") == "hosts")
    #expect(try here.saveAll().isEmpty)
    #expect(try here.current("hosts")?.id == back.id)
  }

  @Test("lets two files change names") func swapped() throws {
    let here = try TestRepository()
    let a = try #require(try here.save("a", at: "a"))
    let b = try #require(try here.save("b", at: "b"))
    let a2 = try here.receive("a", at: "b", on: [a])
    let b2 = try here.receive("b", at: "a", on: [b])
    let report = try here.place([a2, b2])
    #expect(Set(report.replaced) == [path("a"), path("b")])
    #expect(try here.read("a") == "b")
    #expect(try here.read("b") == "a")
    #expect(try here.saveAll().isEmpty)
    #expect(try here.current("a")?.id == b2.id)
    #expect(try here.current("b")?.id == a2.id)
  }

  @Test("places the greater of two paths that exclude each other, and records no deletion of the other (R13)")
  func excluding() throws {
    let here = try TestRepository()
    let file = try here.receive("file", at: "x", on: [])
    #expect(try here.place([file]).created == [path("x")])
    let inner = try here.receive("inner", at: "x/y", on: [])
    let report = try here.place([inner])
    #expect(report.unplaced == [.init(path: path("x"), reason: .pathInTheWay)])
    #expect(report.created == [path("x/y")])
    #expect(try here.read("x/y") == "inner")
    #expect(try here.saveAll().isEmpty)
    #expect(try here.current("x")?.id == file.id)
    #expect(try here.repository.status([nil]).entries == [StatusEntry(path: path("x"), change: .remoteOnly)])
    try here.repository.store.rebuild()
    #expect(try here.saveAll().isEmpty)
    let greater = try here.receive("file 2", at: "x", on: [file])
    let second = try here.place([greater])
    #expect(second.unplaced == [.init(path: path("x/y"), reason: .pathInTheWay)])
    #expect(try here.read("x") == "file 2")
    #expect(try here.saveAll().isEmpty)
    #expect(try here.current("x/y")?.id == inner.id)
    let deletion = try here.receive(nil, at: "x", on: [greater])
    #expect(try here.place([deletion]).created == [path("x/y")])
    #expect(try here.read("x/y") == "inner")
    #expect(try here.saveAll().isEmpty)
  }

  @Test("records no deletion of what has a name that the volume can't hold (R13)") func impossibleName() throws {
    let here = try TestRepository()
    let long = String(repeating: "n", count: 300)
    let version = try here.receive("x", at: long, on: [])
    let other = try here.receive("y", at: "y", on: [])
    let report = try here.place([version, other])
    #expect(report.unplaced == [.init(path: path(long), reason: .nameImpossible)])
    #expect(report.created == [path("y")])
    #expect(try here.saveAll().isEmpty)
    #expect(try here.current(long)?.id == version.id)
    #expect(try here.row(long)?.unplacedReason == UnplacedReason.nameImpossible.rawValue)
    let folder = try here.receive("x", at: "\(long)/inner", on: [])
    #expect(try here.place([folder]).unplaced.map(\.path).contains(path("\(long)/inner")))
    #expect(try here.saveAll().isEmpty)
  }

  @Test("a file is brought up to date in a conflict where it is unmodified, and what was seen is noted") func conflict()
    throws
  {
    let here = try TestRepository()
    let first = try #require(try here.save("one", at: "a.txt"))
    let mine = try #require(try here.save("mine", at: "a.txt"))
    let theirs = try here.receive("theirs", at: "a.txt", on: [first])
    #expect(try here.place([theirs]).replaced == [path("a.txt")])
    #expect(try here.read("a.txt") == "theirs")
    #expect(try here.row("a.txt")?.seen == [mine.id])
    let older = try here.receive("older", at: "a.txt", on: [first])
    let newest = try here.receive("newest", at: "a.txt", on: [theirs])
    #expect(try here.place([older, newest]).replaced == [path("a.txt")])
    #expect(Set(try here.row("a.txt")?.seen ?? []) == [mine.id, older.id])
    #expect(try here.saveAll().isEmpty)
  }

  @Test("content that isn't here is an error and harms no file") func notLocal() throws {
    let here = try TestRepository()
    let first = try #require(try here.save("one", at: "a.txt"))
    let missing = SHA256.hash([1, 2, 3])
    let version = try here.store.write(.none) { (transaction) throws(RepositoryError) in
      let content = StoredContent.present(missing, byteCount: 3)
      return try transaction.add(
        transaction.record(
          parents: [first], path: DocumentPath("a.txt"), kind: .file, content: content, size: 3, mode: 0o644,
          modificationTime: transaction.modificationTimeNow, origin: .save), content, isBase: false)
    }
    #expect(throws: RepositoryError.notLocal(missing)) { try here.place([version]) }
    #expect(try here.read("a.txt") == "one")
    #expect(try here.temporaries().isEmpty)
  }
}
