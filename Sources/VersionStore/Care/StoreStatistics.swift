import Catalog
import Hashing
import ObjectStorage
import SystemIO
public import Versioning

/// How much a store holds.
public struct StoreStatistics: Sendable {
  public var documents = 0
  public var deletedDocuments = 0
  public var versions = 0
  /// The bytes of all versions' contents, each counted as often as it was saved.
  public var contentByteCount: UInt64 = 0
  /// The bytes of all packs; 0 where only the documents at a path were asked for.
  public var packByteCount: UInt64 = 0
  /// The bytes of everything in the store; 0 likewise.
  public var storeByteCount: UInt64 = 0
  /// The documents whose versions together are the largest.
  public var largest: [(path: DocumentPath, byteCount: UInt64, versions: Int)] = []
}

extension Repository {
  /// How much the store holds, of all documents or of those at a path. Cost: all versions are looked at.
  public func statistics(of path: DocumentPath?) throws(RepositoryError) -> StoreStatistics {
    var statistics = StoreStatistics()
    var rows: [DocumentRow] = []
    if let path {
      let families = Set(try documentHistory(of: path).documents.map(\.family))
      for family in families.sorted() {
        rows += try store.catalogued { () throws(CatalogError) in try store.catalog.documents(inFamily: family) }
      }
    } else {
      try store.catalogued { () throws(CatalogError) in
        try store.catalog.forEachDocument(below: nil, includingDeleted: true) { (row) throws(CatalogError) in
          rows.append(row)
        }
      }
    }
    var families: Set<Int64> = []
    for row in rows {
      if row.isDeleted { statistics.deletedDocuments += 1 } else { statistics.documents += 1 }
      guard families.insert(row.family).inserted else { continue }
      let versions = try store.graph(ofFamily: row.family).versions
      let byteCount = versions.reduce(UInt64(0)) { $0 &+ $1.record.size }
      statistics.versions += versions.count
      statistics.contentByteCount &+= byteCount
      statistics.largest.append((row.path, byteCount, versions.count))
    }
    statistics.largest.sort { $0.byteCount == $1.byteCount ? $0.path < $1.path : $0.byteCount > $1.byteCount }
    statistics.largest = Array(statistics.largest.prefix(10))
    // Documents share the packs, so of some of them these say nothing; and the whole store would be walked for it.
    if path != nil { return statistics }
    for pack in try store.catalogued({ () throws(CatalogError) in try store.catalog.packs() }) {
      statistics.packByteCount &+= pack.absorbedByteCount
    }
    statistics.storeByteCount = byteCount(below: store.layout.store)
    return statistics
  }

  private func byteCount(below folder: FilePath) -> UInt64 {
    var total: UInt64 = 0
    for entry in (try? FileSystem.list(folder)) ?? [] {
      let path = folder.appending(entry.name)
      guard let status = try? FileStatus.of(path) else { continue }
      total &+= status.kind == .folder ? byteCount(below: path) : status.size
    }
    return total
  }
}
