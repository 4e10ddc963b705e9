import Catalog
import Hashing
import TestSupport
import Testing
import Versioning

@Suite("Working files in the catalog") struct FilesTests {
  let catalog: CatalogDatabase

  init() throws {
    catalog = try .inMemory()
  }

  @Test("keep every field")
  func fields() throws {
    var fixture = CatalogFixture(seed: 1)
    let plain = fixture.file("plain")
    var bare = FileRow(
      path: "bare".asPath, base: [], seen: [], status: nil, content: nil, mode: 0, kind: .symbolicLink)
    let odd = FileRow(
      path: DocumentPath(Array(repeating: 0xFF, count: 65_536))!, base: (0..<3).map { _ in fixture.record() },
      seen: (0..<50).map { _ in fixture.record() },
      status: CachedStatus(
        size: .max, modificationSeconds: .min, modificationNanoseconds: .max, changeSeconds: .max,
        changeNanoseconds: 0, inode: .max, device: .max, checkedAt: .min), content: fixture.object(), mode: .max,
      kind: .package, unplacedReason: 255, spelling: [0xC3, 0x28])
    for row in [plain, bare, odd] {
      try catalog.setFile(row)
      #expect(try catalog.file(at: row.path) == row)
    }
    bare.unplacedReason = 0
    try catalog.setFile(bare)
    #expect(try catalog.file(at: bare.path) == bare)
    #expect(try catalog.fileCount() == 3)
    #expect(try catalog.allFiles() == [bare, plain, odd])
  }

  @Test("are removed, whether they are there or not")
  func removed() throws {
    var fixture = CatalogFixture(seed: 2)
    try catalog.setFile(fixture.file("a"))
    let other = fixture.file("a/b")
    try catalog.setFile(other)
    try catalog.removeFile(at: "a".asPath)
    try catalog.removeFile(at: "a".asPath)
    #expect(try catalog.file(at: "a".asPath) == nil)
    #expect(try catalog.allFiles() == [other])
  }

  @Test("come in the order of their paths, below a folder only those in it")
  func walk() throws {
    var fixture = CatalogFixture(seed: 3)
    let rows = ["a", "a!", "a/b", "a/c/d", "a0"].map { fixture.file($0) } + (0..<300).map { fixture.file("b/\($0)") }
    for row in rows.shuffled(using: &fixture.generator) { try catalog.setFile(row) }
    #expect(try catalog.allFiles() == rows.sorted { $0.path < $1.path })
    #expect(try catalog.allFiles(below: "a") == [rows[2], rows[3]])
    #expect(try catalog.allFiles(below: "b").count == 300)
    #expect(try catalog.allFiles(below: "c").isEmpty)
  }

  @Test("stop being walked through when the body throws, and the database goes on")
  func throwingWalk() throws {
    struct Enough: Error {}
    var fixture = CatalogFixture(seed: 4)
    for name in ["a", "b", "c"] { try catalog.setFile(fixture.file(name)) }
    var count = 0
    #expect(throws: Enough.self) {
      try catalog.forEachFile(below: nil, failure: { _ in Enough() }) { (_) throws(Enough) in
        count += 1
        throw Enough()
      }
    }
    #expect(count == 1)
    #expect(try catalog.fileCount() == 3)
  }
}
