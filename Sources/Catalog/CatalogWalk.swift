public import Versioning

/// Hands out rows one by one in the order of their keys, with a bounded number in memory, so that two can be walked side by
/// side. In a transaction or snapshot they are of one state.
struct CatalogWalk<Row> {
  private static var batchCount: Int { 256 }

  private let kind: Keyspace
  private let decode: (CatalogDatabase.BodyRow) throws(CatalogError) -> Row
  private var rest: KeyRange
  private var batch: ArraySlice<CatalogDatabase.BodyRow> = []
  private var isAtEnd = false

  init(_ kind: Keyspace, _ decode: @escaping (CatalogDatabase.BodyRow) throws(CatalogError) -> Row) {
    self.kind = kind
    self.decode = decode
    rest = kind.range
  }

  mutating func next(in catalog: CatalogDatabase) throws(CatalogError) -> Row? {
    if batch.isEmpty && !isAtEnd {
      let rows = try catalog.bodies(in: rest, of: kind, limit: Self.batchCount)
      isAtEnd = rows.count < Self.batchCount
      if let last = rows.last { rest.lower = last.key + [0] }
      batch = rows[...]
    }
    return try batch.popFirst().map { (row) throws(CatalogError) in try decode(row) }
  }
}

extension CatalogDatabase {
  /// Calls the body with each path that a working file or documents that aren't deleted have, in order, with both.
  ///
  /// A bounded number of rows is in memory. The body may use the database.
  public func forEachPath<Failure: Error>(
    failure: (CatalogError) -> Failure, _ body: (DocumentPath, FileRow?, [DocumentRow]) throws(Failure) -> Void
  ) throws(Failure) {
    var files = CatalogWalk(.file) { (row) throws(CatalogError) in try Self.file(row) }
    var documents = CatalogWalk(.claim) { (row) throws(CatalogError) in try Self.document(row, of: .claim) }
    func caught<Row>(_ next: () throws(CatalogError) -> Row) throws(Failure) -> Row {
      do throws(CatalogError) { return try next() } catch { throw failure(error) }
    }
    var file = try caught { () throws(CatalogError) in try files.next(in: self) }
    var document = try caught { () throws(CatalogError) in try documents.next(in: self) }
    while let path = [file?.path, document?.path].compactMap({ $0 }).min() {
      var claimants: [DocumentRow] = []
      while let row = document, row.path == path {
        if !row.isDeleted { claimants.append(row) }
        document = try caught { () throws(CatalogError) in try documents.next(in: self) }
      }
      let found = file?.path == path ? file : nil
      if found != nil { file = try caught { () throws(CatalogError) in try files.next(in: self) } }
      if found != nil || !claimants.isEmpty { try body(path, found, claimants) }
    }
  }
}
