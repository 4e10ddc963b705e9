import Catalog
import Hashing
import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("Kinds of content") struct ContentKindsTests {
  private func random(_ count: Int, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count { withUnsafeBytes(of: generator.next()) { bytes += $0 } }
    return Array(bytes.prefix(count))
  }

  private var activeByteCount: (TestRepository) throws -> UInt64 {
    { here in try #require(try here.store.catalog.packs().last).absorbedByteCount }
  }

  @Test("A symbolic link is saved as its target and restored as a link") func link() throws {
    let here = try TestRepository()
    try FileSystem.makeSymbolicLink(at: here.path("l"), target: Array("/nowhere/ü".utf8))
    let first = try #require(try here.saveAll().first)
    #expect(first.record.kind == .symbolicLink)
    #expect(first.record.content == SHA256.hash(Array("/nowhere/ü".utf8)))
    try here.remove("l")
    try here.write("file now", to: "l")
    let second = try #require(try here.saveAll().first)
    #expect(second.record.kind == .file)
    #expect(second.record.document == first.record.document)
    try here.repository.restore(first, at: DocumentPath("l"), basis: .workingFile)
    #expect(try FileSystem.readLink(here.path("l")) == Array("/nowhere/ü".utf8))
    #expect(try here.saveAll().isEmpty)
    try here.repository.restore(second, at: DocumentPath("l"), basis: .workingFile)
    #expect(try here.read("l") == "file now")
    #expect(try here.saveAll().isEmpty)
    #expect(try here.temporaries().isEmpty)
  }

  @Test("Content over 4 MiB is cut in chunks, read back exactly, and what is equal is stored once") func large() throws
  {
    let here = try TestRepository()
    var bytes = random(5 << 20, seed: 1)
    try here.write(bytes, to: "a.bin")
    let first = try #require(try here.saveAll().first)
    let afterFirst = try activeByteCount(here)
    bytes.insert(contentsOf: Array("in between".utf8), at: 2 << 20)
    try here.write(bytes, to: "a.bin")
    let second = try #require(try here.saveAll().first)
    let afterSecond = try activeByteCount(here)
    #expect(afterFirst > 5 << 20)
    #expect(afterSecond - afterFirst < 1 << 20)
    #expect(try here.repository.content(of: second, at: DocumentPath("a.bin")) == bytes)
    try here.repository.restore(first, at: DocumentPath("a.bin"), basis: .workingFile)
    #expect(try here.bytes("a.bin") == random(5 << 20, seed: 1))
    try here.write(bytes, to: "copy.bin")
    #expect(try here.saveAll().count == 1)
    #expect(try activeByteCount(here) - afterSecond < 4096)
    #expect(try here.repository.verify(isQuick: false).damages == [])
    try here.store.rebuild()
    #expect(try here.repository.content(of: second, at: DocumentPath("a.bin")) == bytes)
    #expect(try here.saveAll().isEmpty)
  }

  @Test("Content over 4 MiB from standard input can be read at once") func largeInput() throws {
    let here = try TestRepository()
    let bytes = random(5 << 20, seed: 2)
    let version = try #require(
      try here.repository.save(standardInput: bytes, at: DocumentPath("a.bin"), options: SaveOptions()))
    #expect(try here.repository.content(of: version, at: DocumentPath("a.bin")) == bytes)
    #expect(try here.repository.verify(isQuick: false).damages == [])
  }

  @Test("Holes in a file are holes again after restoring") func sparse() throws {
    let here = try TestRepository()
    let length = 12 << 20
    do {
      let file = try FileDescriptor.open(here.path("s.bin"), .writeOnly, options: .create)
      try file.write([1, 2, 3], at: 5 << 20)
      try file.truncate(to: UInt64(length))
    }
    let version = try #require(try here.saveAll().first)
    #expect(version.record.size == UInt64(length))
    try here.remove("s.bin")
    try here.repository.restore(version, at: DocumentPath("s.bin"), basis: .workingFile)
    let status = try here.status("s.bin")
    #expect(status.size == UInt64(length))
    #expect(status.blocks * 512 < 1 << 20)
    #expect(try here.saveAll().isEmpty)
  }

  @Test("Restoring gives bytes, mode and time as they were saved (R15)") func exactly() throws {
    let here = try TestRepository()
    try here.write("one", to: "a.txt")
    try FileSystem.setPermissions(0o4751, at: here.path("a.txt"))
    try FileSystem.setModificationTime(seconds: -86_400, nanoseconds: 123_456_789, at: here.path("a.txt"))
    let first = try #require(try here.saveAll().first)
    try here.save("two", at: "a.txt")
    try FileSystem.setPermissions(0o600, at: here.path("a.txt"))
    try here.saveAll()
    try here.repository.restore(first, at: DocumentPath("a.txt"), basis: .workingFile)
    let status = try here.status("a.txt")
    #expect(status.permissions == 0o4751)
    #expect(status.modificationSeconds == -86_400)
    #expect(status.modificationNanoseconds == 123_456_789)
    #expect(try here.read("a.txt") == "one")
  }
}
