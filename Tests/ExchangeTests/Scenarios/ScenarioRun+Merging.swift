import Hashing
import Merging
import ObjectStorage
import Versioning

@testable import VersionStore

extension ScenarioRun {
  /// Merges two heads; with nothing expected it must report a conflict.
  func merge(_ expected: String?, _ heads: [RecordID], _ place: ScenarioAct) throws -> RecordID? {
    let (repository, path) = (place.repository, place.path)
    let before = try repository.view(of: path).rivals
    let made: Version?
    if before.count == 2, Set(before.map(\.id)) == Set(heads) {
      let merge = try repository.merge(path)
      made = merge.merged.first
      if expected == nil, merge.remaining.isEmpty { report("no conflict is left") }
    } else {
      made = try mergeAlone(heads, place)
    }
    guard let made else {
      if expected != nil { report("it was not clean") }
      if Set(try repository.view(of: path).rivals.map(\.id)) != Set(before.map(\.id)) { report("the heads changed") }
      return nil
    }
    let content = String(decoding: try repository.content(of: made, at: path), as: UTF8.self)
    if content != expected { report("merged to \(content.split(separator: "\n"))") }
    return made.id
  }

  /// Makes the automatic merge of two of several heads: the graph merges them when it holds nothing but what is behind them.
  private func mergeAlone(_ heads: [RecordID], _ place: ScenarioAct) throws -> Version? {
    let store = place.repository.store
    let graph = try store.graph(around: heads[0])
    var part = VersionGraph()
    for version in graph.versions
    where heads.contains(where: { $0 == version.id || graph.isAncestor(version.id, of: $0) }) {
      try part.insert(version)
    }
    for (id, removal) in graph.removals { try part.insert(removal, id: id, ignoringMissing: true) }
    let contents = MergedContents(store)
    let merges = part.automaticMerges(
      MergeRules(number: MergeDriver.rulesNumber, mergeContents: { contents.merge([$0, $1, $2]) }))
    guard merges.count <= 1 else { throw ScenarioFailure("two heads made \(merges.count) merges") }
    guard let merge = merges.first else { return nil }
    try store.write(.merge) { (transaction) throws(RepositoryError) in try contents.add(merge, to: transaction) }
    _ = try place.repository.updateWorkingFiles(near: [merge])
    return merge
  }
}

/// The contents of merges until they are stored.
private final class MergedContents {
  private let store: Store
  private var results: [ObjectID: [UInt8]] = [:]

  init(_ store: Store) {
    self.store = store
  }

  func merge(_ versions: [Version]) -> MergeRules.Content? {
    let bytes = versions.compactMap { $0.record.content.flatMap { try? store.content($0) } }
    guard bytes.count == 3,
      let merged = MergeDriver.mergeContents(
        path: versions[1].record.path.bytes, base: bytes[0], ours: bytes[1], theirs: bytes[2]
      ).content
    else { return nil }
    let id = SHA256.hash(merged)
    results[id] = merged
    return (id, UInt64(merged.count))
  }

  func add(_ merge: Version, to transaction: StoreTransaction) throws(RepositoryError) {
    guard let id = merge.record.content else { return }
    var content = StoredContent.present(id, byteCount: merge.record.size)
    if let bytes = results[id] { content = try transaction.content(bytes, id: id, after: nil) }
    try transaction.add(merge.record, content, isBase: false)
  }
}
