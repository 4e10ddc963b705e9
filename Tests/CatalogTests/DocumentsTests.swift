import Catalog
import Hashing
import TestSupport
import Testing
import Versioning

@Suite("Documents in the catalog") struct DocumentsTests {
  let catalog: CatalogDatabase

  init() throws {
    catalog = try .inMemory()
  }

  @Test("are found by family, id and path")
  func found() throws {
    var fixture = CatalogFixture(seed: 1)
    let first = fixture.row("folder/a", family: 1)
    let second = fixture.row("folder/b", family: 1)
    let third = fixture.row("folder", family: 300)
    try catalog.replaceDocuments(inFamily: 1, with: [first, second])
    try catalog.replaceDocuments(inFamily: 300, with: [third])
    #expect(try Set(catalog.documents(inFamily: 1)) == [first, second])
    #expect(try catalog.documents(inFamily: 300) == [third])
    #expect(try catalog.documents(inFamily: 2).isEmpty)
    for row in [first, second, third] {
      #expect(try catalog.document(row.document) == row)
      #expect(try catalog.documents(claiming: row.path) == [row])
      #expect(try catalog.documents(deletedAt: row.path).isEmpty)
    }
    #expect(try catalog.document(fixture.document()) == nil)
    #expect(try catalog.documents(claiming: "folde".asPath).isEmpty)
  }

  @Test("keep all their heads, in order, with whatever bytes the paths and messages have")
  func heads() throws {
    var fixture = CatalogFixture(seed: 2)
    let id = fixture.document()
    var record = fixture.version("x", document: id).record
    record.path = DocumentPath([0xFF, 0x2F, 0x01, 0xC3])!
    record.message = Array(repeating: 0xFE, count: 3000)
    let heads =
      [Version(id: Record.version(record).id, record: record)]
      + (0..<40).map { fixture.version("y\($0)", document: id) } + [fixture.version("z", document: id, kind: .deleted)]
    let row = DocumentRow(
      document: id, family: .max, heads: heads, isPlain: false, hasConflict: true, versionCount: 12_345)
    try catalog.replaceDocuments(inFamily: .max, with: [row])
    #expect(try catalog.document(id) == row)
    #expect(try catalog.documents(claiming: record.path) == [row])
    #expect(try catalog.conflictedDocuments() == [row])
  }

  @Test("are replaced as a whole: renamed, deleted, in conflict, gone")
  func replaced() throws {
    var fixture = CatalogFixture(seed: 3)
    let id = fixture.document()
    let other = fixture.row("b", family: 1)
    try catalog.replaceDocuments(inFamily: 1, with: [fixture.row("a", family: 1, document: id), other])
    let renamed = fixture.row("c", family: 1, document: id, hasConflict: true)
    try catalog.replaceDocuments(inFamily: 1, with: [other, renamed])
    #expect(try catalog.documents(claiming: "a".asPath).isEmpty)
    #expect(try catalog.documents(claiming: "c".asPath) == [renamed])
    #expect(try catalog.conflictedDocuments() == [renamed])
    let deleted = fixture.row("c", family: 1, document: id, kind: .deleted)
    try catalog.replaceDocuments(inFamily: 1, with: [deleted])
    #expect(try catalog.documents(claiming: "c".asPath).isEmpty)
    #expect(try catalog.documents(deletedAt: "c".asPath) == [deleted])
    #expect(try catalog.conflictedDocuments().isEmpty)
    #expect(try catalog.document(other.document) == nil)
    #expect(try catalog.documents(claiming: "b".asPath).isEmpty)
    #expect(try catalog.allDocuments().isEmpty)
    #expect(try catalog.allDocuments(includingDeleted: true) == [deleted])
    try catalog.replaceDocuments(inFamily: 1, with: [])
    #expect(try catalog.allDocuments(includingDeleted: true).isEmpty)
  }

  @Test("contest a path while two or more claim it")
  func contested() throws {
    var fixture = CatalogFixture(seed: 4)
    let first = fixture.row("same/path", family: 1)
    let second = fixture.row("same/path", family: 2)
    let third = fixture.row("same/path", family: 3)
    try catalog.replaceDocuments(inFamily: 1, with: [first])
    #expect(try catalog.contestedPaths().isEmpty)
    try catalog.replaceDocuments(inFamily: 2, with: [second])
    try catalog.replaceDocuments(inFamily: 3, with: [third])
    try catalog.replaceDocuments(inFamily: 4, with: [fixture.row("same/path", family: 4, kind: .deleted)])
    #expect(try catalog.contestedPaths() == ["same/path".asPath])
    #expect(try Set(catalog.documents(claiming: "same/path".asPath)) == [first, second, third])
    try catalog.replaceDocuments(inFamily: 1, with: [])
    #expect(try catalog.contestedPaths() == ["same/path".asPath])
    let away = fixture.row("elsewhere", family: 2, document: second.document)
    try catalog.replaceDocuments(inFamily: 2, with: [away])
    #expect(try catalog.contestedPaths().isEmpty)
  }

  @Test("move with their families")
  func joined() throws {
    var fixture = CatalogFixture(seed: 5)
    let first = fixture.row("a", family: 1)
    let second = fixture.row("b", family: 2, hasConflict: true)
    try catalog.replaceDocuments(inFamily: 1, with: [first])
    try catalog.replaceDocuments(inFamily: 2, with: [second])
    try catalog.joinFamilies([2], with: [], into: 1)
    #expect(try catalog.documents(inFamily: 2).isEmpty)
    #expect(try Set(catalog.documents(inFamily: 1).map(\.document)) == [first.document, second.document])
    #expect(try catalog.document(second.document)?.family == 1)
    #expect(try catalog.conflictedDocuments().map(\.document) == [second.document])
  }

  @Test("come in the order of their paths, below a folder only those in it")
  func walk() throws {
    var fixture = CatalogFixture(seed: 6)
    let paths = ["a", "a!", "a/b", "a/b/c", "a0", "b"] + (0..<400).map { "many/\(1000 + $0)" }
    for (index, path) in paths.shuffled(using: &fixture.generator).enumerated() {
      try catalog.replaceDocuments(inFamily: Int64(index), with: [fixture.row(path, family: Int64(index))])
    }
    #expect(try catalog.allDocuments().map(\.path) == paths.map(\.asPath))
    #expect(try catalog.allDocuments(below: "a").map(\.path) == ["a/b".asPath, "a/b/c".asPath])
    #expect(try catalog.allDocuments(below: "many").count == 400)
    #expect(try catalog.allDocuments(below: "mani").isEmpty)
  }

  @Test("can be changed while they are walked through")
  func changedInWalk() throws {
    var fixture = CatalogFixture(seed: 7)
    for family in 1...500 as ClosedRange<Int64> {
      try catalog.replaceDocuments(inFamily: family, with: [fixture.row("p\(family)", family: family)])
    }
    var count = 0
    try catalog.forEachDocument(below: nil) { (row) throws(CatalogError) in
      count += 1
      try catalog.replaceDocuments(inFamily: row.family, with: [])
    }
    #expect(count == 500)
    #expect(try catalog.allDocuments().isEmpty)
  }

  @Test("agree with a plain list after any changes", arguments: 0..<20 as Range<UInt64>)
  func model(seed: UInt64) throws {
    var fixture = CatalogFixture(seed: seed)
    var families: [Int64: [DocumentRow]] = [:]
    let ids = (0..<6).map { _ in fixture.document() }
    for _ in 0..<60 {
      let family = Int64.random(in: 1...3, using: &fixture.generator)
      // An id stays in one family here.
      let rows = ids.filter { $0.low % 3 == UInt64(family - 1) && Bool.random(using: &fixture.generator) }.map { id in
        fixture.row(
          ["a", "a/b", "c"].randomElement(using: &fixture.generator) ?? "a", family: family, document: id,
          kind: Bool.random(using: &fixture.generator) ? .file : .deleted,
          hasConflict: Bool.random(using: &fixture.generator))
      }
      families[family] = rows
      try catalog.replaceDocuments(inFamily: family, with: rows)
    }
    let all = families.values.flatMap { $0 }
    for path in ["a", "a/b", "c"].map(\.asPath) {
      let here = all.filter { $0.path == path }
      #expect(try Set(catalog.documents(claiming: path)) == Set(here.filter { !$0.isDeleted }))
      #expect(try Set(catalog.documents(deletedAt: path)) == Set(here.filter { $0.isDeleted }))
      #expect(try catalog.contestedPaths().contains(path) == (here.filter { !$0.isDeleted }.count > 1))
    }
    #expect(try Set(catalog.conflictedDocuments()) == Set(all.filter(\.hasConflict)))
    #expect(try Set(catalog.allDocuments(includingDeleted: true)) == Set(all))
    for id in ids { #expect(try catalog.document(id) == all.first { $0.document == id }) }
  }
}
