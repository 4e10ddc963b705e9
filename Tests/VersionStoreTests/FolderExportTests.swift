import Hashing
import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("Writing a folder's documents elsewhere") struct FolderExportTests {
  private let here: TestRepository
  private let target: TemporaryDirectory

  init() throws {
    here = try TestRepository()
    target = try TemporaryDirectory()
  }

  private func read(_ path: String) -> String? {
    (try? FileSystem.read(target.appending(path), limit: 1 << 24)).map { String(decoding: $0, as: UTF8.self) }
  }

  private func files() throws -> Set<String> {
    var found: Set<String> = []
    func look(_ folder: FilePath, _ prefix: String) throws {
      for entry in try FileSystem.list(folder) {
        let name = String(decoding: entry.name, as: UTF8.self)
        let status = try FileStatus.of(folder.appending(entry.name))
        if status.kind == .folder {
          try look(folder.appending(entry.name), prefix + name + "/")
        } else {
          found.insert(prefix + name)
        }
      }
    }
    try look(target.path, "")
    return found
  }

  @Test("writes what is current, of every sort, on threads or not", arguments: [3, 80], [0, 2])
  func everything(count: Int, threads: Int) throws {
    try here.repository.setSetting(SettingKey.packages, to: Array("*.pages".utf8))
    var expected: Set<String> = ["link", "d.pages/x", "deep/er/large.bin"]
    for number in 0..<count {
      try here.write("text \(number)", to: "f\(number % 3)/\(number).txt")
      expected.insert("f\(number % 3)/\(number).txt")
    }
    try here.write("x", to: "d.pages/x")
    let large = [UInt8](repeating: 7, count: 5_000_000) + (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
    try here.write(large, to: "deep/er/large.bin")
    try FileSystem.makeSymbolicLink(at: here.path("link"), target: Array("f0/0.txt".utf8))
    try here.write("gone", to: "gone.txt")
    try here.saveAll()
    try here.remove("gone.txt")
    try here.saveAll()
    try FileSystem.setPermissions(0o640, at: here.path("f0/0.txt"))
    try here.saveAll()
    try here.write("unsaved", to: "f0/0.txt")
    here.repository.placing.threadCount = threads
    var told: [Int] = []
    let report = try here.repository.export(below: nil, to: target.path) { done, _ in told.append(done) }
    #expect(report.failed.isEmpty && report.written.count == count + 3 && told.count == count + 3)
    #expect(try files() == expected)
    #expect(read("f0/0.txt") == "text 0", "what is saved, not what is in the folder")
    #expect(try FileStatus.of(target.appending("f0/0.txt")).permissions == 0o640)
    #expect(try FileSystem.read(target.appending("deep/er/large.bin"), limit: 1 << 24) == large)
    let version = try #require(try here.current("f1/1.txt"))
    #expect(try FileStatus.of(target.appending("f1/1.txt")).modificationTime == version.record.modificationTime)
    #expect(try here.repository.verify(isQuick: false).damages == [])
  }

  @Test("writes a folder below its name alone") func folder() throws {
    for path in ["a/b/1", "a/b/c/2", "a/3", "ab/4"] { try here.write(path, to: path) }
    try here.saveAll()
    #expect(try here.repository.isFolder(DocumentPath("a/b")))
    #expect(try !here.repository.isFolder(DocumentPath("a/3")) && !here.repository.isFolder(DocumentPath("z")))
    _ = try here.repository.export(below: DocumentPath("a/b"), to: target.path)
    #expect(try files() == ["1", "c/2"])
    #expect(throws: RepositoryError.noSuchDocument(DocumentPath("z"))) {
      try here.repository.export(below: DocumentPath("z"), to: target.path)
    }
  }

  @Test("writes what was there at a time: what is deleted, moved or changed since too") func time() throws {
    for path in ["a/changed", "a/deleted", "a/moved"] { try here.write("old", to: path) }
    try here.saveAll()
    let then = here.clock.now
    here.clock.advance(10_000)
    try here.write("new", to: "a/changed")
    try here.write("new", to: "a/later")
    try here.remove("a/deleted")
    try here.rename("a/moved", to: "elsewhere")
    try here.saveAll()
    _ = try here.repository.export(below: DocumentPath("a"), at: then, to: target.path)
    #expect(try files() == ["changed", "deleted", "moved"])
    #expect(read("changed") == "old")
  }

  @Test("leaves nothing of a version that was removed", arguments: [0, 2]) func removed(threads: Int) throws {
    for number in 0..<40 { try here.write("old \(number)", to: "f/\(number)") }
    try here.saveAll()
    let old = try #require(try here.current("f/7"))
    let then = here.clock.now
    here.clock.advance(10_000)
    try here.save("new", at: "f/7")
    _ = try here.repository.remove(old, at: DocumentPath("f/7"), isDryRun: false)
    here.repository.placing.threadCount = threads
    let report = try here.repository.export(below: nil, at: then, to: target.path)
    #expect(report.failed.map(\.path) == [DocumentPath("f/7")] && report.written.count == 39)
    #expect(try files() == Set((0..<40).filter { $0 != 7 }.map { "f/\($0)" }), "nor under another name")
  }

  @Test("replaces nothing, and goes on after what can't be written") func refused() throws {
    for path in ["a", "b", "c/d"] { try here.write(path, to: path) }
    try here.saveAll()
    try target.write(Array("mine".utf8), to: "a")
    try target.write(Array("mine".utf8), to: "c")
    let report = try here.repository.export(below: nil, to: target.path)
    #expect(Set(report.failed.map(\.path)) == [DocumentPath("a"), DocumentPath("c/d")])
    #expect(read("a") == "mine" && read("c") == "mine" && read("b") == "b")
    #expect(try files() == ["a", "b", "c"], "nothing is left under another name")
  }
}
