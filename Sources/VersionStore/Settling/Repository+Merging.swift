import Catalog
import Hashing
import Merging
import ObjectStorage
public import Versioning

extension Repository {
  /// The longest content that is combined, in bytes.
  private static let mergeByteCount: UInt64 = 64 << 20

  /// Makes all automatic merges that are clean among the heads of the documents of some versions (R9).
  ///
  /// The same on every device, whoever makes them first. They are one operation.
  public func mergeAutomatically(
    near versions: [Version], combinesContents: Bool, operation: MergeOccasion = .exchange
  ) throws(RepositoryError) -> [Version] {
    try store.withLock { () throws(RepositoryError) in
      var families: Set<Int64> = []
      for version in versions { families.formUnion(try store.families(ofRecord: version.id)) }
      var made: [Version] = []
      let options = mergeOptions()
      let contents = MergedContents(store, options)
      for family in families.sorted() {
        let rows = try store.catalogued { () throws(CatalogError) in try store.catalog.documents(inFamily: family) }
        guard rows.contains(where: { $0.heads.count > 1 }) else { continue }
        let graph = try store.graph(ofFamily: family)
        made += graph.automaticMerges(
          MergeRules(
            number: options.rulesNumber, combinesContents: combinesContents,
            mergeContents: { base, ours, theirs in contents.merge(base, ours, theirs, limit: Self.mergeByteCount) }))
      }
      guard !made.isEmpty else { return [] }
      try store.write(operation == .exchange ? .sync : .merge) { (transaction) throws(RepositoryError) in
        for merge in made { try contents.add(merge, to: transaction) }
      }
      return made
    }
  }

  /// Tries to merge the conflict versions of one path.
  ///
  /// - Returns: the merges made, and the conflict versions that remain.
  public func merge(_ path: DocumentPath) throws(RepositoryError) -> (merged: [Version], remaining: [Version]) {
    try store.withLock { () throws(RepositoryError) in
      guard let current = try view(of: path).current else { throw .noSuchDocument(path) }
      let made = try mergeAutomatically(near: [current], combinesContents: true, operation: .request)
      if !made.isEmpty {
        var placement = Placement(self)
        try placement.run(try paths(near: made))
      }
      return (made, try view(of: path).conflicts)
    }
  }

  /// The three texts of a conflict: current, common and other version, for showing both sides.
  ///
  /// - Throws: `.refused(.notMergeable)` where there are more or fewer than two sides, or a side is no file.
  public func sides(
    of path: DocumentPath
  ) throws(RepositoryError) -> (current: Version, base: Version?, other: Version) {
    let view = try view(of: path)
    guard let current = view.current else { throw .noSuchDocument(path) }
    guard let other = view.conflicts.first, view.conflicts.count == 1 else { throw .refused(.noConflict(path)) }
    guard current.record.kind == .file, other.record.kind == .file else { throw .refused(.notMergeable(path)) }
    let graph = try store.graph(around: current.id)
    var base: Version?
    if graph.contains(other.id) {
      base = graph.mergeBases(current.id, other.id).first.flatMap { graph.version($0) }
    }
    if let known = base, graph.removed().contains(known.id) || known.record.kind != .file { base = nil }
    return (current, base, other)
  }
}

/// When automatic merges are made.
public enum MergeOccasion: Sendable {
  /// After an exchange.
  case exchange
  /// When a person asks for it.
  case request
}

/// Merges contents and keeps the results until they are stored.
private final class MergedContents {
  private let store: Store
  private let options: MergeOptions
  private var results: [ObjectID: [UInt8]] = [:]

  init(_ store: Store, _ options: MergeOptions) {
    self.store = store
    self.options = options
  }

  func merge(_ base: Version, _ ours: Version, _ theirs: Version, limit: UInt64) -> (content: ObjectID, size: UInt64)? {
    guard max(base.record.size, ours.record.size, theirs.record.size) <= limit, let old = bytes(of: base),
      let mine = bytes(of: ours), let other = bytes(of: theirs),
      case .clean(let path) = FieldMerge(base: base.record.path, ours: ours.record.path, theirs: theirs.record.path),
      let merged = MergeDriver.mergeContents(path: path.bytes, base: old, ours: mine, theirs: other, options: options)
        .content
    else { return nil }
    let id = SHA256.hash(merged)
    results[id] = merged
    return (id, UInt64(merged.count))
  }

  private func bytes(of version: Version) -> [UInt8]? {
    guard let id = version.record.content else { return nil }
    if let known = results[id] { return known }
    return try? store.content(id)
  }

  func add(_ merge: Version, to transaction: StoreTransaction) throws(RepositoryError) {
    guard let id = merge.record.content else { return }
    var content = StoredContent.present(id, byteCount: merge.record.size)
    if let bytes = results[id] {
      let parent = try merge.record.parents.first.flatMap { (id) throws(RepositoryError) in try store.version(id) }
      content = try transaction.content(bytes, id: id, after: parent)
    }
    try transaction.add(merge.record, content, isBase: false)
  }
}
