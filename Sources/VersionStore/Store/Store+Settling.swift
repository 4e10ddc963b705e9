import Catalog
import Hashing
public import Versioning

/// Whether everything that came in was merged and placed. Where the catalog was lost it counts as not.
extension Store {
  private static let unsettledKey = "unsettled"

  /// What names the last change that was not merged and placed yet; `nil` where everything was.
  public func unsettledMark() throws(RepositoryError) -> UInt64? {
    guard let bytes = try catalogued({ () throws(CatalogError) in try catalog.meta(Self.unsettledKey) }) else {
      return nil
    }
    var reader = ByteReader(bytes)
    return (try? reader.u64()) ?? 0
  }

  /// Notes that something came in.
  public func markUnsettled() throws(RepositoryError) {
    var writer = ByteWriter(capacity: 8)
    writer.u64((try unsettledMark() ?? 0) &+ 1)
    try catalogued { () throws(CatalogError) in try catalog.setMeta(Self.unsettledKey, writer.bytes) }
  }

  /// Notes that what had come in at a mark was merged and placed; if more came since, that stays to be done.
  public func settle(_ mark: UInt64) throws(RepositoryError) {
    try withLock { () throws(RepositoryError) in
      guard try unsettledMark() == mark else { return }
      try catalogued { () throws(CatalogError) in try catalog.setMeta(Self.unsettledKey, nil) }
    }
  }

  /// All heads of the documents in conflict.
  public func headsInConflict() throws(RepositoryError) -> [Version] {
    try catalogued { () throws(CatalogError) in try catalog.conflictedDocuments() }.flatMap(\.heads)
  }
}
