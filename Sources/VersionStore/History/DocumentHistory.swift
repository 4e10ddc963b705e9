import Catalog
public import Versioning

/// Whether and how a version is shown.
public enum VersionState: String, Sendable {
  case current
  case conflict
  case history
  case removed
}

/// Everything known of the documents that a path means, and what the path shows.
public struct DocumentHistory: Sendable {
  public let path: DocumentPath
  public let view: PathView
  /// The documents, the one that is shown first: those that claim the path, else deleted ones that had it, else those that had
  /// it once and were renamed.
  public let documents: [ClaimingDocument]
  /// The graphs of the documents' families; each version is in one.
  let graphs: [VersionGraph]
  let removed: Set<RecordID>
  let retracted: Set<RecordID>

  init(path: DocumentPath, view: PathView, documents: [ClaimingDocument], graphs: [VersionGraph]) {
    self.path = path
    self.view = view
    self.documents = documents
    self.graphs = graphs
    removed = graphs.reduce(into: []) { $0.formUnion($1.removed()) }
    retracted = graphs.reduce(into: []) { $0.formUnion($1.retracted()) }
  }

  /// The current version; of a deleted document its deletion.
  public var current: Version { documents[0].current }

  /// All versions, in no order that means something.
  public var versions: [Version] { graphs.flatMap(\.versions) }

  public func version(_ id: RecordID) -> Version? { graph(of: id)?.version(id) }

  func graph(of id: RecordID) -> VersionGraph? { graphs.first { $0.contains(id) } }

  public func state(of id: RecordID) -> VersionState {
    if removed.contains(id) { return .removed }
    if documents.contains(where: { $0.current.id == id }) && (view.current.map { $0.id == id } ?? true) {
      return .current
    }
    let heads = view.current == nil ? documents.flatMap(\.heads) : view.rivals
    if let head = heads.first(where: { $0.id == id }) {
      // A head equal to the current version is no conflict (R9).
      return head.record.appearance == current.record.appearance ? .current : .conflict
    }
    return .history
  }

  public func isRemoved(_ id: RecordID) -> Bool { removed.contains(id) }

  /// The versions that a selector can mean; the caller decides what more than one means.
  func versions(_ selector: VersionSelector) -> [Version] {
    switch selector {
    case .current: return [current]
    case .prefix(let digits):
      let wanted = digits.map { (65...70).contains($0) ? $0 + 32 : $0 }
      return versions.filter { Array($0.id.hexadecimal.utf8).starts(with: wanted) }
    case .stepsBack(let count):
      var place: Version? = current
      for _ in 0..<max(count, 0) {
        guard let version = place else { break }
        place = version.record.parents.first.flatMap { self.version($0) }
      }
      return place.map { [$0] } ?? []
    case .base: return bases()
    case .time(let limit): return greatestHead(upTo: limit).map { [$0] } ?? []
    }
  }

  /// The nearest common versions of the current version and each conflict version.
  private func bases() -> [Version] {
    var found: Set<RecordID> = []
    for conflict in view.conflicts {
      guard let graph = graph(of: conflict.id), graph.contains(current.id) else { continue }
      found.formUnion(graph.mergeBases(current.id, conflict.id))
    }
    return found.sorted().compactMap { version($0) }
  }

  private func greatestHead(upTo limit: Int64) -> Version? {
    let saved = versions.filter { $0.record.wallTime <= limit && !retracted.contains($0.id) }
    var behind: Set<RecordID> = []
    for version in saved where !behind.contains(version.id) {
      for ancestor in graph(of: version.id)?.ancestors(of: version.id) ?? [] { behind.insert(ancestor.id) }
    }
    return saved.filter { !behind.contains($0.id) }.greatestFirst().first
  }
}
