import Catalog
import DocumentMerging
import Hashing
import Merging
import ObjectStorage
import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("Zip documents in a repository") struct ZipDocumentTests {
  private static func xml(_ paragraphs: [String]) -> [UInt8] {
    let text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<d>"
      + paragraphs.enumerated().map { "<p style=\"Standard\" n=\"\($0.offset)\">\($0.element)</p>" }.joined() + "</d>"
    return Array(text.utf8)
  }

  private static let paragraphs = (0..<60).map { "Paragraph \($0) says \($0 * $0 * 7919) and no more." }

  private static func document(_ paragraphs: [String] = paragraphs, modified: UInt32 = 0x5A21_6000) -> [UInt8] {
    var archive = TestArchive.document(xml(paragraphs), modified: modified)
    archive.members[5].content = xml(["about"])
    return archive.bytes
  }

  /// The document after some edits, with the time of each.
  private static func edited(_ count: Int) -> [[UInt8]] {
    (0..<count).map { number in
      var changed = paragraphs
      for edit in 0..<number { changed[edit * 3 % changed.count] += " Edit \(edit)." }
      return document(changed, modified: 0x5A21_6000 + UInt32(number))
    }
  }

  private func save(_ bytes: [UInt8], at path: String, in here: TestRepository) throws -> Version {
    try here.write(bytes, to: path)
    here.clock.advance(1000)
    return try #require(try here.repository.save([DocumentPath(path)], options: SaveOptions()).saved.first)
  }

  private func size(_ here: TestRepository) throws -> UInt64 {
    try here.store.catalog.packs().reduce(0) { $0 + $1.absorbedByteCount }
  }

  private func isArchive(_ version: Version, _ repository: Repository) throws -> Bool {
    let id = try #require(version.record.content)
    return try repository.store.objects.info(of: id).map(\.entry.kind) == [.archive]
  }

  private func check(_ versions: [Version], _ contents: [[UInt8]], _ repository: Repository) throws {
    for (version, bytes) in zip(versions, contents) {
      #expect(version.record.size == UInt64(bytes.count))
      #expect(try repository.content(of: version, at: version.record.path) == bytes)
      #expect(try isArchive(version, repository))
    }
    #expect(try repository.verify(isQuick: false).damages == [])
    #expect(try repository.verify(isQuick: true).damages == [])
  }

  @Test("are saved by their members, restored as they were, and cost little at each save") func saving() throws {
    let here = try TestRepository()
    let contents = Self.edited(70)
    var versions: [Version] = []
    var sizes: [UInt64] = []
    for bytes in contents {
      versions.append(try save(bytes, at: "a.odt", in: here))
      sizes.append(try size(here))
    }
    try check(versions, contents, here.repository)
    let steps = zip(sizes, sizes.dropFirst()).map { $1 - $0 }
    #expect(steps.allSatisfy { $0 < 900 }, "\(steps)")
    try here.repository.restore(versions[3], at: DocumentPath("a.odt"), basis: .workingFile)
    #expect(try here.bytes("a.odt") == contents[3])
    #expect(try here.saveAll().isEmpty)
    try here.store.rebuild()
    try check(versions, contents, here.repository)
    _ = try here.store.withLock { () throws(RepositoryError) in try here.store.seal() }
    try check(versions, contents, here.repository)
    let before = try size(here)
    let next = try save(Self.document(modified: 7), at: "a.odt", in: here)
    try check([next], [Self.document(modified: 7)], here.repository)
    // Against what is in the sealed pack.
    #expect(try size(here) - before < 2500)
  }

  @Test("are compacted with all that they are made of, again and again") func compacting() throws {
    let here = try TestRepository()
    let contents = Self.edited(24)
    var versions: [Version] = []
    for (number, bytes) in contents.enumerated() {
      versions.append(try save(bytes, at: number.isMultiple(of: 2) ? "a.odt" : "b.odt", in: here))
      if number % 7 == 6 { _ = try here.store.withLock { () throws(RepositoryError) in try here.store.seal() } }
      if number == 15 {
        #expect(try here.store.compact().replaced > 0)
        try check(versions, contents, here.repository)
      }
    }
    let before = try size(here)
    #expect(try here.store.compact().replaced > 0)
    #expect(try size(here) < before)
    try check(versions, contents, here.repository)
    try here.store.rebuild()
    try check(versions, contents, here.repository)
    let next = try save(Self.document(modified: 7), at: "a.odt", in: here)
    try check(versions + [next], contents + [Self.document(modified: 7)], here.repository)
  }

  @Test("share their pictures, whatever the document or its format") func sharing() throws {
    let here = try TestRepository()
    _ = try save(Self.document(), at: "a.odt", in: here)
    let before = try size(here)
    let docx = TestArchive([
      .init("[Content_Types].xml", Self.xml(Self.paragraphs.reversed())),
      .init("word/media/image1.png", TestArchive.noise(6000, seed: 77)),
    ]).bytes
    let version = try save(docx, at: "a.docx", in: here)
    #expect(try size(here) - before < 3500)
    try check([version], [docx], here.repository)
  }

  @Test("are not saved quickly, and what was is gone on from rightly") func quickSaves() throws {
    let here = try TestRepository()
    try here.save("a text", at: "a.odt")
    for (number, bytes) in Self.edited(3).enumerated() {
      try here.write(bytes, to: "a.odt")
      here.clock.advance(1000)
      guard case .declined = try here.saveQuickly("a.odt") else {
        Issue.record("a zip document was saved quickly, \(number)")
        continue
      }
      _ = try save(bytes, at: "a.odt", in: here)
    }
    try here.save("a text again", at: "a.odt")
    _ = try here.saveQuickly("and quickly", at: "a.odt")
    try here.reopen()
    #expect(try here.current("a.odt").map { try here.content(of: $0) } == "and quickly")
    #expect(try here.repository.verify(isQuick: false).damages == [])
  }

  @Test("of more than 4 MiB are saved by their members too, and those of more than 64 MiB in chunks") func large()
    throws
  {
    let here = try TestRepository()
    var archive = TestArchive.document(Self.xml(Self.paragraphs))
    archive.members[1].content = TestArchive.noise(5 << 20, seed: 3)
    let first = archive.bytes
    archive.members[2].content = Self.xml(["something else"] + Self.paragraphs)
    let second = archive.bytes
    let version = try save(first, at: "a.odt", in: here)
    let before = try size(here)
    let next = try save(second, at: "a.odt", in: here)
    #expect(try size(here) - before < 1000)
    try check([version, next], [first, second], here.repository)
  }

  @Test("are stored as they are in a pack that an earlier dver began") func earlierPack() throws {
    let here = try TestRepository()
    try here.save("one", at: "a.txt")
    let pack = try #require(here.store.privateLayout).activePack(1)
    var bytes = try FileSystem.read(pack, limit: 1 << 20)
    let header = PackFormat.encode(
      PackHeader(isSealed: false, device: try #require(here.store.device).bytes, version: 1))
    bytes.replaceSubrange(..<header.count, with: header)
    try FileDescriptor.open(pack, .writeOnly).write(bytes)
    try here.reopen()
    let plain = try save(Self.document(), at: "a.odt", in: here)
    #expect(try !isArchive(plain, here.repository))
    #expect(try here.repository.content(of: plain, at: plain.record.path) == Self.document())
    _ = try here.store.withLock { () throws(RepositoryError) in try here.store.seal() }
    let next = try save(Self.edited(2)[1], at: "a.odt", in: here)
    try check([next], [Self.edited(2)[1]], here.repository)
  }

  @Test("are merged as before where both sides are stored by members") func merging() throws {
    let here = try TestRepository()
    let base = try save(Self.document(), at: "a.odt", in: here)
    var (ours, theirs) = (Self.paragraphs, Self.paragraphs)
    ours[3] = "Changed here."
    theirs[40] = "Changed there."
    let mine = Self.document(ours, modified: 0x5A21_6100)
    _ = try save(mine, at: "a.odt", in: here)
    here.clock.advance(1000)
    let arrived = Self.document(theirs, modified: 0x5A21_6200)
    let other = try here.store.write(.none) { (transaction) throws(RepositoryError) in
      let content = try transaction.content(arrived, id: SHA256.hash(arrived), after: base)
      var record = transaction.record(
        parents: [base], path: base.record.path, kind: .file, content: content, size: UInt64(arrived.count),
        mode: 0o644, modificationTime: transaction.modificationTimeNow, origin: .save)
      record.device = DeviceID(high: 0xD2, low: 0xD2)
      return try transaction.add(record, content, isBase: false)
    }
    #expect(try isArchive(other, here.repository))
    let merges = try here.repository.mergeAutomatically(near: [other], combinesContents: true)
    let merge = try #require(merges.first)
    #expect(merge.record.parents.contains(other.id) && merge.record.device == nil)
    #expect(try isArchive(merge, here.repository))
    // The same bytes as a merge of contents that were never stored.
    let merged = [(mine, arrived), (arrived, mine)].map { ours, theirs in
      DocumentMerge.merge(
        path: Array("a.odt".utf8), base: Self.document(), ours: ours, theirs: theirs, options: MergeOptions()
      ).content
    }
    #expect(merged.allSatisfy { $0 != nil })
    let content = try here.repository.content(of: merge, at: merge.record.path)
    #expect(merged.contains(content))
    #expect(try here.repository.verify(isQuick: false).damages == [])
  }

  @Test("are taken over whole by a copied store that becomes a device of its own") func copied() throws {
    let here = try TestRepository()
    guard try FileSystem.kind(ofVolumeAt: here.directory.path).hasStableInodes else { return }
    let contents = Self.edited(5)
    var versions: [Version] = []
    for bytes in contents.prefix(2) { versions.append(try save(bytes, at: "a.odt", in: here)) }
    _ = try here.store.withLock { () throws(RepositoryError) in try here.store.seal() }
    for bytes in contents.dropFirst(2) { versions.append(try save(bytes, at: "a.odt", in: here)) }
    // A whole archive as the first chunk of something far longer: it must stay a blob.
    let overhead = TestArchive([.init("zeros", [], .stored)]).bytes.count
    let chunk = TestArchive([.init("zeros", [UInt8](repeating: 0, count: (256 << 10) - overhead), .stored)]).bytes
    #expect(chunk.count == 256 << 10)
    let long = chunk + TestArchive.noise(5 << 20, seed: 9)
    versions.append(try save(long, at: "long.bin", in: here))
    let folder = try TemporaryDirectory()
    let result = try ChildProcess.run(
      program: FilePath("cp"), arguments: [Array("-aT".utf8), here.directory.path.bytes, folder.path.bytes])
    #expect(result.status == 0)
    let clock = here.clock
    func open() throws -> Repository {
      try Repository.open(
        containing: folder.path, access: .writing,
        environment: StoreEnvironment(now: { clock.now }, lockTimeoutMilliseconds: 0))
    }
    let old = try #require(here.store.device)
    #expect(try open().store.device != old)
    // It stands by itself: what it took over is in its own pack.
    try FileSystem.removeTree(at: folder.appending(".dver/private/\(old.hexadecimal)/active"))
    let there = try open()
    try there.store.rebuild()
    try check(Array(versions.dropLast()), contents, there)
    let last = try #require(versions.last)
    #expect(try there.content(of: last, at: last.record.path) == long)
    let id = try #require(last.record.content)
    #expect(try there.store.objects.chunks(of: id).first == SHA256.hash(chunk))
  }

  @Test("are whole or not there whatever call fails while they are saved") func crashes() throws {
    let contents = Self.edited(3)
    var number = 0
    while true {
      let here = try TestRepository()
      var versions = [try save(contents[0], at: "a.odt", in: here), try save(contents[1], at: "a.odt", in: here)]
      try here.write(contents[2], to: "a.odt")
      let run = FaultInjection.run(
        number.isMultiple(of: 2) ? .crashing(afterCalls: number) : .tearing(afterCalls: number)
      ) { try? here.repository.save([nil], options: SaveOptions()).saved.first }
      if number % 3 != 2 {
        try run.report.simulatePowerLoss(keeping: number % 4 == 0 ? run.report.pendingChangeCount / 2 : 0)
      }
      try here.reopen()
      if let saved = try run.result.get() { versions.append(saved) }
      for (version, bytes) in zip(versions, contents) {
        #expect(try here.repository.content(of: version, at: version.record.path) == bytes, "call \(number)")
      }
      #expect(try here.repository.verify(isQuick: false).damages == [], "call \(number)")
      _ = try here.saveAll()
      let current = try #require(try here.current("a.odt"))
      #expect(try here.repository.content(of: current, at: current.record.path) == contents[2], "call \(number)")
      if !run.report.isInjected { break }
      number += 1
    }
    #expect(number > 10)
  }

  @Test("keep what can be read when an active pack is damaged, and tell of the rest") func damagedPack() throws {
    let contents = Self.edited(3)
    let here = try TestRepository()
    var versions: [Version] = []
    for bytes in contents { versions.append(try save(bytes, at: "a.odt", in: here)) }
    let pack = try #require(here.store.privateLayout).activePack(1)
    let bytes = try FileSystem.read(pack, limit: 1 << 20)
    for place in stride(from: 40, to: bytes.count, by: 211) {
      var damaged = bytes
      damaged[place] ^= 0x10
      try FileDescriptor.open(pack, .writeOnly).write(damaged)
      try here.reopen()
      for (version, content) in zip(versions, contents) {
        let read = try? here.repository.content(of: version, at: version.record.path)
        #expect(read == nil || read == content, "byte \(place)")
      }
      #expect(try !here.repository.verify(isQuick: false).isClean, "byte \(place)")
    }
  }
}
