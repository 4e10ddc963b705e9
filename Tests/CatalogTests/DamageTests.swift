import Hashing
import SystemIO
import TestSupport
import Testing
import Versioning

@testable import Catalog

@Suite("A damaged catalog") struct DamageTests {
  let folder: TemporaryDirectory
  let path: FilePath
  let original: [UInt8]
  let documents: [DocumentRow]
  let files: [FileRow]

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.appending("c")
    var fixture = CatalogFixture(seed: 1)
    do {
      let catalog = try CatalogDatabase(.file(path, isOnNetwork: false), isReadOnly: false)
      for index in 0..<60 { try fixture.save("folder/\(index % 20)", in: catalog) }
      for (family, kind) in [(100, VersionKind.deleted), (101, .file), (102, .file)] as [(Int64, VersionKind)] {
        try catalog.replaceDocuments(
          inFamily: family, with: [fixture.row("folder/same", family: family, kind: kind, hasConflict: true)])
      }
      try catalog.setSeenLog(of: fixture.device, number: 7, entry: fixture.object())
      try catalog.setRemotePosition(remote: [1], device: fixture.device, 9)
      try catalog.setMeta("key", [1, 2, 3])
      documents = try catalog.allDocuments(includingDeleted: true)
      files = try catalog.allFiles()
      catalog.connection.checkpoint()
    }
    original = try FileSystem.read(path, limit: 1 << 20)
  }

  /// Asks everything of a database with these bytes; an answer is the right one, or none, or an error is thrown.
  private func check(_ bytes: [UInt8], _ log: [UInt8]? = nil) throws {
    try CatalogDatabase.delete(at: path)
    try AtomicFile.write(bytes, to: path, isDurable: false)
    if let log { try AtomicFile.write(log, to: folder.appending("c-wal"), isDurable: false) }
    let catalog: CatalogDatabase
    do throws(CatalogError) {
      catalog = try CatalogDatabase(.file(path, isOnNetwork: false), isReadOnly: false)
    } catch { return }
    for file in files { expect(file) { () throws(CatalogError) in try catalog.file(at: file.path) } }
    for document in documents {
      expect(document) { () throws(CatalogError) in try catalog.document(document.document) }
      expectAll { () throws(CatalogError) in try catalog.documents(inFamily: document.family) }
      expectAll { () throws(CatalogError) in try catalog.documents(claiming: document.path) }
      expectAll { () throws(CatalogError) in try catalog.documents(deletedAt: document.path) }
      _ = try? catalog.records(inFamily: document.family)
    }
    expectAll { () throws(CatalogError) in try catalog.conflictedDocuments() }
    let device = DeviceID(high: 7, low: 9)
    expect(7) { () throws(CatalogError) in try catalog.seenLog(of: device)?.number }
    expect(9) { () throws(CatalogError) in try catalog.remotePosition(remote: [1], device: device) }
    expect([1, 2, 3]) { () throws(CatalogError) in try catalog.meta("key") }
    expect(UInt64(64 + 60 * 700)) { () throws(CatalogError) in
      try catalog.pack(named: .active(device, 1))?.absorbedByteCount
    }
    _ = try? catalog.records(prefixes: 0 ... .max, limit: .max)
    _ = try? catalog.operations(limit: 100)
    _ = try? catalog.contestedPaths()
    _ = try? catalog.allDocuments(includingDeleted: true)
    _ = try? catalog.allFiles()
    // Writing on must not trap either.
    var fixture = CatalogFixture(seed: 2)
    try? fixture.save("folder/3", in: catalog)
    try? catalog.removePack(1)
    try? catalog.joinFamilies([1, 2, 3], with: [], into: 4)
  }

  private func expect<Answer: Equatable>(_ right: Answer, _ ask: () throws(CatalogError) -> Answer?) {
    guard let answer = try? ask() else { return }
    #expect(answer == right)
  }

  private func expectAll(_ ask: () throws(CatalogError) -> [DocumentRow]) {
    for row in (try? ask()) ?? [] { #expect(documents.contains(row)) }
  }

  @Test("answers right when it isn't")
  func intact() throws {
    try check(original)
    try CatalogDatabase.delete(at: path)
    try AtomicFile.write(original, to: path)
    let catalog = try CatalogDatabase(.file(path, isOnNetwork: false), isReadOnly: false)
    #expect(try catalog.allDocuments(includingDeleted: true) == documents)
    #expect(try catalog.allFiles() == files)
    #expect(documents.count == 23)
  }

  @Test("throws or answers right where it was cut")
  func cut() throws {
    for length in stride(from: 0, to: original.count, by: 256) { try check(Array(original[..<length])) }
    for length in 1...110 { try check(Array(original[..<length])) }
  }

  @Test("throws or answers right where bytes were flipped", arguments: 0..<4 as Range<UInt64>)
  func flipped(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<25 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...40, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      }
      try check(bytes)
    }
  }

  @Test("throws or answers right where it was written over", arguments: [0x00, 0xFF, 0x41] as [UInt8])
  func overwritten(filling: UInt8) throws {
    for start in stride(from: 0, to: original.count, by: 613) {
      var bytes = original
      for index in start..<min(start + 128, bytes.count) { bytes[index] = filling }
      try check(bytes)
    }
  }

  @Test("throws or answers right where its pages changed places", arguments: 0..<3 as Range<UInt64>)
  func swapped(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let pageByteCount = CatalogSchema.pageByteCount
    for _ in 0..<20 {
      var bytes = original
      let from = Int.random(in: 1..<bytes.count / pageByteCount, using: &generator) * pageByteCount
      let to = Int.random(in: 1..<bytes.count / pageByteCount, using: &generator) * pageByteCount
      bytes.replaceSubrange(to..<to + pageByteCount, with: original[from..<from + pageByteCount])
      try check(bytes)
    }
  }

  @Test("takes a log that is none for an empty one", arguments: 0..<3 as Range<UInt64>)
  func foreignLog(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    try check(original, (0..<5000).map { _ in UInt8.random(in: 0...255, using: &generator) })
    try check([], original)
  }
}
