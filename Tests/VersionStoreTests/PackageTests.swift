import Catalog
import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("Packages") struct PackageTests {
  private func repository() throws -> TestRepository {
    let here = try TestRepository()
    try here.repository.setSetting(SettingKey.packages, to: Array("*.pages *.key".utf8))
    try here.write("<x/>", to: "a.pages/index.xml")
    try here.write("data", to: "a.pages/Data/1.bin")
    try FileSystem.makeFolder(at: here.path("a.pages/Empty"))
    try FileSystem.makeSymbolicLink(at: here.path("a.pages/link"), target: Array("index.xml".utf8))
    return here
  }

  @Test("are one document, saved and restored whole") func whole() throws {
    let here = try repository()
    let first = try #require(try here.saveAll().first)
    #expect(first.record.kind == .package)
    #expect(first.record.size == 8)
    #expect(try here.saveAll().isEmpty)
    try here.write("<y/>", to: "a.pages/index.xml")
    try FileSystem.removeTree(at: here.path("a.pages/Data"))
    try here.write("new", to: "a.pages/new/deep/x")
    let second = try #require(try here.saveAll().first)
    #expect(second.record.parents == [first.id])
    try here.repository.restore(first, at: DocumentPath("a.pages"), basis: .workingFile)
    #expect(try here.read("a.pages/index.xml") == "<x/>")
    #expect(try here.read("a.pages/Data/1.bin") == "data")
    #expect(try here.read("a.pages/new/deep/x") == nil)
    #expect(try here.status("a.pages/Empty").kind == .folder)
    #expect(try FileSystem.readLink(here.path("a.pages/link")) == Array("index.xml".utf8))
    #expect(try here.saveAll().isEmpty)
    try here.repository.restore(second, at: DocumentPath("a.pages"), basis: .workingFile)
    #expect(try here.read("a.pages/new/deep/x") == "new")
    #expect(try here.saveAll().isEmpty)
    #expect(try here.temporaries().isEmpty)
    #expect(try here.repository.verify(isQuick: false).damages == [])
  }

  @Test("make no version where only times changed, and one where a mode did (R15)") func times() throws {
    let here = try repository()
    let first = try #require(try here.saveAll().first)
    try FileSystem.setModificationTime(seconds: 5, nanoseconds: 0, at: here.path("a.pages/index.xml"))
    #expect(try here.saveAll().isEmpty)
    #expect(try here.repository.status([nil]).entries.isEmpty)
    #expect(try here.row("a.pages")?.base == [first.id])
    try FileSystem.setPermissions(0o755, at: here.path("a.pages/Data/1.bin"))
    #expect(try here.savedPaths() == ["a.pages"])
  }

  @Test("with changes are neither replaced nor removed") func changed() throws {
    let here = try repository()
    let first = try #require(try here.saveAll().first)
    try here.write("<z/>", to: "a.pages/index.xml")
    #expect(throws: RepositoryError.refused(.unsavedChanges(DocumentPath("a.pages")))) {
      try here.repository.restore(first, at: DocumentPath("a.pages"), basis: .workingFile)
    }
    #expect(throws: RepositoryError.refused(.unsavedChanges(DocumentPath("a.pages")))) {
      try here.repository.delete([DocumentPath("a.pages")], basis: .workingFile)
    }
    let deletion = try here.receive(nil, at: "a.pages", on: [first])
    #expect(try here.place([deletion]).left == [DocumentPath("a.pages")])
    #expect(try here.read("a.pages/index.xml") == "<z/>")
  }

  @Test("are deleted as a whole") func deleted() throws {
    let here = try repository()
    let first = try #require(try here.saveAll().first)
    try here.save("x", at: "x.txt")
    let made = try here.repository.delete([DocumentPath("a.pages")], basis: .workingFile)
    #expect(made.first?.record.parents == [first.id])
    #expect(try here.directory.names() == [Array(".dver".utf8), Array("x.txt".utf8)])
    #expect(try here.saveAll().isEmpty)
    try here.repository.restore(first, at: DocumentPath("a.pages"), basis: .workingFile)
    #expect(try here.read("a.pages/Data/1.bin") == "data")
  }

  @Test("nested 1,200 folders deep can be saved") func deep() throws {
    let here = try repository()
    var folder = try FileDescriptor.open(here.path("a.pages"), .readOnly, options: .directory)
    for _ in 0..<1200 {
      try folder.makeFolder([UInt8(ascii: "f")])
      let inner = try folder.open([UInt8(ascii: "f")], .readOnly, options: .directory)
      folder = inner
    }
    try folder.open([UInt8(ascii: "x")], .writeOnly, options: .create).write([1])
    #expect(try here.savedPaths() == ["a.pages"])
    #expect(try here.saveAll().isEmpty)
  }
}
