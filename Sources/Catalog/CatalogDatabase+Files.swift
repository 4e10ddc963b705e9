internal import Hashing
public import Versioning

extension CatalogDatabase {
  /// What is known of the working file at a path.
  public func file(at path: DocumentPath) throws(CatalogError) -> FileRow? {
    try bodies(in: KeyRange(of: Self.key(path)), of: .file).first.map { (row) throws(CatalogError) in
      try Self.file(row)
    }
  }

  /// Adds or replaces what is known of a working file.
  public func setFile(_ file: FileRow) throws(CatalogError) {
    try transaction { () throws(CatalogError) in
      let key = Self.key(file.path)
      let old = try number(at: key, of: .file)
      let number = try putBody(old, file.encoded)
      if old == nil { try put(key, number: number) }
      try touch(file.path)
    }
  }

  /// Forgets a working file; that there is none is no error.
  public func removeFile(at path: DocumentPath) throws(CatalogError) {
    try transaction { () throws(CatalogError) in
      let key = Self.key(path)
      guard let number = try number(at: key, of: .file) else { return }
      try removeBody(number)
      try remove(key)
      try touch(path)
    }
  }

  /// Calls the body with each working file below a folder, or all, in the order of their paths.
  ///
  /// A bounded number of rows is in memory. The body may use the database. Outside a transaction or snapshot it sees
  /// what others change meanwhile.
  ///
  /// - Parameter folder: a path without a slash at its end. What is at this path itself is not below it.
  public func forEachFile(
    below folder: [UInt8]?, _ body: (FileRow) throws(CatalogError) -> Void
  ) throws(CatalogError) {
    try forEachFile(below: folder, failure: { $0 }, body)
  }

  /// The same for a body that throws errors of its own.
  public func forEachFile<Failure: Error>(
    below folder: [UInt8]?, failure: (CatalogError) -> Failure, _ body: (FileRow) throws(Failure) -> Void
  ) throws(Failure) {
    try forEachBody(in: Keyspace.file.range(below: folder), of: .file, failure: failure) { (row) throws(Failure) in
      let file: FileRow
      do throws(CatalogError) { file = try Self.file(row) } catch { throw failure(error) }
      try body(file)
    }
  }

  /// - Complexity: reads the paths of all working files.
  public func fileCount() throws(CatalogError) -> Int { try count(in: Keyspace.file.range) }

  static func file(_ row: BodyRow) throws(CatalogError) -> FileRow {
    guard let path = DocumentPath(row.key.dropFirst()) else { throw Keyspace.file.damage }
    return try Keyspace.file.decode { () throws(DecodingFailure) in try FileRow(path: path, decoding: row.body) }
  }

  private static func key(_ path: DocumentPath) -> [UInt8] { Keyspace.file.key { $0.raw(path.bytes) } }
}
