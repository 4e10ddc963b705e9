import Catalog
import TestSupport
import Testing
import Versioning

@Suite("Paths that were touched since an index was made") struct TouchedPathsTests {
  let catalog: CatalogDatabase
  private let id = [UInt8](repeating: 7, count: 16)

  init() throws {
    catalog = try .inMemory()
  }

  private func touched() throws -> [DocumentPath]? { try catalog.treeIndex()?.touched }

  @Test("are not noted where there is no index") func none() throws {
    var fixture = CatalogFixture(seed: 1)
    try catalog.setFile(fixture.file("a"))
    #expect(try catalog.treeIndex() == nil)
    try catalog.setTreeIndex(id)
    #expect(try catalog.treeIndex()?.id == id)
    #expect(try touched() == [])
  }

  @Test("are those of every file and document that changes, each once") func changes() throws {
    var fixture = CatalogFixture(seed: 2)
    let (kept, gone) = (fixture.row("doc/kept", family: 1), fixture.row("doc/gone", family: 2))
    let moved = fixture.row("doc/old", family: 3)
    for row in [kept, gone, moved] { try catalog.replaceDocuments(inFamily: row.family, with: [row]) }
    try catalog.setFile(fixture.file("file/removed"))
    try catalog.setTreeIndex(id)

    try catalog.replaceDocuments(inFamily: 1, with: [kept])
    #expect(try touched() == [])
    try catalog.replaceDocuments(inFamily: 2, with: [])
    try catalog.replaceDocuments(inFamily: 3, with: [fixture.row("doc/new", family: 3, document: moved.document)])
    try catalog.setFile(fixture.file("file/set"))
    try catalog.setFile(fixture.file("file/set"))
    try catalog.removeFile(at: "file/removed".asPath)
    try catalog.removeFile(at: "file/absent".asPath)
    let expected = ["doc/gone", "doc/new", "doc/old", "file/removed", "file/set"]
    #expect(try touched() == expected.map(\.asPath))
    try catalog.setTreeIndex(id)
    #expect(try touched() == [])
  }

  @Test("are forgotten with a transaction that fails, and with the index") func undone() throws {
    var fixture = CatalogFixture(seed: 3)
    try catalog.setTreeIndex(id)
    try? catalog.transaction { () throws(CatalogError) in
      try catalog.setFile(fixture.file("a"))
      try catalog.setTreeIndex(nil)
      throw .full
    }
    #expect(try touched() == [])
    try catalog.setFile(fixture.file("b"))
    #expect(try touched() == ["b".asPath])
    try catalog.setTreeIndex(nil)
    try catalog.setFile(fixture.file("c"))
    #expect(try catalog.treeIndex() == nil)
  }

  @Test("beyond some thousands in one change end the index") func many() throws {
    var fixture = CatalogFixture(seed: 4)
    try catalog.setTreeIndex(id)
    try catalog.transaction { () throws(CatalogError) in
      for number in 0..<4000 { try catalog.setFile(fixture.file("\(number)")) }
    }
    #expect(try touched()?.count == 4000)
    try catalog.transaction { () throws(CatalogError) in
      for number in 0..<5000 { try catalog.setFile(fixture.file("more/\(number)")) }
    }
    #expect(try catalog.treeIndex() == nil)
    try catalog.setTreeIndex(id)
    #expect(try touched() == [])
  }

  @Test("and all others are walked side by side with their documents") func walk() throws {
    var fixture = CatalogFixture(seed: 5)
    var expected: [String: (Bool, Int)] = [:]
    for number in 0..<700 {
      let path = "p\(number)"
      let (hasFile, count) = (number % 3 != 0, number % 5 == 0 ? 2 : number % 2)
      if hasFile { try catalog.setFile(fixture.file(path)) }
      for other in 0..<count {
        let family = Int64(10 * number + other + 1)
        try catalog.replaceDocuments(inFamily: family, with: [fixture.row(path, family: family)])
      }
      if hasFile || count > 0 { expected[path] = (hasFile, count) }
    }
    try catalog.replaceDocuments(inFamily: 9999, with: [fixture.row("gone", family: 9999, kind: .deleted)])
    var last: DocumentPath?
    try catalog.forEachPath(failure: { $0 }) { (path, file, documents) throws(CatalogError) in
      #expect(last.map { $0 < path } ?? true)
      last = path
      let found = expected.removeValue(forKey: String(decoding: path.bytes, as: UTF8.self))
      #expect(found?.0 == (file != nil))
      #expect(found?.1 == documents.count)
    }
    #expect(expected.isEmpty)
  }
}
