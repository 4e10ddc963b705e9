import Catalog
import Hashing
import SystemIO
import Versioning

extension Store {
  /// The documents of the family that a record belongs to.
  func documentRows(around id: RecordID) throws(RepositoryError) -> [DocumentRow] {
    var rows: [DocumentRow] = []
    for family in try families(ofRecord: id) {
      rows += try catalogued { () throws(CatalogError) in try catalog.documents(inFamily: family) }
    }
    return rows
  }

  /// Remembers how working files looked when they were read, in a change of the catalog of its own.
  func setStatuses(_ statuses: [DocumentPath: CachedStatus]) throws(RepositoryError) {
    if statuses.isEmpty { return }
    try transaction { () throws(RepositoryError) in try putStatuses(statuses) }
  }

  func putStatuses(_ statuses: [DocumentPath: CachedStatus]) throws(RepositoryError) {
    for (path, status) in statuses {
      guard var row = try catalogued({ () throws(CatalogError) in try catalog.file(at: path) }) else { continue }
      row.status = status
      try catalogued { () throws(CatalogError) in try catalog.setFile(row) }
    }
  }
}
