import Hashing
import ObjectStorage
import Versioning

extension StoreTransaction {
  /// Adds a record that another device made and that is known not to be here; it keeps its identity.
  ///
  /// - Parameter content: that of a version, where it is not stored yet.
  func adopt(_ record: IdentifiedRecord, _ content: StoredContent? = nil) throws(RepositoryError) {
    if let version = record.version {
      let stored = version.record.content.map { StoredContent.present($0, byteCount: version.record.size) }
      try add(version.record, id: record.id, content ?? stored ?? .none, isBase: false, isNewDocument: true)
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
    VersionRecord.next(
      on: parents, document: document, path: path, kind: kind, content: content, size: size, mode: mode,
      modificationTime: modificationTime, now: now, device: device, origin: origin, message: message)
  }
}

extension VersionRecord {
  /// A version made by a device on top of its parents (R10).
  ///
  /// - Parameters:
  ///   - parents: the one that the file came from first; the rest is put in order here.
  ///   - document: where it isn't the smallest of its parents' documents, or a new one.
  ///   - now: milliseconds since 1970, in the years 1 to 9999.
  static func next(
    on parents: [Version], document: DocumentID? = nil, path: DocumentPath, kind: VersionKind, content: StoredContent,
    size: UInt64, mode: UInt16, modificationTime: FileTime, now: Int64, device: DeviceID, origin: VersionOrigin,
    message: [UInt8]
  ) -> VersionRecord {
    var random = SystemRandomNumberGenerator()
    var ids: [RecordID] = []
    if let first = parents.first {
      ids = [first.id]
      if parents.count > 1 { ids += Set(parents.dropFirst().map(\.id)).subtracting([first.id]).sorted() }
    }
    return VersionRecord(
      document: document ?? parents.map(\.record.document).min() ?? .random(using: &random), parents: ids, path: path,
      kind: kind, content: content.id, size: size, mode: mode, modificationTime: modificationTime,
      logicalTime: .following(wallTime: now, earlier: parents.map(\.record.logicalTime)), wallTime: now,
      device: device, origin: origin, message: message)
  }
}

extension RecordEntry {
  /// The longest run of records that are stored one against the other.
  private static let deepestVersion: UInt8 = 63

  /// A version record in the shortest form that a place in a pack allows.
  ///
  /// - Parameter predecessor: its first parent, where that stands in the same pack.
  static func version(
    _ record: VersionRecord, at offset: UInt64, contentInEntry: ObjectID?,
    after predecessor: (version: Version, offset: UInt64, depth: UInt8)?
  ) -> RecordEntry {
    guard let predecessor, predecessor.depth < deepestVersion,
      let bytes = record.elided(against: predecessor.version, contentInEntry: contentInEntry)
    else { return .full(Record.version(record).encoded()) }
    return .elided(distance: offset - predecessor.offset, depth: predecessor.depth + 1, bytes: bytes)
  }
}
