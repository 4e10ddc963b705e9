import Catalog
import Hashing
import ObjectStorage
import SystemIO
import TestSupport
import Testing
import Versioning

@testable import VersionStore

@Suite("Crashes and failures at every call") struct CrashTests {
  /// One thing that a person does, on a repository with some history.
  struct Action: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let prepare: @Sendable (TestRepository) throws -> Void
    let run: @Sendable (TestRepository) throws -> Void

    init(
      _ name: String, prepare: @escaping @Sendable (TestRepository) throws -> Void = { _ in },
      run: @escaping @Sendable (TestRepository) throws -> Void
    ) {
      testDescription = name
      self.prepare = prepare
      self.run = run
    }
  }

  static let actions = [
    Action(
      "save", prepare: { try $0.write("two", to: "a.txt") },
      run: { _ = try $0.repository.save([nil], options: SaveOptions()) }),
    Action(
      "quick save", prepare: { try $0.write("two", to: "a.txt") },
      run: { here in
        if case .declined = try here.saveQuickly("a.txt") {
          throw SystemError(function: "declined", path: nil, code: 1)
        }
      }),
    Action(
      "threaded save",
      prepare: { here in
        try here.write("two", to: "a.txt")
        for number in 0..<4 {
          try here.write(String(repeating: "a line of number \(number)\n", count: 60), to: "new/\(number).txt")
        }
      },
      run: { here in
        var options = SaveOptions()
        options.limits = SaveLimits(threadCount: 2, leastFileCount: 1, groupByteCount: 300)
        _ = try here.repository.save([nil], options: options)
      }),
    Action("restore") { here in
      let path = DocumentPath("a.txt")
      _ = try here.repository.restore(
        try here.repository.version(.stepsBack(1), at: path), at: path, basis: .workingFile)
    },
    Action("move") {
      _ = try $0.repository.move(DocumentPath("a.txt"), to: DocumentPath("new/b.txt"), basis: .workingFile)
    },
    Action("delete") { _ = try $0.repository.delete([DocumentPath("a.txt")], basis: .workingFile) },
    Action(
      "resolve",
      prepare: { here in
        let first = try here.repository.version(.stepsBack(1), at: DocumentPath("a.txt"))
        try here.place([try here.receive("rival", at: "a.txt", on: [first])])
      },
      run: { here in
        let loser = try #require(try here.view("a.txt").conflicts.first)
        _ = try here.repository.resolve(DocumentPath("a.txt"), .use(loser))
      }),
    Action(
      "restoring a package",
      prepare: { here in
        try here.repository.setSetting(SettingKey.packages, to: Array("*.pages".utf8))
        try here.write("one", to: "a.pages/deep/er/x")
        try here.write("y", to: "a.pages/y")
        try here.saveAll()
        try FileSystem.removeTree(at: here.path("a.pages/deep"))
        try here.saveAll()
      },
      run: { here in
        let path = DocumentPath("a.pages")
        _ = try here.repository.restore(
          try here.repository.version(.stepsBack(1), at: path), at: path, basis: .workingFile)
      }),
    Action("seal") { here in
      _ = try here.store.withLock { () throws(RepositoryError) in try here.store.seal() }
    },
    Action(
      "placing",
      prepare: { here in
        let current = try #require(try here.current("a.txt"))
        try here.receive("arrived", at: "a.txt", on: [current])
        try here.receive("new", at: "deep/er/new.txt", on: [])
        try here.receive(nil, at: "gone.txt", on: [try #require(try here.current("gone.txt"))])
      }, run: { _ = try $0.repository.updateAllWorkingFiles() }),
    Action("placing together", prepare: receiveMany) { here in
      here.repository.placing = PlacingLimits(threadCount: 0, leastFileCount: 2, batchFileCount: 3)
      _ = try here.repository.updateAllWorkingFiles()
    },
    Action("placing together on threads", prepare: receiveMany) { here in
      here.repository.placing = PlacingLimits(threadCount: 2, leastFileCount: 2, batchFileCount: 2)
      _ = try here.repository.updateAllWorkingFiles()
    },
    Action("undo") { _ = try $0.repository.undo() },
    Action("compact", prepare: { try $0.saveHistory(at: "long.txt") }) { _ = try $0.store.compact() },
    Action(
      "compact what log entries name",
      prepare: { here in
        try here.saveHistory(at: "long.txt")
        try here.store.publish()
        try here.save("more", at: "long.txt")
      }
    ) { _ = try $0.store.compact() },
  ]

  private static func receiveMany(_ here: TestRepository) throws {
    let current = try #require(try here.current("a.txt"))
    try here.receive("arrived", at: "a.txt", on: [current])
    for number in 0..<4 { try here.receive("new \(number)", at: "deep/er\(number / 2)/\(number).txt", on: []) }
    try here.receive("0.txt", at: "deep/link", on: [], kind: .symbolicLink, mode: 0o777)
    try here.receive(nil, at: "gone.txt", on: [try #require(try here.current("gone.txt"))])
  }

  private func prepared(_ action: Action) throws -> TestRepository {
    let here = try TestRepository()
    try here.save("gone", at: "gone.txt")
    try here.save("zero", at: "a.txt")
    try here.save("one", at: "a.txt")
    try action.prepare(here)
    return here
  }

  private func acknowledged(_ here: TestRepository) throws -> Set<RecordID> {
    Set(try here.repository.history(HistoryQuery(includesEverything: true)).map(\.version.id))
  }

  /// The contents that a file of documents may have: those that versions hold.
  private func checkFiles(_ here: TestRepository, unsaved: [String], _ place: String) throws {
    for row in try here.repository.fileRows(below: nil) {
      let path = String(decoding: row.path.bytes, as: UTF8.self)
      guard row.kind == .file, let text = try here.read(path) else { continue }
      let isKnown = try here.store.contains(SHA256.hash(Array(text.utf8)))
      #expect(isKnown || unsaved.contains(text), "\(place): \(path) holds \(text)")
    }
  }

  private func checkAfterwards(
    _ here: TestRepository, _ action: Action, known: Set<RecordID>, _ place: String
  ) throws {
    try here.reopen()
    #expect(known.isSubset(of: try acknowledged(here)), "\(place): a version is gone")
    #expect(try here.repository.verify(isQuick: false).damages == [], "\(place)")
    try checkFiles(here, unsaved: ["two"], place)
    let before = try here.repository.history(HistoryQuery(includesEverything: true)).filter(\.version.record.isDeletion)
    let saved = try here.saveAll()
    if action.testDescription == "move" {
      // The file moves first: the save finds a rename.
      let isRename = saved.allSatisfy { $0.record.origin == .rename && !$0.record.parents.isEmpty }
      #expect(isRename && saved.count < 2, "\(place): the next save made \(saved)")
    } else if !action.testDescription.hasSuffix("save") {
      #expect(saved.isEmpty, "\(place): the next save made \(saved.map { "\($0.record.path) \($0.record.kind)" })")
    }
    #expect(
      try here.repository.history(HistoryQuery(includesEverything: true)).filter(\.version.record.isDeletion).count
        == before.count, "\(place): a deletion was recorded")
    let next = try here.save("next", at: "next.txt")
    #expect(next != nil, "\(place)")
    #expect(try here.repository.verify(isQuick: false).damages == [], "\(place), after the next save")
    #expect(try here.temporaries().isEmpty, "\(place)")
    let all = try acknowledged(here)
    let operations = try here.repository.operations(limit: 100).map(\.records)
    #expect(Set(operations).count == operations.count, "\(place): an operation is listed twice")
    try here.store.rebuild()
    #expect(try acknowledged(here) == all, "\(place): another history after making the catalog anew")
  }

  @Test("lose no acknowledged version and tear no file", arguments: actions) func everyCall(_ action: Action) throws {
    var number = 0
    while true {
      let here = try prepared(action)
      let known = try acknowledged(here)
      let run = FaultInjection.run(
        number.isMultiple(of: 2) ? .crashing(afterCalls: number) : .tearing(afterCalls: number)
      ) {
        () -> Bool in
        do {
          try action.run(here)
          return true
        } catch { return false }
      }
      let call = run.report.isInjected ? "\(run.report.calls[number])" : "none"
      let losesPower = number % 3 != 2
      let place = "\(action.testDescription), call \(number) (\(call))\(losesPower ? ", power lost" : "")"
      if losesPower {
        try run.report.simulatePowerLoss(keeping: number % 4 == 0 ? run.report.pendingChangeCount / 2 : 0)
      }
      try checkAfterwards(here, action, known: known, place)
      if !run.report.isInjected { break }
      number += 1
    }
    #expect(number > 10)
  }

  @Test("of one call only leave everything as it was or done", arguments: actions) func oneFailure(_ action: Action)
    throws
  {
    var number = 0
    while true {
      let here = try prepared(action)
      let known = try acknowledged(here)
      let run = FaultInjection.run(.failing(call: number, errno: number.isMultiple(of: 2) ? 28 : 5)) { () -> Bool in
        do {
          try action.run(here)
          return true
        } catch { return false }
      }
      let call = run.report.isInjected ? "\(run.report.calls[number])" : "none"
      try checkAfterwards(here, action, known: known, "\(action.testDescription), call \(number) (\(call)) failed")
      if !run.report.isInjected { break }
      number += 3
    }
  }

  @Test("What is acknowledged is durable, whatever names the power loss keeps", arguments: actions)
  func acknowledgedIsDurable(_ action: Action) throws {
    var keeping = 0
    while true {
      let here = try prepared(action)
      let run = FaultInjection.run(.observing) {
        do { try action.run(here) } catch { Issue.record("\(error)") }
      }
      let known = try acknowledged(here)
      let isLast = keeping >= run.report.pendingChangeCount
      try run.report.simulatePowerLoss(keeping: keeping)
      let files = try here.store.privateLayout.map { [$0.catalog] } ?? []
      if keeping.isMultiple(of: 2) { for file in files { try CatalogDatabase.delete(at: file) } }
      try checkAfterwards(here, action, known: known, "\(action.testDescription), keeping \(keeping)")
      if isLast { break }
      keeping += 1
    }
  }

  @Test("After a failed fdatasync nothing is acknowledged, and a new active pack is begun (R1)") func failedSync()
    throws
  {
    let here = try TestRepository()
    try here.save("one", at: "a.txt")
    let known = try acknowledged(here)
    try here.write("two", to: "a.txt")
    let run = FaultInjection.run(.failing(function: "fdatasync", errno: 5)) {
      try? here.repository.save([nil], options: SaveOptions())
    }
    #expect(run.report.isInjected)
    #expect(try acknowledged(here) == known)
    #expect(try here.store.activeNumbers() == [1, 2])
    let first = try FileStatus.of(try #require(here.store.privateLayout).activePack(1)).size
    #expect(try here.savedPaths() == ["a.txt"])
    #expect(try FileStatus.of(try #require(here.store.privateLayout).activePack(1)).size == first)
    try here.reopen()
    #expect(try here.current("a.txt").map { try here.content(of: $0) } == "two")
    #expect(try here.repository.verify(isQuick: false).damages == [])
  }

  @Test("A pack shorter than what the catalog knows is damage, and the next one is begun") func shortened() throws {
    let here = try TestRepository()
    try here.save("one", at: "a.txt")
    try here.save("two", at: "a.txt")
    let pack = try #require(here.store.privateLayout).activePack(1)
    let size = try FileStatus.of(pack).size
    do { try FileDescriptor.open(pack, .readWrite).truncate(to: size - 20) }
    try here.reopen()
    #expect(try !here.repository.verify(isQuick: true).isClean)
    #expect(try here.save("other", at: "b.txt") != nil)
    #expect(try here.store.activeNumbers().last == 2)
    #expect(try FileStatus.of(pack).size == size - 20)
  }
}
