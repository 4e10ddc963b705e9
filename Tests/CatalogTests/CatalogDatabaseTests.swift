import Hashing
import SystemIO
import TestSupport
import Testing
import Versioning

@testable import Catalog

@Suite("The catalog's database") struct CatalogDatabaseTests {
  private struct OtherError: Error, Equatable {
    var cause: CatalogError?
  }

  let folder: TemporaryDirectory
  let path: FilePath

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.appending("catalog.sqlite")
  }

  private func open(isReadOnly: Bool = false, isOnNetwork: Bool = false) throws -> CatalogDatabase {
    try CatalogDatabase(.file(path, isOnNetwork: isOnNetwork), isReadOnly: isReadOnly)
  }

  @Test("keeps its rows when it is opened again", arguments: [false, true])
  func keeps(isOnNetwork: Bool) throws {
    try open(isOnNetwork: isOnNetwork).setMeta("key", [1, 2, 3])
    #expect(try open(isOnNetwork: isOnNetwork).meta("key") == [1, 2, 3])
    #expect(try open(isReadOnly: true, isOnNetwork: isOnNetwork).meta("key") == [1, 2, 3])
    let names = try Set(folder.names())
    #expect(names.contains("catalog.sqlite-wal".asBytes) == !isOnNetwork)
  }

  @Test("works in memory, read only too", arguments: [false, true])
  func memory(isReadOnly: Bool) throws {
    let catalog = try CatalogDatabase(.memory, isReadOnly: isReadOnly)
    #expect(try catalog.meta("key") == nil)
    try catalog.setMeta("key", [])
    #expect(try catalog.meta("key") == [])
  }

  @Test("that is only read is not created")
  func missing() throws {
    #expect(throws: CatalogError.self) { try open(isReadOnly: true) }
    #expect(try folder.names().isEmpty)
  }

  @Test("that is only read can't be changed")
  func readOnly() throws {
    _ = try open()
    let catalog = try open(isReadOnly: true)
    #expect(throws: CatalogError.self) { try catalog.setMeta("key", [1]) }
  }

  @Test("of another version is unusable")
  func otherVersion() throws {
    try open().connection.evaluate("PRAGMA user_version=99")
    #expect(throws: CatalogError.unusable("schema 99")) { try open() }
    #expect(throws: CatalogError.unusable("schema 99")) { try open(isReadOnly: true) }
  }

  @Test("knows that its file was deleted, or another stands there") func detached() throws {
    try #expect(!CatalogDatabase(.memory, isReadOnly: false).isDetached)
    let database = try open()
    #expect(!database.isDetached)
    try CatalogDatabase.delete(at: path)
    #expect(database.isDetached)
    let other = try open()
    #expect(database.isDetached)
    #expect(!other.isDetached)
  }

  @Test("that is no database is unusable, and works again when it was deleted")
  func noDatabase() throws {
    try AtomicFile.write(Array(repeating: UInt8(ascii: "x"), count: 5000), to: path)
    let error = #expect(throws: CatalogError.self) { try open() }
    guard case .unusable = error else { throw OtherError(cause: error) }
    try CatalogDatabase.delete(at: path)
    #expect(try folder.names().isEmpty)
    try CatalogDatabase.delete(at: path)
    #expect(try open().packs().isEmpty)
  }

  @Test(
    "has a name that is a path and nothing else",
    arguments: [("/a", "/a"), ("file:a?mode=memory", "./file:a?mode=memory"), (":memory:", "./:memory:")])
  func names(path: String, name: String) {
    #expect(CatalogDatabase.databaseName(FilePath(path)) == name.asBytes)
  }

  @Test("makes all changes of a transaction, or none")
  func rollsBack() throws {
    let catalog = try open()
    #expect(throws: CatalogError.busy) {
      try catalog.transaction { () throws(CatalogError) in
        try catalog.setMeta("key", [1])
        _ = try catalog.newFamily()
        throw CatalogError.busy
      }
    }
    #expect(try catalog.meta("key") == nil)
    #expect(try catalog.newFamily() == 1)
    let result = try catalog.transaction { () throws(CatalogError) in
      try catalog.setMeta("key", [2])
      return 5
    }
    #expect(result == 5)
    #expect(try open().meta("key") == [2])
  }

  @Test("passes on an error of the body's own, and rolls back")
  func otherErrors() throws {
    let catalog = try open()
    #expect(throws: OtherError(cause: nil)) {
      try catalog.transaction(failure: { OtherError(cause: $0) }) { () throws(OtherError) in
        do throws(CatalogError) { try catalog.setMeta("key", [1]) } catch { throw OtherError(cause: error) }
        throw OtherError(cause: nil)
      }
    }
    #expect(try catalog.meta("key") == nil)
    let second = try open()
    second.connection.wait(milliseconds: 0)
    try catalog.transaction { () throws(CatalogError) in
      #expect(throws: OtherError(cause: .busy)) {
        try second.transaction(failure: { OtherError(cause: $0) }) { () throws(OtherError) in }
      }
    }
  }

  @Test("rolls an inner transaction back with the outer one")
  func nested() throws {
    let catalog = try CatalogDatabase.inMemory()
    #expect(throws: CatalogError.busy) {
      try catalog.transaction { () throws(CatalogError) in
        try catalog.transaction { () throws(CatalogError) in try catalog.setMeta("key", [1]) }
        #expect(try catalog.meta("key") == [1])
        throw CatalogError.busy
      }
    }
    #expect(try catalog.meta("key") == nil)
  }

  @Test("shows a reader the old state while another writes, and in a snapshot afterwards")
  func twoConnections() throws {
    let writer = try open()
    try writer.setMeta("key", [1])
    let reader = try open(isReadOnly: true)
    try writer.transaction { () throws(CatalogError) in
      try writer.setMeta("key", [2])
      #expect(try reader.meta("key") == [1])
    }
    #expect(try reader.meta("key") == [2])
    try reader.snapshot { () throws(CatalogError) in
      #expect(try reader.meta("key") == [2])
      try writer.setMeta("key", [3])
      #expect(try reader.meta("key") == [2])
    }
    #expect(try reader.meta("key") == [3])
  }

  @Test("says that it is busy where another writes")
  func busy() throws {
    let first = try open()
    let second = try open()
    second.connection.wait(milliseconds: 0)
    try first.transaction { () throws(CatalogError) in
      #expect(throws: CatalogError.busy) { try second.setMeta("key", [1]) }
    }
    try second.setMeta("key", [1])
  }

  @Test("leaves nothing beside its file where its log was emptied last and nobody else has it open")
  func emptiedLog() throws {
    func names() throws -> [String] {
      try folder.names().map { String(decoding: $0, as: UTF8.self) }.filter { $0.hasPrefix("catalog") }
    }
    func emptyAndClose(after: (CatalogDatabase) throws -> Void) throws {
      let catalog = try open()
      try catalog.setMeta("key", [1])
      catalog.emptyLog()
      try after(catalog)
    }
    try emptyAndClose { _ in }
    #expect(try names().count == 1)
    try emptyAndClose { try $0.setMeta("key", [2]) }
    #expect(try names().count == 3)
    let other = try open()
    #expect(try other.meta("key") == [2])
    try emptyAndClose { _ in }
    #expect(try names().count == 3)
    #expect(try other.meta("key") == [1])
  }

  @Test("stays small, and moves its log seldom, over 1,000 saves of one document")
  func size() throws {
    var fixture = CatalogFixture(seed: 1)
    var greatest: UInt64 = 0
    var checkpointCount = 0
    for _ in 0..<1000 {
      // As a program for each save does it.
      let catalog = try open()
      try fixture.save("papers/2024/letters/draft.txt", in: catalog)
      checkpointCount += catalog.checkpointCount
      greatest = max(greatest, try byteCount())
    }
    #expect(try FileStatus.of(path).size < 64_000)
    #expect(try byteCount() < 180_000)
    #expect(greatest < 185_000)
    #expect((1...50).contains(checkpointCount))
    let catalog = try open()
    #expect(try catalog.recordCount() == 1000)
    #expect(try catalog.document(catalog.allDocuments()[0].document)?.versionCount == 1000)
  }

  @Test("moves its log although a reader was in the way before")
  func checkpointAfterReader() throws {
    var fixture = CatalogFixture(seed: 2)
    let catalog = try open()
    try fixture.save("a", in: catalog)
    let reader = try open(isReadOnly: true)
    try reader.snapshot { () throws(CatalogError) in
      _ = try reader.packs()
      do { for _ in 0..<60 { try fixture.save("a", in: catalog) } } catch { Issue.record(error) }
    }
    #expect(try FileStatus.of(folder.appending("catalog.sqlite-wal")).size > 100_000)
    try fixture.save("a", in: catalog)
    #expect(try FileStatus.of(folder.appending("catalog.sqlite-wal")).size == 0)
  }

  private func byteCount() throws -> UInt64 {
    try FileStatus.of(path).size + FileStatus.of(folder.appending("catalog.sqlite-wal")).size
  }
}
