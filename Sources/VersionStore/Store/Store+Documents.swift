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

  /// Whether the catalog alone tells that nothing was removed in the family of a record.
  func hasNoRemovals(around id: RecordID) throws(RepositoryError) -> Bool {
    try catalogued { () throws(CatalogError) in
      // Families of other records whose ids begin alike do no harm.
      let families = Set(try catalog.records(prefix: id.digest.prefix).map(\.family))
      for family in families {
        let rows = try catalog.documents(inFamily: family)
        if rows.isEmpty || rows.contains(where: \.hasRemovals) { return false }
      }
      return !families.isEmpty
    }
  }

  /// The versions of some families whose id begins with some hexadecimal digits.
  func versions(
    withPrefix digits: [UInt8], inFamilies families: Set<Int64>
  ) throws(RepositoryError) -> [Version] {
    let leading = digits.prefix(16)
    let padding = 16 - leading.count
    guard
      let low = UInt64(String(decoding: leading + [UInt8](repeating: 48, count: padding), as: UTF8.self), radix: 16),
      let high = UInt64(String(decoding: leading + [UInt8](repeating: 102, count: padding), as: UTF8.self), radix: 16)
    else { return [] }
    let wanted = digits.map { (65...70).contains($0) ? $0 + 32 : $0 }
    let places = try catalogued { () throws(CatalogError) in
      try catalog.records(prefixes: low...high, limit: 1000)
    }
    var found: [RecordID: Version] = [:]
    for place in places where families.contains(place.family) {
      let version = try record(at: RecordPlace(pack: place.pack, offset: place.offset)).version
      if let version, version.id.hexadecimal.utf8.starts(with: wanted) { found[version.id] = version }
    }
    return Array(found.values)
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
