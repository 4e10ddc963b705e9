import SystemIO
import TestSupport
import Testing
import VersionStore
import Versioning

@Suite("Reading a version whose bytes the working file has") struct WorkingFileReadingTests {
  private let here: TestRepository
  private let version: Version

  init() throws {
    here = try TestRepository()
    version = try #require(try here.save("what was saved\n", at: "a/note.txt"))
  }

  private func read(_ version: Version) throws -> String {
    var bytes: [UInt8] = []
    try here.repository.readContent(of: version, at: version.record.path) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Makes the stored bytes unreadable.
  private func damageStore() throws {
    let folder = here.directory.path.appending(".dver/private")
    let device = try #require(try FileSystem.list(folder).first)
    let pack = folder.appending(device.name).appending("active/1")
    var bytes = try FileSystem.read(pack, limit: 1 << 20)
    // So short a text is stored as it is.
    let place = try #require(bytes.firstRange(of: Array("what was saved".utf8)))
    bytes[place.lowerBound] ^= 0x40
    try FileDescriptor.open(pack, .writeOnly, options: []).write(bytes)
    try here.reopen()
    #expect(throws: RepositoryError.self) { try here.repository.content(of: version, at: version.record.path) }
  }

  @Test("takes them from there") func readsWorkingFile() throws {
    try damageStore()
    #expect(try read(version) == "what was saved\n")
  }

  @Test("takes nothing from there that only looks like them", arguments: ["what was Saved\n", "what was", ""])
  func readsStore(text: String) throws {
    try here.write(text, to: "a/note.txt")
    #expect(try read(version) == "what was saved\n")
    try damageStore()
    #expect(throws: RepositoryError.self) { try read(version) }
  }

  @Test("does without where nothing is, or something else") func readsStoreAlone() throws {
    try here.remove("a/note.txt")
    #expect(try read(version) == "what was saved\n")
    try here.write("what was saved\n", to: "other.txt")
    try FileSystem.makeSymbolicLink(at: here.directory.path.appending("a/note.txt"), target: Array("../other.txt".utf8))
    #expect(try read(version) == "what was saved\n")
    try damageStore()
    // A link isn't followed.
    #expect(throws: RepositoryError.self) { try read(version) }
  }

  @Test("reads an older version where the file was put back to it") func readsOlder() throws {
    try here.save("what came later\n", at: "a/note.txt")
    #expect(try read(version) == "what was saved\n")
    try here.write("what was saved\n", to: "a/note.txt")
    #expect(try read(version) == "what was saved\n")
  }
}
