internal import Hashing
public import Versioning

/// What an index of the working files beside the catalog needs to stay true: which one goes with these rows, and the paths of
/// which something was changed since it was made.
extension CatalogDatabase {
  private static let indexKey = "tree index"
  /// A change of more paths at once makes the index worthless.
  private static let touchLimit = 4096

  /// The id of the index that was made of these rows, and the paths that have changed since, in order; `nil` where there is none.
  public func treeIndex() throws(CatalogError) -> (id: [UInt8], touched: [DocumentPath])? {
    try snapshot { () throws(CatalogError) in
      guard let id = try meta(Self.indexKey) else { return nil }
      var touched: [DocumentPath] = []
      try entries(in: Keyspace.touched.range) { (key, _) throws(CatalogError) in
        guard let path = DocumentPath(key.dropFirst()) else { throw Keyspace.touched.damage }
        touched.append(path)
      }
      return (id, touched)
    }
  }

  /// Notes that an index was made of these rows, or that there is none any more.
  public func setTreeIndex(_ id: [UInt8]?) throws(CatalogError) {
    try transaction { () throws(CatalogError) in
      try setMeta(Self.indexKey, id)
      try remove(Keyspace.touched.range)
      touches.isNoted = id != nil
      touches.count = 0
      touches.last = nil
    }
  }

  /// Whether changes are noted, and how many were in this transaction.
  struct Touches {
    /// `nil` where it has to be looked up.
    var isNoted: Bool?
    var count = 0
    /// What a save changes of one path comes in several steps.
    var last: DocumentPath?
  }

  /// Notes that what is known of a path changes.
  func touch(_ path: DocumentPath) throws(CatalogError) {
    if touches.isNoted == nil { touches.isNoted = try meta(Self.indexKey) != nil }
    guard touches.isNoted ?? false, touches.last != path else { return }
    let key = Keyspace.touched.key { $0.raw(path.bytes) }
    // A page that is written makes the log longer: a document that is saved again and again is noted once.
    if try number(at: key, of: .touched) == nil {
      touches.count += 1
      if touches.count > Self.touchLimit { return try setTreeIndex(nil) }
      try put(key, number: 0)
    }
    touches.last = path
  }
}
