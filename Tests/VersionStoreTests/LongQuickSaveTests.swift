import ObjectStorage
import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

/// Content that is not kept for the next save, since the pack gives it back.
@Suite("Quick saves of long documents") struct LongQuickSaveTests {
  private func text(_ byteCount: Int, _ number: Int) -> String {
    var generator = SeededGenerator(seed: 7)
    var text = "Number \(number).\n"
    while text.utf8.count < byteCount { text += "\(generator.next())\n" }
    return text
  }

  private func keptByteCounts(_ here: TestRepository) throws -> [UInt64] {
    let folder = try #require(here.store.privateLayout).recent
    return try FileSystem.list(folder).filter { $0.name != Array("state".utf8) }.map {
      try FileStatus.of(folder.appending($0.name)).size
    }
  }

  @Test("keep no content, and give it all back", arguments: [33 << 10, 300 << 10, 3 << 20])
  func withoutContent(_ byteCount: Int) throws {
    let here = try TestRepository()
    try here.save(text(byteCount, 0), at: "a.txt")
    for number in 1..<4 {
      #expect(try here.saveQuickly(text(byteCount, number), at: "a.txt") != nil)
      #expect(try keptByteCounts(here).allSatisfy { $0 < 600 })
    }
    try here.reopen()
    let versions = try here.repository.history(of: DocumentPath("a.txt"), HistoryQuery()).map(\.version)
    #expect(versions.count == 4)
    for (number, version) in versions.reversed().enumerated() {
      #expect(try here.content(of: version) == text(byteCount, number))
    }
    #expect(try here.repository.verify(isQuick: false).damages == [])
  }

  @Test("keep it where it stands on an older pack, up to a length", arguments: [(40 << 10, true), (300 << 10, false)])
  func otherPack(_ byteCount: Int, _ isQuick: Bool) throws {
    let here = try TestRepository()
    try here.save(text(byteCount, 0), at: "a.txt")
    try here.store.withLock { () throws(RepositoryError) in try here.store.seal() }
    try here.save(text(byteCount, 1), at: "a.txt")
    #expect(try here.saveQuickly(text(byteCount, 2), at: "a.txt") != nil || !isQuick)
    if isQuick { #expect(try keptByteCounts(here).contains { $0 > byteCount }) }
    try here.reopen()
    let version = try #require(try here.save(text(byteCount, 3), at: "a.txt"))
    #expect(try here.content(of: version) == text(byteCount, 3))
  }

  @Test("go on where it was short for a while") func shorter() throws {
    let here = try TestRepository()
    try here.save(text(50 << 10, 0), at: "a.txt")
    #expect(try here.saveQuickly("short\n", at: "a.txt") != nil)
    // The version before is nearer: that is left to an ordinary save.
    #expect(try here.saveQuickly(text(60 << 10, 1), at: "a.txt") == nil)
    #expect(try here.saveAll().count == 1)
    let version = try #require(try here.saveQuickly(text(60 << 10, 2), at: "a.txt"))
    try here.reopen()
    #expect(try here.content(of: version) == text(60 << 10, 2))
  }

  @Test("are ordinary ones on a damaged pack", arguments: [0, 20_000])
  func damage(_ place: Int) throws {
    let here = try TestRepository()
    try here.save(text(50 << 10, 0), at: "a.txt")
    _ = try #require(try here.saveQuickly(text(50 << 10, 1), at: "a.txt"))
    let pack = try #require(here.store.privateLayout).activePack(1)
    var bytes = try FileSystem.read(pack, limit: 1 << 20)
    bytes[200 + place] ^= 1
    try FileDescriptor.open(pack, .writeOnly).write(bytes, at: 0)
    #expect(try here.saveQuickly(text(50 << 10, 2), at: "a.txt") == nil)
    try here.reopen()
    let version = try #require(try here.saveAll().first)
    #expect(try here.content(of: version) == text(50 << 10, 2))
  }

  @Test("of a text that goes back and forth between two shapes cost little") func backAndForth() throws {
    let here = try TestRepository()
    let (one, other) = (text(40 << 10, 0), String(text(40 << 10, 0).reversed()))
    var texts: [String] = []
    for number in 0..<10 { texts.append("\(number)\n" + (number.isMultiple(of: 2) ? one : other)) }
    let pack = try #require(here.store.privateLayout).activePack(1)
    var sizes: [UInt64] = []
    for text in texts {
      if try here.saveQuickly(text, at: "a.txt") == nil { #expect(try here.saveAll().count == 1) }
      sizes.append(try FileStatus.of(pack).size)
    }
    let steps = zip(sizes.dropFirst(), sizes.dropFirst(2)).map { $1 - $0 }
    #expect(steps.allSatisfy { $0 < 400 }, "\(steps)")
    try here.reopen()
    let versions = try here.repository.history(of: DocumentPath("a.txt"), HistoryQuery()).map(\.version)
    #expect(versions.count == texts.count)
    for (version, text) in zip(versions.reversed(), texts) { #expect(try here.content(of: version) == text) }
  }
}
