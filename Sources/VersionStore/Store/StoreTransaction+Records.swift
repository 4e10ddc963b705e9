import Hashing
import ObjectStorage
import Versioning

extension StoreTransaction {
  /// Adds a record that another device made; it keeps its identity.
  func adopt(_ record: IdentifiedRecord) throws(RepositoryError) {
    if let version = record.version {
      let content = version.record.content.map { StoredContent.present($0, byteCount: version.record.size) }
      try add(version.record, content ?? .none, isBase: false)
    } else {
      try add(record.record)
    }
  }

  /// A version made now, by this device, on top of its parents (R10).
  ///
  /// - Parameters:
  ///   - parents: the one that the file came from first; the rest is put in order here.
  ///   - document: where it isn't the smallest of its parents' documents, or a new one.
  func record(
    document: DocumentID? = nil, parents: [Version], path: DocumentPath, kind: VersionKind, content: StoredContent,
    size: UInt64, mode: UInt16, modificationTime: FileTime, origin: VersionOrigin, message: [UInt8] = []
  ) -> VersionRecord {
    var random = SystemRandomNumberGenerator()
    var ids: [RecordID] = []
    if let first = parents.first {
      ids = [first.id] + Set(parents.dropFirst().map(\.id)).subtracting([first.id]).sorted()
    }
    return VersionRecord(
      document: document ?? parents.map(\.record.document).min() ?? .random(using: &random), parents: ids, path: path,
      kind: kind, content: content.id, size: size, mode: mode, modificationTime: modificationTime,
      logicalTime: .following(wallTime: now, earlier: parents.map(\.record.logicalTime)), wallTime: now,
      device: device, origin: origin, message: message)
  }
}
