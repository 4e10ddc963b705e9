extension VersionGraph {
  /// The automatic merge of the first clean pair of heads (R9), or `nil` where no pair is clean.
  public func nextMerge(_ rules: MergeRules) -> Version? {
    var run = MergeRun(graph: self, rules: rules)
    return run.next()?.merge
  }

  /// The automatic merges to add, in order: the first clean pair is merged, again until no pair is clean (R9).
  ///
  /// Other devices that have the same records make the same merges.
  ///
  /// - Complexity: each merge costs a pass over the versions of its family, and a search for the bases of each pair of
  ///   heads that wasn't tried before.
  public func automaticMerges(_ rules: MergeRules) -> [Version] {
    var made: [(key: HeadPair, merge: Version)] = []
    for graph in mergeableFamilies() {
      var run = MergeRun(graph: graph, rules: rules)
      // Merges of a family keep their order; between families the smallest pair that waits comes first, so a merge
      // comes at the latest pair that its family had to wait for.
      var latest: HeadPair?
      while let (pair, merge) = run.next() {
        let key = latest.map { max($0, pair) } ?? pair
        latest = key
        made.append((key, merge))
        run.add(merge)
      }
    }
    return made.enumerated().sorted { ($0.element.key, $0.offset) < ($1.element.key, $1.offset) }
      .map(\.element.merge)
  }

  /// The families in which there is a pair of heads to try, each as a graph of its own.
  private func mergeableFamilies() -> [VersionGraph] {
    let pairs = pairsToTry(GraphSurvey(self))
    let wanted = Set(pairs.map { family($0.smaller.number) })
    guard !wanted.isEmpty else { return [] }
    var graphs: [Int: VersionGraph] = [:]
    for number in versions.indices where wanted.contains(family(number)) {
      graphs[family(number), default: VersionGraph()].insertPresent(
        .version(versions[number].record), versions[number].id)
    }
    var families: [RecordID: Set<Int>] = [:]
    for (id, removal) in removals {
      let touched = familiesOf([removal.kept] + removal.listed, removals: [:])
      families[id] = touched
      for family in touched { graphs[family]?.insertPresent(.removal(removal), id) }
    }
    for (id, retraction) in retractions {
      for family in familiesOf(retraction.names, removals: families) {
        graphs[family]?.insertPresent(.retraction(retraction), id)
      }
    }
    return Array(graphs.values)
  }

  /// The families that hold versions of these names, or versions that removals of these names are about.
  private func familiesOf(_ names: [RecordID], removals: [RecordID: Set<Int>]) -> Set<Int> {
    names.reduce(into: []) { found, name in
      if let number = number(name) { found.insert(family(number)) }
      found.formUnion(removals[name] ?? [])
    }
  }

  /// Adds a record of a larger graph whose parents were added before.
  private mutating func insertPresent(_ record: Record, _ id: RecordID) {
    do throws(VersionGraphError) {
      switch record {
      case .version(let record): try insert(Version(id: id, record: record))
      case .removal(let record): try insert(record, id: id, ignoringMissing: true)
      case .retraction(let record): try insert(record, id: id, ignoringMissing: true)
      case .device, .setting: break
      }
    } catch {
      preconditionFailure("a family holds the parents of its versions")
    }
  }

  /// The pairs of live heads of one document that look different, in the order in which they are tried (R9).
  func pairsToTry(_ survey: GraphSurvey) -> [HeadPair] {
    var pairs: [HeadPair] = []
    for heads in headsByDocument(survey).values where heads.count > 1 {
      let live = heads.filter { !versions[$0].record.isDeletion }
        .map { HeadPair.Side(id: versions[$0].id, number: $0) }.sorted { $0.id < $1.id }
      for (place, smaller) in live.enumerated() {
        let appearance = versions[smaller.number].record.appearance
        for larger in live[(place + 1)...] where versions[larger.number].record.appearance != appearance {
          pairs.append(HeadPair(smaller: smaller, larger: larger))
        }
      }
    }
    return pairs.sorted()
  }
}
