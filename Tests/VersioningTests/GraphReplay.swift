import Hashing
import TestSupport
import Versioning

/// Replays a history: one graph a device, every step's merges, times and state compared.
struct GraphReplay {
  /// How the records of an exchange arrive.
  enum Delivery {
    case asGiven
    /// In another order that keeps every record behind what it names, in two halves, the first half twice.
    case shuffled(seed: UInt64)
  }

  private struct MergeKey: Hashable {
    let parents: Set<RecordID>
    let rules: UInt32
  }

  private let history: GraphHistory
  private let places: [RecordID: Int]
  private let mergeIDs: [MergeKey: RecordID]
  private var graphs: [String: VersionGraph]
  private var generator: SeededGenerator?

  init(_ history: GraphHistory, _ delivery: Delivery = .asGiven) {
    self.history = history
    places = Dictionary(uniqueKeysWithValues: history.ids.enumerated().map { ($1, $0) })
    var mergeIDs: [MergeKey: RecordID] = [:]
    for case (let id, .version(let record)) in zip(history.ids, history.records) where record.isAutomatic {
      mergeIDs[MergeKey(parents: Set(record.parents), rules: record.mergeRules)] = id
    }
    self.mergeIDs = mergeIDs
    graphs = history.mergeRules.mapValues { _ in VersionGraph() }
    if case .shuffled(let seed) = delivery { generator = SeededGenerator(seed: seed) }
  }

  /// What differs, up to the first step that does.
  mutating func firstProblem() -> String? {
    for (number, step) in history.steps.enumerated() {
      let found: String?
      do { found = try problem(in: step) } catch { found = "\(error)" }
      if let found { return "step \(number) on \(step.device) (\(step.act)): \(found)" }
    }
    return nil
  }

  private mutating func problem(in step: GraphHistory.Step) throws -> String? {
    var graph = graphs[step.device, default: VersionGraph()]
    defer { graphs[step.device] = graph }
    try graph.insert(step.adds, of: history)
    try deliver(step.receives, to: &graph)
    if let wrong = step.adds.first(where: { !hasRightTimes($0) }) { return "time or parents of record \(wrong)" }
    if step.merging != "none", let problem = problemInMerging(step, &graph) { return problem }
    let shown = state(of: graph)
    return shown == step.state ? nil : "shows \(shown), expected \(step.state)"
  }

  private mutating func deliver(_ numbers: [Int], to graph: inout VersionGraph) throws {
    guard var random = generator else { return try graph.insert(numbers, of: history) }
    defer { generator = random }
    var waiting = numbers.shuffled(using: &random)
    var halves = 0
    while !waiting.isEmpty {
      let before = graph
      var later: [Int] = []
      for number in waiting {
        do { try graph.insert([number], of: history) } catch { later.append(number) }
      }
      guard later.count < waiting.count else { throw FixtureFailure(reason: "records that never fit") }
      if halves == 0 { try before.checkUnion(with: numbers.filter { !later.contains($0) }, of: history, gives: graph) }
      halves += 1
      waiting = later
    }
    try graph.insert(numbers, of: history)
  }

  private func problemInMerging(_ step: GraphHistory.Step, _ graph: inout VersionGraph) -> String? {
    var unexpected: [String] = []
    let rules = history.mergeRules[step.device, default: 1]
    let merges = graph.automaticMerges(
      MergeRules(number: rules, combinesContents: step.merging == "all") { base, ours, theirs in
        mergedContent(base, ours, theirs, rules)
      } name: { record in
        if let id = mergeIDs[MergeKey(parents: Set(record.parents), rules: record.mergeRules)] { return id }
        unexpected.append("\(record.parents.map { places[$0] ?? -1 })")
        return Record.version(record).id
      })
    if !unexpected.isEmpty { return "unexpected merges of \(unexpected)" }
    let expected = step.merges.map { history.version($0) }
    guard merges == expected else {
      return "merges \(merges.map { places[$0.id] ?? -1 }), expected \(step.merges), or their fields: "
        + "\(merges) against \(expected)"
    }
    do { try graph.insert(step.merges, of: history) } catch { return "\(error)" }
    return nil
  }

  private func mergedContent(
    _ base: Version, _ ours: Version, _ theirs: Version, _ rules: UInt32
  ) -> MergeRules.Content? {
    let contents = [base, ours, theirs].compactMap { $0.record.content }.compactMap { history.contents[$0] }
    guard contents.count == 3 else { return nil }
    return ContentTokens.merge(base: contents[0], ours: contents[1], theirs: contents[2], rules: rules)
      .map { ($0.id, $0.size) }
  }

  /// R10: the logical time follows from the wall clock and the parents, and the parents are in order.
  private func hasRightTimes(_ number: Int) -> Bool {
    guard case .version(let record) = history.records[number], let first = record.parents.first else { return true }
    let parents = record.parents.compactMap { places[$0] }.map { history.version($0).record.logicalTime }
    return record.logicalTime == LogicalTime.following(wallTime: record.wallTime, earlier: parents)
      && record.parents == [first] + Set(record.parents.dropFirst()).subtracting([first]).sorted()
  }

  private func state(of graph: VersionGraph) -> ShownState {
    var state = ShownState(removed: graph.removed().compactMap { places[$0] }.sorted())
    for document in graph.documents() {
      state.documents[document.document.hexadecimal] = ShownState.Shown(
        current: places[document.current.id] ?? -1, conflicts: document.conflicts.map { places[$0.id] ?? -1 },
        isDeleted: document.isDeleted)
    }
    for path in graph.claims() {
      state.paths[String(decoding: path.path.bytes, as: UTF8.self)] = ShownState.Shown(
        current: places[path.current.id] ?? -1, conflicts: path.conflicts.map { places[$0.id] ?? -1 })
    }
    return state
  }
}

extension GraphHistory {
  func version(_ number: Int) -> Version {
    guard case .version(let record) = records[number] else { preconditionFailure("record \(number) is no version") }
    return Version(id: ids[number], record: record)
  }
}

extension VersionGraph {
  fileprivate mutating func insert(_ numbers: [Int], of history: GraphHistory) throws(VersionGraphError) {
    for number in numbers { try insert(history.records[number], id: history.ids[number]) }
  }

  /// Adds a record of any kind that the graph takes.
  mutating func insert(_ record: Record, id: RecordID) throws(VersionGraphError) {
    switch record {
    case .version(let record): try insert(Version(id: id, record: record))
    case .removal(let record): try insert(record, id: id)
    case .retraction(let record): try insert(record, id: id)
    case .device, .setting: break
    }
  }

  /// Joins a part of the records in the order of the history and compares what is shown.
  fileprivate func checkUnion(with part: [Int], of history: GraphHistory, gives graph: VersionGraph) throws {
    var joined = self
    try joined.insert(part, of: history)
    guard joined.documents() == graph.documents(), joined.claims() == graph.claims() else {
      throw FixtureFailure(reason: "a part shows something else in another order")
    }
  }
}
