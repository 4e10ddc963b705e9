import Catalog
import Hashing
import SystemIO
import TestSupport
import Versioning

/// Rows made up from a seed.
struct CatalogFixture {
  var generator: SeededGenerator
  let device = DeviceID(high: 7, low: 9)

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  mutating func object() -> ObjectID {
    let bytes = (0..<ObjectID.byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) }
    return ObjectID(digest: bytes)!
  }

  mutating func record() -> RecordID { RecordID(object()) }

  mutating func document() -> DocumentID { .random(using: &generator) }

  mutating func version(
    _ path: String, document: DocumentID, parents: [RecordID] = [], kind: VersionKind = .file
  ) -> Version {
    let time = Int64.random(in: 1_700_000_000_000...1_800_000_000_000, using: &generator)
    let record = VersionRecord(
      document: document, parents: parents, path: path.asPath, kind: kind,
      content: kind == .deleted ? nil : object(), size: kind == .deleted ? 0 : 1234, mode: 0o644,
      modificationTime: FileTime(seconds: time / 1000, nanoseconds: 123_456_789)!,
      logicalTime: LogicalTime(milliseconds: time, counter: 0), wallTime: time, device: device,
      origin: kind == .deleted ? .delete : .save)
    return Version(id: Record.version(record).id, record: record)
  }

  /// A document of one head.
  mutating func row(
    _ path: String, family: Int64, document: DocumentID? = nil, kind: VersionKind = .file, hasConflict: Bool = false
  ) -> DocumentRow {
    let id = document ?? self.document()
    return DocumentRow(
      document: id, family: family, heads: [version(path, document: id, kind: kind)], isPlain: !hasConflict,
      hasConflict: hasConflict, versionCount: 1)
  }

  mutating func file(_ path: String) -> FileRow {
    FileRow(
      path: path.asPath, base: [record()], seen: [],
      status: CachedStatus(
        size: 1234, modificationSeconds: 1_700_000_000, modificationNanoseconds: 5, changeSeconds: 1_700_000_001,
        changeNanoseconds: 999_999_999, inode: 1_234_567, device: 64_513,
        checkedAt: 1_700_000_002_000_000_000), content: object(), mode: 0o644, kind: .file)
  }

  /// What one save writes: a version more of the document at a path.
  mutating func save(_ path: String, in catalog: CatalogDatabase) throws {
    let file = try catalog.file(at: path.asPath)
    let old = try catalog.documents(claiming: path.asPath).first
    let new = version(path, document: old?.document ?? document(), parents: file?.base ?? [])
    let content = object()
    let device = device
    try catalog.transaction { () throws(CatalogError) in
      let name = CatalogPackName.active(device, 1)
      let number: Int64
      var offset: UInt64 = 64
      if let pack = try catalog.pack(named: name) {
        (number, offset) = (pack.number, pack.absorbedByteCount)
      } else {
        number = try catalog.insertPack(name, author: device, absorbedByteCount: offset)
      }
      let family: Int64
      if let old { family = old.family } else { family = try catalog.newFamily() }
      try catalog.insertObject(prefix: content.prefix, pack: number, offset: offset)
      try catalog.insertRecord(prefix: new.id.digest.prefix, pack: number, offset: offset, family: family)
      let row = DocumentRow(
        document: new.record.document, family: family, heads: [new], isPlain: true, hasConflict: false,
        versionCount: (old?.versionCount ?? 0) + 1)
      try catalog.replaceDocuments(inFamily: family, with: [row])
      try catalog.setFile(
        FileRow(
          path: path.asPath, base: [new.id], seen: [], status: file?.status, content: content, mode: 0o644, kind: .file)
      )
      try catalog.insertOperation(1, wallTime: new.record.wallTime, records: [new.id])
      try catalog.pruneOperations(keeping: 100)
      try catalog.setAbsorbed(pack: number, byteCount: offset + 700)
    }
  }
}

extension String {
  /// A path in a test.
  var asPath: DocumentPath { DocumentPath(Array(utf8))! }

  var asBytes: [UInt8] { Array(utf8) }
}

extension CatalogDatabase {
  /// A database in memory.
  static func inMemory() throws -> CatalogDatabase { try CatalogDatabase(.memory, isReadOnly: false) }

  func allFiles(below folder: String? = nil) throws -> [FileRow] {
    var rows: [FileRow] = []
    try forEachFile(below: folder?.asBytes) { rows.append($0) }
    return rows
  }

  func allDocuments(below folder: String? = nil, includingDeleted: Bool = false) throws -> [DocumentRow] {
    var rows: [DocumentRow] = []
    try forEachDocument(below: folder?.asBytes, includingDeleted: includingDeleted) { rows.append($0) }
    return rows
  }
}
