import Catalog
import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("The index of the working files") struct TreeIndexTests {
  private static let id = (0..<16).map { UInt8($0) }

  private func entry(_ number: Int, isSettled: Bool = true) -> TreeIndexEntry {
    let row = FileRow(
      path: path("a"), base: [], seen: [],
      status: CachedStatus(
        size: UInt64(number), modificationSeconds: -3, modificationNanoseconds: 4, changeSeconds: 5,
        changeNanoseconds: 6, inode: .max, device: 1, checkedAt: .max), content: nil, mode: 0o644,
      kind: number.isMultiple(of: 2) ? .file : .symbolicLink)
    return TreeIndexEntry(row, isSettled: isSettled, on: .ext)
  }

  private func path(_ text: String) -> DocumentPath { DocumentPath(text) }

  private func bytes() throws -> [UInt8] {
    var builder = TreeIndexBuilder()
    // In the order of paths the files of one folder don't stand side by side.
    for (number, name) in ["a", "a-b/x", "a/b", "a/b-c", "b", "é/ü"].enumerated() {
      builder.add(path(name), entry(number, isSettled: number != 3))
    }
    let names = ["b", "c", "inner"].map { ReadFolder.Name(bytes: Array($0.utf8), kind: $0 == "inner" ? .folder : nil) }
    let stamp = FolderStamp(
      modificationSeconds: 1, modificationNanoseconds: 2, changeSeconds: 3, changeNanoseconds: 4, inode: 5)
    builder.add(ReadFolder(path: Array("a".utf8), stamp: stamp, names: names))
    return try #require(builder.bytes(id: Self.id, volume: .ext))
  }

  private func index(
    _ bytes: [UInt8], id: [UInt8] = id, touched: [String] = [], volume: VolumeKind = .ext
  ) throws -> TreeIndex? {
    let directory = try TemporaryDirectory()
    let file = directory.path.appending("index")
    try AtomicFile.write(bytes, to: file, isDurable: false)
    return TreeIndex(try MappedFile.map(file), id: id, touched: touched.map { path($0) }, volume: volume)
  }

  @Test("gives back every entry, folder by folder") func entries() throws {
    let index = try #require(try index(try bytes()))
    for (number, name) in ["a", "a-b/x", "a/b", "a/b-c", "b", "é/ü"].enumerated() {
      let found = try #require(index.entry(of: path(name)))
      #expect(index.entry(found) == entry(number, isSettled: number != 3))
    }
    #expect(index.entryCount == 6)
    #expect(index.entry(of: path("a/c")) == nil)
    #expect(index.entry(of: path("c/c")) == nil)
    let folder = try #require(index.folder(at: Array("a".utf8)))
    #expect(folder.stamp?.inode == 5)
    #expect(folder.others.map { Array(index.other($0).name) } == [Array("c".utf8), Array("inner".utf8)])
    #expect(folder.others.map { index.other($0).kind } == [nil, .folder])
    #expect(index.folder(at: [])?.stamp == nil)
  }

  @Test("is made of another one, less what was touched") func copied() throws {
    let index = try #require(try index(try bytes(), touched: ["a/b", "new"]))
    var builder = TreeIndexBuilder()
    let read = builder.add(index)
    builder.add(path("new"), entry(9))
    for folder in read { builder.add(folder) }
    let bytes = try #require(builder.bytes(id: Self.id, volume: .ext))
    let copy = try #require(try self.index(bytes))
    #expect(copy.entry(of: path("a/b")) == nil)
    #expect(copy.entry(of: path("new")).map { copy.entry($0) } == entry(9))
    // It may still be a file, so the name isn't forgotten.
    let folder = try #require(copy.folder(at: Array("a".utf8)))
    #expect(folder.others.map { Array(copy.other($0).name) }.contains(Array("b".utf8)))
  }

  @Test("doesn't count where anything about it is wrong") func damage() throws {
    let good = try bytes()
    #expect(try index(good, id: Array(Self.id.reversed())) == nil)
    #expect(try index(good, volume: .fat) == nil)
    for length in stride(from: 0, to: good.count, by: 7) { #expect(try index(Array(good[..<length])) == nil) }
    #expect(try index(good + [0]) == nil)
    for place in stride(from: 0, to: good.count, by: 3) {
      var bad = good
      bad[place] ^= 0x10
      #expect(try index(bad) == nil, "byte \(place)")
    }
  }

  @Test("with a checksum that fits hostile numbers is refused too", arguments: [32, 36, 40, 64, 68, 72, 76, 80, 84])
  func hostile(place: Int) throws {
    for value: UInt8 in [0x7F, 0xFF] {
      var bad = try bytes()
      for byte in 0..<4 { bad[place + byte] = value }
      let sum = bad.withUnsafeBytes { TreeIndex.checksum($0) }
      for byte in 0..<8 { bad[56 + byte] = UInt8(truncatingIfNeeded: sum >> UInt64(8 * byte)) }
      #expect(try index(bad) == nil)
    }
  }

  @Test("believes no status that a write may have come behind") func racy() {
    func row(changedAt seconds: Int64, checkedAt: Int64) -> FileRow {
      let status = CachedStatus(
        size: 1, modificationSeconds: seconds, modificationNanoseconds: 0, changeSeconds: seconds,
        changeNanoseconds: 0, inode: 1, device: 1, checkedAt: checkedAt)
      return FileRow(path: path("a"), base: [], seen: [], status: status, content: nil, mode: 0, kind: .file)
    }
    func isTrusted(_ row: FileRow, _ volume: VolumeKind) -> Bool {
      TreeIndexEntry(row, isSettled: true, on: volume).facts.contains(.isTrusted)
    }
    let second: Int64 = 1_000_000_000
    #expect(!isTrusted(row(changedAt: 10, checkedAt: 10 * second + 20_000_000), .ext))
    #expect(isTrusted(row(changedAt: 10, checkedAt: 10 * second + 20_000_001), .ext))
    #expect(!isTrusted(row(changedAt: 10, checkedAt: 12 * second), .network))
    #expect(isTrusted(row(changedAt: 10, checkedAt: 13 * second), .network))
    #expect(!isTrusted(row(changedAt: .max, checkedAt: .max), .ext))
    var package = row(changedAt: 10, checkedAt: 20 * second)
    package.kind = .package
    #expect(!isTrusted(package, .ext))
    let stamp = FolderStamp(
      modificationSeconds: 10, modificationNanoseconds: 0, changeSeconds: 10, changeNanoseconds: 0, inode: 1)
    #expect(!stamp.isTrusted(at: 10 * second + 20_000_000, on: .ext))
    #expect(stamp.isTrusted(at: 10 * second + 20_000_001, on: .ext))
    #expect(!stamp.isTrusted(at: 100 * second, on: .overlay))
  }
}
