import Catalog
import Hashing
import ObjectStorage
import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("Placing many files together") struct PlacingTogetherTests {
  private static let few = PlacingLimits(threadCount: 0, leastFileCount: .max)

  private func limits(threadCount: Int) -> PlacingLimits {
    PlacingLimits(threadCount: threadCount, leastFileCount: 2, batchFileCount: 7, batchByteCount: 1 << 20)
  }

  /// A repository to which a seeded mixture of changes has come, and what came.
  private func mixture(_ seed: UInt64) throws -> (here: TestRepository, versions: [Version]) {
    var generator = SeededGenerator(seed: seed)
    let here = try TestRepository()
    try here.repository.setSetting(SettingKey.packages, to: Array("*.pages".utf8))
    let names = (0..<40).map { "folder\($0 % 5)/\($0 % 3 == 0 ? "deep/" : "")\($0).txt" }
    for name in names where Bool.random(using: &generator) { try here.write("first \(name)", to: name) }
    try here.saveAll()
    var versions: [Version] = []
    for name in names {
      let current = try here.current(name)
      let parents = current.map { [$0] } ?? []
      let text = String(repeating: "a line of \(name)\n", count: Int.random(in: 0..<400, using: &generator))
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: versions.append(try here.receive("x", at: name, on: parents, kind: .symbolicLink, mode: 0o777))
      case 1 where current != nil: versions.append(try here.receive(nil, at: name, on: parents))
      case 2: break
      default: versions.append(try here.receive(text, at: name, on: parents, mode: 0o755))
      }
      if Int.random(in: 0..<8, using: &generator) == 0 { try here.write("mine", to: name) }
      if Int.random(in: 0..<8, using: &generator) == 0, current != nil, try here.read(name) != nil {
        try here.remove(name)
      }
    }
    versions.append(try here.receive(String(repeating: "0", count: 5 << 20), at: "large", on: []))
    versions.append(try here.receive("in the way", at: "folder1/1.txt/inner", on: []))
    return (here, versions)
  }

  private func paths(_ report: PlacementReport) -> [Set<DocumentPath>] {
    [
      Set(report.created), Set(report.replaced), Set(report.removed), Set(report.left),
      Set(report.unplaced.map(\.path)), Set(report.failed.map(\.path)),
    ]
  }

  private func tree(_ here: TestRepository) throws -> [String: String] {
    var tree: [String: String] = [:]
    for row in try here.repository.documents(below: nil) {
      let name = String(decoding: row.path.bytes, as: UTF8.self)
      guard let status = try? here.status(name) else { continue }
      switch status.kind {
      case .file: tree[name] = "\(status.permissions) \(SHA256.hash(try here.bytes(name)))"
      case .symbolicLink: tree[name] = "link \(try FileSystem.readLink(here.path(name)))"
      default: tree[name] = "\(status.kind)"
      }
    }
    return tree
  }

  @Test("has the outcome of placing them one by one", arguments: [0, 1, 3], [1, 2, 3, 4] as [UInt64])
  func sameOutcome(_ threadCount: Int, _ seed: UInt64) throws {
    let (one, oneVersions) = try mixture(seed)
    let (other, otherVersions) = try mixture(seed)
    one.repository.placing = Self.few
    other.repository.placing = limits(threadCount: threadCount)
    let expected = try one.place(oneVersions)
    let report = try other.place(otherVersions)
    #expect(paths(report) == paths(expected))
    #expect(report.created.count + report.replaced.count > 10)
    #expect(try tree(other) == tree(one))
    #expect(try other.temporaries().isEmpty)
    let again = try other.repository.updateAllWorkingFiles()
    #expect(again.created.isEmpty && again.replaced.isEmpty && again.removed.isEmpty)
    #expect(again.displaced.isEmpty)
  }

  /// Documents that arrived in some folders.
  private func arrived(_ count: Int) throws -> (here: TestRepository, versions: [Version]) {
    let here = try TestRepository()
    let versions = try (0..<count).map { try here.receive("text \($0)", at: "f\($0 / 10)/\($0)", on: []) }
    return (here, versions)
  }

  @Test("notes statuses that the next look believes, but for files that were placed just now") func statuses() throws {
    let (here, versions) = try arrived(60)
    here.repository.placing = limits(threadCount: 2)
    #expect(try here.place(versions).created.count == 60)
    var trusted = 0
    for version in versions {
      let row = try #require(try here.repository.fileRow(at: version.record.path))
      let text = String(decoding: row.path.bytes, as: UTF8.self)
      #expect(row.base == [version.id] && row.status != nil)
      #expect(try here.status(text).modificationTime == version.record.modificationTime)
      if row.hasTrustedStatus(on: here.repository.tree.volume) { trusted += 1 }
    }
    print("statuses believed: \(trusted) of 60")
    #expect(try here.saveAll().isEmpty)
    #expect(try here.repository.status([nil]).entries.isEmpty)
  }

  @Test("tells of content that isn't here, and places the others") func notLocal() throws {
    var (here, versions) = try arrived(30)
    let missing = SHA256.hash([1, 2, 3])
    versions.append(
      try here.store.write(.none) { (transaction) throws(RepositoryError) in
        let content = StoredContent.present(missing, byteCount: 3)
        return try transaction.add(
          transaction.record(
            parents: [], path: DocumentPath("f1/missing"), kind: .file, content: content, size: 3, mode: 0o644,
            modificationTime: transaction.modificationTimeNow, origin: .save), content, isBase: false)
      })
    here.repository.placing = limits(threadCount: 2)
    let report = try here.place(versions)
    #expect(report.failed == [.init(path: DocumentPath("f1/missing"), error: .notLocal(missing))])
    #expect(report.created.count == 30)
    #expect(try names(here).count == 30)
  }

  /// The names of all files in the folders of ``arrived(_:)``.
  private func names(_ here: TestRepository) throws -> [[UInt8]] {
    try (0..<10).flatMap { number in
      ((try? FileSystem.list(here.path("f\(number)"))) ?? []).map(\.name)
    }
  }

  @Test("a failure leaves no unfinished file and notes nothing that isn't durable", arguments: [0, 1, 2, 3])
  func failure(_ occurrence: Int) throws {
    let (here, versions) = try arrived(30)
    guard here.repository.tree.volume.canBeSynchronizedWhole, FileDescriptor.canSynchronizeVolumes else {
      print("not tested: the volume of temporary files can't be synchronized whole")
      return
    }
    here.repository.placing = limits(threadCount: 0)
    let run = FaultInjection.run(.failing(function: "syncfs", errno: 5, occurrence: occurrence)) {
      try? here.place(versions)
    }
    #expect(run.report.isInjected)
    let (result, _) = (try run.result.get(), ())
    #expect(result == nil)
    #expect(try names(here).allSatisfy { !$0.starts(with: RepositoryLayout.temporaryPrefix) })
    #expect(try here.repository.fileRows(below: nil).count == max(0, occurrence - 1) * 7)
    try here.place(versions)
    #expect(try names(here).count == 30)
    #expect(try here.repository.fileRows(below: nil).count == 30)
    #expect(try here.saveAll().isEmpty)
  }

  @Test("a file that has its name is complete, also where a power loss keeps every name and no content")
  func namesOutliveContents() throws {
    var number = 40
    var isInjected = true
    while isInjected {
      let (here, versions) = try arrived(8)
      here.repository.placing = PlacingLimits(threadCount: 0, leastFileCount: 2, batchFileCount: 3)
      let run = FaultInjection.run(.crashing(afterCalls: number)) { _ = try? here.place(versions) }
      isInjected = run.report.isInjected
      try run.report.simulatePowerLoss(keeping: .max)
      for number in 0..<8 {
        let text = try here.read("f0/\(number)")
        #expect(text == nil || text == "text \(number)", "call \(number)")
      }
      try here.reopen()
      #expect(try here.saveAll().isEmpty, "call \(number)")
      _ = try here.repository.updateAllWorkingFiles()
      #expect(try names(here).count == 8, "call \(number)")
      number += 3
    }
    #expect(number > 60)
  }

  @Test("a name that is taken in between is looked at once more") func taken() throws {
    let (here, versions) = try arrived(30)
    here.repository.placing = limits(threadCount: 0)
    let run = FaultInjection.run(.failing(function: "renameat2", errno: 17, occurrence: 5)) {
      try? here.place(versions)
    }
    #expect(run.report.isInjected)
    #expect(try run.result.get()?.created.count == 30)
    #expect(try names(here).count == 30)
    #expect(try here.saveAll().isEmpty)
  }
}
