import Catalog
import Exchange
import ObjectStorage
import SystemIO
import TestSupport
import Versioning

@testable import VersionStore

/// Replays a history with real stores, and lets all devices exchange at its end until nothing is new.
final class StoredHistoryReplay {
  private let history: StoredHistory
  private let directory: TemporaryDirectory
  private var devices: [(name: String, repository: Repository)] = []

  init(_ history: StoredHistory) throws {
    self.history = history
    directory = try TemporaryDirectory()
    for name in history.devices {
      let environment = StoreEnvironment(
        now: { 1_764_460_800_000 }, deviceName: Array(name.utf8), lockTimeoutMilliseconds: 0)
      let folder = directory.appending(name)
      try FileSystem.makeFolder(at: folder)
      devices.append((name, try Repository.create(at: folder, environment: environment).repository))
    }
  }

  /// What does not hold, up to the first step or check that fails.
  func problems() throws -> [String] {
    for (number, step) in history.steps.enumerated() {
      guard let (_, repository) = devices.first(where: { $0.name == step.device }) else {
        throw ScenarioFailure("no device \(step.device)")
      }
      try insert(step.records, into: repository)
      if step.merging != "none" {
        let near = try repository.store.headsInConflict()
        _ = try repository.mergeAutomatically(near: near, combinesContents: step.merging == "all")
      }
      if let problem = try derivedProblem(of: repository) { return ["step \(number) on \(step.device): \(problem)"] }
    }
    guard try exchangeUntilNothingIsNew() else { return ["the exchanges never come to an end"] }
    return try problemsAtTheEnd()
  }

  // MARK: Records

  /// Adds records, and before them what they name and this store lacks: merges that fall otherwise here.
  private func insert(_ places: [Int], into repository: Repository) throws {
    var missing: [Int] = []
    for place in places { try collect(place, lackedBy: repository.store, &missing) }
    if missing.isEmpty { return }
    try repository.store.write(.none) { (transaction) throws(RepositoryError) in
      for place in missing { try add(place, to: transaction) }
    }
  }

  private func collect(_ place: Int, lackedBy store: Store, _ missing: inout [Int]) throws {
    guard !missing.contains(place), try store.families(ofRecord: history.records[place].id).isEmpty else { return }
    for named in history.named(by: place) { try collect(named, lackedBy: store, &missing) }
    missing.append(place)
  }

  private func add(_ place: Int, to transaction: StoreTransaction) throws(RepositoryError) {
    guard case .version(let record) = history.records[place].record else {
      try transaction.add(history.records[place].record)
      return
    }
    var content = StoredContent.none
    if let id = record.content, let bytes = history.contents[id] {
      content = try transaction.content(bytes, id: id, after: nil)
    }
    try transaction.add(record, content, isBase: false)
  }

  // MARK: Exchange

  private static let mostRounds = 12

  private func exchangeUntilNothingIsNew() throws -> Bool {
    for _ in 0..<Self.mostRounds {
      var isQuiet = true
      for (name, repository) in devices {
        let folder = directory.appending("remote")
        let report = try ExchangeSession(repository, with: .folder(folder)).run()
        if let failure = report.failure { throw ScenarioFailure("\(name) could not exchange: \(failure)") }
        if !report.isUpToDate || !report.newVersions.isEmpty || !report.merges.isEmpty { isQuiet = false }
      }
      if isQuiet { return true }
    }
    return false
  }

  // MARK: What must hold

  /// What the catalog says must follow from the records alone, whatever way it came about.
  private func derivedProblem(of repository: Repository) throws -> String? {
    for (family, rows) in Dictionary(grouping: try rows(of: repository), by: \.family) {
      let states = try repository.store.graph(ofFamily: family).documents()
      let agree = states.elementsEqual(rows.sorted { $0.document < $1.document }) {
        $0.document == $1.document && $0.heads == $1.heads
      }
      if !agree { return "the catalog shows \(rows), the records \(states)" }
    }
    return nil
  }

  private func rows(of repository: Repository) throws -> [DocumentRow] {
    var rows: [DocumentRow] = []
    try repository.store.catalog.forEachDocument(below: nil, includingDeleted: true) { rows.append($0) }
    return rows
  }

  private func problemsAtTheEnd() throws -> [String] {
    var problems: [String] = []
    var states: [State] = []
    for (name, repository) in devices {
      if let problem = try derivedProblem(of: repository) { problems.append("\(name): \(problem)") }
      states.append(try state(of: repository))
      problems += try losses(on: repository).map { "\(name): \($0)" }
    }
    for (place, state) in states.enumerated().dropFirst() where state != states[0] {
      problems.append("\(devices[place].name) shows \(state), \(devices[0].name) \(states[0])")
    }
    return problems
  }

  /// Everything that devices have in common when they have exchanged everything.
  private struct State: Equatable {
    var heads: [DocumentID: [RecordID]] = [:]
    var paths: [DocumentPath: [RecordID]] = [:]
    var removed: Set<RecordID> = []
    var retracted: Set<RecordID> = []
    var versions: Set<RecordID> = []
  }

  private func state(of repository: Repository) throws -> State {
    var state = State()
    for row in try rows(of: repository) {
      state.heads[row.document] = row.heads.map(\.id)
      let view = try repository.view(of: row.path)
      if let current = view.current { state.paths[row.path] = [current.id] + view.conflicts.map(\.id) }
      let graph = try repository.store.graph(ofFamily: row.family)
      state.removed.formUnion(graph.removed())
      state.retracted.formUnion(graph.retracted())
      state.versions.formUnion(graph.versions.map(\.id))
    }
    return state
  }

  /// Every version with its content is here: behind a head, or removed or taken back by somebody.
  private func losses(on repository: Repository) throws -> [String] {
    var losses: [String] = []
    let added = Set(history.steps.flatMap(\.records))
    for (place, (id, record)) in history.records.enumerated() where added.contains(place) {
      guard case .version(let version) = record else { continue }
      let graph = try repository.store.graph(around: id)
      guard graph.contains(id) else {
        losses.append("record \(place) is lost")
        continue
      }
      if let content = version.content, try repository.store.content(content) != history.contents[content] {
        losses.append("record \(place) has another content")
      }
      if graph.removed().contains(id) || graph.retracted().contains(id) { continue }
      let heads = graph.heads()
      let isKept = graph.sources(of: id).allSatisfy { source in
        heads.contains { $0.id == source || graph.isAncestor(source, of: $0.id) }
      }
      if !isKept { losses.append("record \(place) is behind no head") }
    }
    return losses
  }
}
