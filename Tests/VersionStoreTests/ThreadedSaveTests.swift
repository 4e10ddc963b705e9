import Hashing
import ObjectStorage
import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("A save on several threads") struct ThreadedSaveTests {
  private static func options(threads: Int, group: UInt64 = 16 << 20, content: UInt64 = 64 << 20) -> SaveOptions {
    var options = SaveOptions()
    options.limits = SaveLimits(
      threadCount: threads, leastFileCount: 1, groupByteCount: group, contentByteCount: content)
    return options
  }

  private static func text(_ lines: Int, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    let words = ["cherry", "water", "letter", "paper", "chapter", "note", "plan", "draft", "revision", "copy"]
    return (0..<lines).flatMap { _ in
      Array(((0..<8).map { _ in words.randomElement(using: &generator) ?? "" }.joined(separator: " ") + "\n").utf8)
    }
  }

  private static func noise(_ count: Int, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    let words = (0..<count / 8 + 1).map { _ in generator.next().littleEndian }
    return words.withUnsafeBytes { Array($0[..<count]) }
  }

  /// Texts with and without neighbours, some alike, empty files, links, pictures, a zip archive and a large file.
  private static func fill(_ here: TestRepository) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for number in 0..<60 {
      files["texts \(number / 20)/\(number).md"] = text(10 + number * 7 % 40, seed: UInt64(number))
      files["texts \(number / 20)/\(number).txt"] = text(20, seed: UInt64(number / 3))
    }
    for number in 0..<5 {
      files["empty/\(number)"] = []
      files["pictures/\(number).jpg"] = noise(20_000 * (number + 1), seed: UInt64(number))
    }
    files["archive.zip"] = TestArchive.document(TestArchive.text(40, seed: 1)).bytes
    files["large.bin"] = noise(4_300_000, seed: 77) + text(3000, seed: 78)
    for (path, bytes) in files { try here.write(bytes, to: path) }
    try FileSystem.makeSymbolicLink(at: here.path("link"), target: Array("empty/0".utf8))
    return files
  }

  /// How each object of the active packs is stored, in order.
  private static func objects(_ here: TestRepository) throws -> [String] {
    let device = try #require(here.store.device)
    var found: [String] = []
    for number in try here.store.activeNumbers() {
      let name = PackName.active(device: device.bytes, number: number)
      let pack = try PackFile.open(here.store.path(of: name), name: name)
      try pack.forEachObject { (entry) throws(ObjectStoreError) in
        guard let object = entry.object else { return }
        found.append(
          "\(object.id) \(object.kind) \(object.encoding) \(object.depth) \(SHA256.hash(pack.data(of: object)))")
      }
    }
    return found
  }

  private static func check(_ here: TestRepository, _ files: [String: [UInt8]]) throws {
    for (path, bytes) in files {
      let version = try #require(try here.current(path), "\(path)")
      #expect(version.record.content == SHA256.hash(bytes), "\(path)")
      #expect(try here.repository.content(of: version, at: version.record.path) == bytes, "\(path)")
    }
    #expect(try here.repository.verify(isQuick: false).damages == [])
    #expect(try here.savedPaths() == [])
  }

  @Test("stores everything, in the same way with any number of threads")
  func sameObjects() throws {
    var all: [[String]] = []
    for threads in 0...3 {
      let here = try TestRepository()
      let files = try Self.fill(here)
      let report = try here.repository.save([nil], options: Self.options(threads: threads))
      #expect(report.saved.count == files.count + 1 && report.unreadable.isEmpty)
      #expect(report.saved.map(\.record.path) == report.saved.map(\.record.path).sorted())
      all.append(try Self.objects(here))
      try Self.check(here, files)
      try here.store.rebuild()
      try Self.check(here, files)
    }
    #expect(Set(all).count == 1)
    #expect(all[0].contains { $0.contains("delta 1 ") })
  }

  @Test("tells how far it is with the bytes of a large file")
  func progress() throws {
    let here = try TestRepository()
    let bytes = Self.noise(6_000_000, seed: 1)
    try here.write(bytes, to: "large.bin")
    try here.write("small", to: "a.txt")
    var told: [SaveProgress] = []
    _ = try here.repository.save([nil], options: SaveOptions()) { told.append($0) }
    #expect(told.filter { $0.file == nil }.map(\.done) == [0, 1] && told.allSatisfy { $0.total == 2 })
    for stage in [SaveProgress.File.Stage.reading, .storing] {
      let files = told.compactMap(\.file).filter { $0.stage == stage }
      #expect(files.count > 20 && files.allSatisfy { $0.path == DocumentPath("large.bin") && $0.total == 6_000_000 })
      #expect(files.map(\.done) == files.map(\.done).sorted() && files.last?.done == 6_000_000)
    }
  }

  @Test("of several groups is one operation, before and after sealing, compacting and a new catalog")
  func groups() throws {
    let here = try TestRepository()
    let files = try Self.fill(here)
    here.store.activeByteCount = 200_000
    let options = Self.options(threads: 2, group: 20_000, content: 500_000)
    let saved = try here.repository.save([nil], options: options).saved
    #expect(saved.count == files.count + 1)
    #expect(try here.store.sealedPacks().count > 1)
    try Self.check(here, files)
    #expect(try here.repository.operations(limit: 10).map { $0.records.count } == [saved.count])
    _ = try here.store.compact()
    try Self.check(here, files)
    try here.store.rebuild()
    try Self.check(here, files)
    #expect(try here.repository.operations(limit: 10).map { $0.records.count } == [saved.count])
  }

  @Test("goes on with documents that it knows, and takes in new ones beside them", arguments: [0, 2])
  func later(threads: Int) throws {
    let here = try TestRepository()
    var files = try Self.fill(here)
    here.clock.advance(1000)
    _ = try here.repository.save([nil], options: Self.options(threads: threads))
    for number in stride(from: 0, to: 60, by: 7) {
      let path = "texts \(number / 20)/\(number).md"
      files[path, default: []] += Array("more\n".utf8)
      files["texts 0/new \(number).md"] = Self.text(30, seed: UInt64(500 + number))
    }
    for (path, bytes) in files { try here.write(bytes, to: path) }
    try here.remove("texts 1/25.md")
    files["texts 1/25.md"] = nil
    try here.rename("texts 1/26.md", to: "texts 1/z.md")
    files["texts 1/z.md"] = files.removeValue(forKey: "texts 1/26.md")
    here.clock.advance(1000)
    let saved = try here.repository.save([nil], options: Self.options(threads: threads)).saved
    #expect(saved.count == 9 + 9 + 1 + 1)
    #expect(try here.current("texts 0/7.md")?.record.parents.count == 1)
    #expect(try here.current("texts 1/z.md")?.record.origin == .rename)
    try Self.check(here, files)
  }

  @Test("names what can't be read and saves the rest", arguments: [0, 2])
  func unreadable(threads: Int) throws {
    let here = try TestRepository()
    let files = try Self.fill(here)
    let (result, report) = FaultInjection.run(.failing(function: "pread", errno: 5)) {
      Swift.Result { try here.repository.save([nil], options: Self.options(threads: threads)) }.map {
        ($0.saved.count, $0.unreadable.count)
      }
    }
    #expect(report.isInjected)
    let counts = try result.get().get()
    #expect(counts.0 == files.count && counts.1 == 1)
    #expect(try here.savedPaths() == ["large.bin"])
    try Self.check(here, files)
  }

  @Test("of a large file loses nothing whatever call fails, or where the program ends")
  func largeFileFaults() throws {
    let bytes = Self.noise(4_400_000, seed: 5)
    var number = 0
    while true {
      let here = try TestRepository()
      try here.save("one", at: "a.txt")
      try here.write(bytes, to: "large.bin")
      let run = FaultInjection.run(
        number.isMultiple(of: 2) ? .crashing(afterCalls: number) : .failing(call: number, errno: 5)
      ) {
        (try? here.repository.save([nil], options: Self.options(threads: 2, content: 1 << 20)))?.saved.count == 1
      }
      let isSaved = try run.result.get()
      if number.isMultiple(of: 4) { try run.report.simulatePowerLoss() }
      try here.reopen()
      #expect(try here.repository.verify(isQuick: false).damages == [], "call \(number)")
      if isSaved { #expect(try here.savedPaths() == [], "call \(number)") } else { try here.saveAll() }
      try Self.check(here, ["a.txt": Array("one".utf8), "large.bin": bytes])
      if !run.report.isInjected { break }
      number += 7
    }
    #expect(number > 50)
  }

  @Test("gives a large file's digest and chunks of the same bytes, in bounded memory")
  func cutting() throws {
    let here = try TestRepository()
    try here.write([1], to: "sparse")
    do { try FileDescriptor.open(here.path("sparse"), .writeOnly).truncate(to: 40 << 20) }
    let file = SharedFile(try FileDescriptor.open(here.path("sparse"), .readOnly))
    let found = try #require(try WorkingTree.cut(file, byteCount: 40 << 20))
    #expect(found.content == SHA256.hash([1] + [UInt8](repeating: 0, count: 40 << 20 - 1)))
    #expect(found.chunks.byteCount == 40 << 20)
    #expect(Set(found.chunks.chunks.map(\.id)).count < 5)
    #expect(try WorkingTree.cut(file, byteCount: 40 << 20 + 1) == nil)
    #expect(try WorkingTree.cut(file, byteCount: 40 << 20 - 1) == nil)
    #expect(WorkingTree.waitingPieceCount * WorkingTree.pieceByteCount <= 4 << 20)
  }
}
