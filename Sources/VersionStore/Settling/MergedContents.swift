import DocumentMerging
import Hashing
import Merging
import Versioning

/// Merges contents and keeps the results until they are stored.
final class MergedContents {
  /// The longest content that is combined, in bytes.
  static let byteLimit: UInt64 = 64 << 20

  private let store: Store
  private let options: MergeOptions
  private var results: [ObjectID: [UInt8]] = [:]

  init(_ store: Store, _ options: MergeOptions) {
    self.store = store
    self.options = options
  }

  /// The merge of two files or two packages (R9); `nil` where it isn't clean, or a content isn't at hand.
  func merge(_ base: Version, _ ours: Version, _ theirs: Version) -> MergeRules.Content? {
    guard let old = base.record.content, let mine = ours.record.content, let other = theirs.record.content else {
      return nil
    }
    if base.record.kind == .package { return mergePackages(old, mine, other) }
    guard max(base.record.size, ours.record.size, theirs.record.size) <= Self.byteLimit else { return nil }
    let path = FieldMerge(base: base.record.path, ours: ours.record.path, theirs: theirs.record.path)
    return merge(path.value ?? base.record.path, old, mine, other)
  }

  /// The merge of three files of a package.
  func merge(_ base: PackageEntry, _ ours: PackageEntry, _ theirs: PackageEntry) -> MergeRules.Content? {
    guard let old = base.content, let mine = ours.content, let other = theirs.content,
      max(base.size, ours.size, theirs.size) <= Self.byteLimit
    else { return nil }
    return merge(FieldMerge(base: base.path, ours: ours.path, theirs: theirs.path).value ?? base.path, old, mine, other)
  }

  private func merge(
    _ path: DocumentPath, _ base: ObjectID, _ ours: ObjectID, _ theirs: ObjectID
  ) -> MergeRules.Content? {
    guard let old = bytes(base), let mine = bytes(ours), let other = bytes(theirs) else { return nil }
    return DocumentMerge.merge(path: path.bytes, base: old, ours: mine, theirs: other, options: options).content
      .map { keep($0) }
  }

  private func mergePackages(_ base: ObjectID, _ ours: ObjectID, _ theirs: ObjectID) -> MergeRules.Content? {
    guard let old = manifest(base), let mine = manifest(ours), let other = manifest(theirs) else { return nil }
    let merge = PackageMerge(base: old, ours: mine, theirs: other) { self.merge($0, $1, $2) }
    guard let manifest = merge.manifest else { return nil }
    return (keep(manifest.encoded()).content, manifest.fileByteCount)
  }

  /// Notes bytes as the content of something that may be stored.
  func keep(_ bytes: [UInt8]) -> MergeRules.Content {
    let id = SHA256.hash(bytes)
    results[id] = bytes
    return (id, UInt64(bytes.count))
  }

  func manifest(_ id: ObjectID) -> PackageManifest? {
    bytes(id).flatMap { try? PackageManifest(decoding: $0) }
  }

  private func bytes(_ id: ObjectID) -> [UInt8]? {
    if let known = results[id] { return known }
    return try? store.content(id)
  }

  /// What was made here, of these contents.
  func made(_ ids: some Sequence<ObjectID>) -> [ObjectID: [UInt8]] {
    var found: [ObjectID: [UInt8]] = [:]
    for id in ids { found[id] = results[id] }
    return found
  }

  /// Stores a merge with the contents that it needs.
  func add(_ merge: Version, to transaction: StoreTransaction) throws(RepositoryError) {
    guard let id = merge.record.content else { return }
    var content = StoredContent.present(id, byteCount: merge.record.size)
    if let bytes = results[id] {
      let parent = try merge.record.parents.first.flatMap { (id) throws(RepositoryError) in try store.version(id) }
      if merge.record.kind == .package { try addEntries(of: id, to: transaction) }
      content = try transaction.content(bytes, id: id, after: parent)
    }
    try transaction.add(merge.record, content, isBase: false)
  }

  private func addEntries(of id: ObjectID, to transaction: StoreTransaction) throws(RepositoryError) {
    for entry in manifest(id)?.entries ?? [] {
      guard let content = entry.content, let bytes = results[content] else { continue }
      try transaction.append(bytes, id: content)
    }
  }
}

extension StoreTransaction {
  /// Stores content that no record of this group names, such as that of a package's entry.
  func append(_ bytes: [UInt8], id: ObjectID) throws(RepositoryError) {
    if case .inline(let object) = try content(bytes, id: id, after: nil) { try append(object) }
  }
}
