internal import Hashing
public import Versioning

extension CatalogDatabase {
  // MARK: Reading

  /// The documents of a family, in no particular order.
  public func documents(inFamily family: Int64) throws(CatalogError) -> [DocumentRow] {
    try documents(in: Self.kin(family), of: .kin) { $0.family == family }
  }

  /// The document of an id. Where several families claim the id, the one that was there first.
  public func document(_ id: DocumentID) throws(CatalogError) -> DocumentRow? {
    try documents(in: Keyspace.document.range { $0.raw(id.bytes) }, of: .document, limit: 1) { $0.document == id }.first
  }

  /// The documents whose current version is at a path and no deletion, in no particular order.
  public func documents(claiming path: DocumentPath) throws(CatalogError) -> [DocumentRow] {
    try documents(in: Self.claims(path, deleted: false), of: .claim) { $0.path == path && !$0.isDeleted }
  }

  /// The documents whose current version is a deletion at a path, in no particular order.
  public func documents(deletedAt path: DocumentPath) throws(CatalogError) -> [DocumentRow] {
    try documents(in: Self.claims(path, deleted: true), of: .claim) { $0.path == path && $0.isDeleted }
  }

  /// All documents in conflict, in the order of their paths.
  public func conflictedDocuments() throws(CatalogError) -> [DocumentRow] {
    try documents(in: Keyspace.conflict.range, of: .conflict) { $0.hasConflict }
  }

  /// The paths that two or more documents claim, in order.
  public func contestedPaths() throws(CatalogError) -> [DocumentPath] {
    var paths: [DocumentPath] = []
    try entries(in: Keyspace.contested.range) { (key, _) throws(CatalogError) in
      guard let path = DocumentPath(key.dropFirst()) else { throw Keyspace.contested.damage }
      paths.append(path)
    }
    return paths
  }

  /// Calls the body with each document below a folder, or all, in the order of their paths.
  ///
  /// A bounded number of rows is in memory. The body may use the database. Outside a transaction or snapshot it sees
  /// what others change meanwhile.
  ///
  /// - Parameters:
  ///   - folder: a path without a slash at its end. What is at this path itself is not below it.
  ///   - includingDeleted: whether documents whose current version is a deletion come too.
  public func forEachDocument(
    below folder: [UInt8]?, includingDeleted: Bool = false, _ body: (DocumentRow) throws(CatalogError) -> Void
  ) throws(CatalogError) {
    try forEachDocument(below: folder, includingDeleted: includingDeleted, failure: { $0 }, body)
  }

  /// The same for a body that throws errors of its own.
  public func forEachDocument<Failure: Error>(
    below folder: [UInt8]?, includingDeleted: Bool = false, failure: (CatalogError) -> Failure,
    _ body: (DocumentRow) throws(Failure) -> Void
  ) throws(Failure) {
    try forEachBody(in: Keyspace.claim.range(below: folder), of: .claim, failure: failure) {
      (row) throws(Failure) in
      let document: DocumentRow
      do throws(CatalogError) { document = try StoredDocument(row, of: .claim).document } catch { throw failure(error) }
      if includingDeleted || !document.isDeleted { try body(document) }
    }
  }

  // MARK: Writing

  /// Replaces the documents of a family as a whole. What hasn't changed is not written.
  ///
  /// - Precondition: each document belongs to this family, and there are no two of one id.
  public func replaceDocuments(inFamily family: Int64, with documents: [DocumentRow]) throws(CatalogError) {
    try transaction { () throws(CatalogError) in
      var old: [StoredDocument] = []
      for row in try bodies(in: Self.kin(family), of: .kin) { old.append(try StoredDocument(row, of: .kin)) }
      old.sort { $0.document.document < $1.document.document }
      var rest = old[...]
      for document in documents.sorted(by: { $0.document < $1.document }) {
        precondition(document.family == family, "a document of another family")
        while let first = rest.first, first.document.document < document.document { try remove(rest.removeFirst()) }
        let isKnown = rest.first?.document.document == document.document
        try replace(isKnown ? rest.removeFirst() : nil, with: document)
      }
      for gone in rest { try remove(gone) }
    }
  }

  /// Adds the document of a family that has none yet, which is not looked for.
  public func insertFirstDocument(_ document: DocumentRow) throws(CatalogError) {
    try transaction { () throws(CatalogError) in try replace(nil, with: document) }
  }

  /// Whether there is no document at all.
  public func hasNoDocuments() throws(CatalogError) -> Bool {
    var isEmpty = true
    try entries(in: Keyspace.document.range, limit: 1) { _, _ in isEmpty = false }
    return isEmpty
  }

  func moveDocuments(from family: Int64, to other: Int64) throws(CatalogError) {
    for row in try bodies(in: Self.kin(family), of: .kin) {
      let old = try StoredDocument(row, of: .kin)
      try replace(old, with: old.document.moved(to: other))
    }
  }

  private func replace(_ old: StoredDocument?, with document: DocumentRow) throws(CatalogError) {
    let body = document.encoded
    guard let old else {
      let number = try putBody(nil, body)
      try touch(document.path)
      return try change([], to: Self.keys(of: document, number), number: number)
    }
    if body != old.body {
      try putBody(old.number, body)
      try touch(document.path)
      if old.document.path != document.path { try touch(old.document.path) }
    }
    let oldKeys = Self.keys(of: old.document, old.number)
    try change(oldKeys, to: Self.keys(of: document, old.number), number: old.number)
  }

  private func remove(_ old: StoredDocument) throws(CatalogError) {
    try removeBody(old.number)
    try touch(old.document.path)
    try change(Self.keys(of: old.document, old.number), to: [], number: old.number)
  }

  /// Makes other keys lead to a body.
  private func change(_ old: [[UInt8]], to new: [[UInt8]], number: Int64) throws(CatalogError) {
    let removed = old.filter { !new.contains($0) }
    let added = new.filter { !old.contains($0) }
    for key in removed { try remove(key) }
    for key in added { try put(key, number: number) }
    for key in removed + added where key.first == Keyspace.claim.rawValue {
      guard let end = key.firstIndex(of: 0) else { continue }
      try noteContest(Array(key[1..<end]), mayBeOver: !removed.isEmpty)
    }
  }

  /// Brings the list of contested paths up to date for a path.
  private func noteContest(_ path: [UInt8], mayBeOver: Bool) throws(CatalogError) {
    var claimCount = 0
    try entries(in: Self.claims(path, deleted: false), limit: 2) { _, _ in claimCount += 1 }
    let key = Keyspace.contested.key { $0.raw(path) }
    if claimCount > 1 {
      try put(key, number: 0)
    } else if mayBeOver {
      try remove(key)
    }
  }

  // MARK: Keys

  static func document(_ row: BodyRow, of kind: Keyspace) throws(CatalogError) -> DocumentRow {
    try StoredDocument(row, of: kind).document
  }

  private func documents(
    in range: KeyRange, of kind: Keyspace, limit: Int = .max, where fits: (DocumentRow) -> Bool
  ) throws(CatalogError) -> [DocumentRow] {
    var documents: [DocumentRow] = []
    for row in try bodies(in: range, of: kind, limit: limit) {
      let document = try StoredDocument(row, of: kind).document
      // A key that leads to another document's body.
      guard fits(document) else { throw kind.damage }
      documents.append(document)
    }
    return documents
  }

  private static func keys(of document: DocumentRow, _ number: Int64) -> [[UInt8]] {
    let path = document.path.bytes
    var keys = [
      Keyspace.document.key {
        $0.raw(document.document.bytes)
        $0.orderedRow(number)
      },
      kin(document.family).lower + ordered(number),
      claims(path, deleted: document.isDeleted).lower + ordered(number),
    ]
    if document.hasConflict {
      keys.append(
        Keyspace.conflict.key {
          $0.raw(path)
          $0.u8(0)
          $0.orderedRow(number)
        })
    }
    return keys
  }

  private static func ordered(_ number: Int64) -> [UInt8] {
    var writer = ByteWriter(capacity: 9)
    writer.orderedRow(number)
    return writer.bytes
  }

  private static func kin(_ family: Int64) -> KeyRange { Keyspace.kin.range { $0.orderedRow(family) } }

  private static func claims(_ path: DocumentPath, deleted: Bool) -> KeyRange { claims(path.bytes, deleted: deleted) }

  private static func claims(_ path: [UInt8], deleted: Bool) -> KeyRange {
    Keyspace.claim.range {
      $0.raw(path)
      $0.u8(0)
      $0.u8(deleted ? 1 : 0)
    }
  }
}

/// A document with the row that it is in.
private struct StoredDocument {
  let number: Int64
  let body: [UInt8]
  let document: DocumentRow

  init(_ row: CatalogDatabase.BodyRow, of kind: Keyspace) throws(CatalogError) {
    number = row.number
    body = row.body
    do { document = try DocumentRow(decoding: row.body) } catch { throw .damagedRow(table: "body of a \(kind)") }
  }
}
