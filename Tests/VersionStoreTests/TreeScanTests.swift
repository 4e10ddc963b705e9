import Catalog
import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("Looking through the folder") struct TreeScanTests {
  private func scan(_ here: TestRepository, packages: [String] = []) throws -> TreeScan {
    try TreeScan(
      here.repository.tree, below: nil, packages: packages.compactMap { IgnorePattern(line: Array($0.utf8)) })
  }

  private func names(_ scan: TreeScan) -> [String] { scan.items.map { String(decoding: $0.path.bytes, as: UTF8.self) } }

  @Test("finds files, links and packages and follows no link") func kinds() throws {
    let here = try TestRepository()
    try here.write("a", to: "sub/a.txt")
    try here.write("b", to: "book.pages/index.xml")
    let outside = try TemporaryDirectory()
    try outside.write([1], to: "secret")
    try FileSystem.makeSymbolicLink(at: here.path("link"), target: outside.path.bytes)
    try FileSystem.makeSymbolicLink(at: here.path("loop"), target: Array(".".utf8))
    try FileSystem.makeSymbolicLink(at: here.path("dangling"), target: Array("nowhere".utf8))
    #expect(mkfifo(here.path("pipe"), 0o600) == 0)
    let found = try scan(here, packages: ["*.pages"])
    #expect(names(found) == ["book.pages", "dangling", "link", "loop", "sub/a.txt"])
    #expect(found.items[0].isPackage)
    #expect(found.notDocuments == [DocumentPath("pipe")])
    #expect(found.unreadable.isEmpty)
  }

  @Test("leaves other repositories inside alone") func nested() throws {
    let here = try TestRepository()
    try here.write("a", to: "mine.txt")
    try here.write("b", to: "other/b.txt")
    try FileSystem.makeFolder(at: here.path("other/.dver"))
    #expect(names(try scan(here)) == ["mine.txt"])
  }

  @Test("goes 1,100 folders deep, and what lies there is saved and restored") func deep() throws {
    let here = try TestRepository()
    let depth = 1100
    var folder = try FileDescriptor.open(here.directory.path, .readOnly, options: .directory)
    for _ in 0..<depth {
      try folder.makeFolder(Array("f".utf8))
      let inner = try folder.open(Array("f".utf8), .readOnly, options: .directory)
      folder = inner
    }
    try folder.open(Array("a".utf8), .writeOnly, options: .create).write(Array("deep".utf8))
    let path = String(repeating: "f/", count: depth) + "a"
    #expect(names(try scan(here)) == [path])
    let version = try #require(try here.saveAll().first)
    #expect(version.record.path == DocumentPath(path))
    try folder.remove(Array("a".utf8))
    let deletion = try #require(try here.saveAll().first)
    #expect(deletion.record.isDeletion)
    #expect(try here.repository.restore(version, at: DocumentPath(path), basis: .workingFile) != nil)
    #expect(try folder.open(Array("a".utf8), .readOnly).readAll(limit: 10) == Array("deep".utf8))
    #expect(try here.saveAll().isEmpty)
  }

  @Test("tells of folders that can't be looked into, and no deletion is recorded for what is in them (R4)")
  func unreadable() throws {
    let here = try TestRepository()
    try here.save("a", at: "sub/a.txt")
    try here.save("b", at: "b.txt")
    let calls = FaultInjection.run(.observing) { try? here.repository.save([nil], options: SaveOptions()) }.report.calls
    var seen = 0
    for code: Int32 in [13, 5] {
      for number in calls.indices where ["openat", "readdir", "fstatat", "open"].contains(calls[number].function) {
        let run = FaultInjection.run(.failing(call: number, errno: code)) { () throws(RepositoryError) in
          try here.repository.save([nil], options: SaveOptions(allowsMassDeletion: true))
        }
        if case .success(let report) = run.result {
          #expect(report.saved.isEmpty, "call \(number), \(calls[number]) made a version")
          if !report.unreadable.isEmpty { seen += 1 }
        }
      }
    }
    #expect(seen > 0)
    #expect(try here.current("sub/a.txt")?.record.isDeletion == false)
    #expect(try here.saveAll().isEmpty)
  }

  @Test("a folder or file that another user may not read is no deletion") func forbidden() throws {
    guard let asNobody = OtherUser() else {
      print("not tested: no way to give up the rights of root here")
      return
    }
    let here = try TestRepository()
    try here.save("a", at: "sub/a.txt")
    try here.save("b", at: "b.txt")
    try here.save("c", at: "c.txt")
    // The store is everybody's, so that only the documents are out of reach.
    _ = try ChildProcess.run(
      program: FilePath("chmod"), arguments: ["-R", "a+rwX"].map { Array($0.utf8) } + [here.directory.path.bytes])
    try here.saveAll()
    try here.write("changed again", to: "c.txt")
    for name in ["sub", "c.txt"] { try FileSystem.setPermissions(0o000, at: here.path(name)) }
    let report = try asNobody.run { try here.repository.save([nil], options: SaveOptions(allowsMassDeletion: true)) }
    #expect(report.saved.isEmpty)
    #expect(report.unreadable.map(\.path).contains(DocumentPath("c.txt")))
    #expect(report.unreadable.contains { $0.path == DocumentPath("sub") || $0.path == DocumentPath("sub/a.txt") })
    let status = try asNobody.run { try here.repository.status([nil]) }
    #expect(status.entries.allSatisfy { $0.change != .missing })
    try FileSystem.setPermissions(0o755, at: here.path("sub"))
    try FileSystem.setPermissions(0o644, at: here.path("c.txt"))
    #expect(try here.savedPaths().contains("c.txt"))
  }
}
