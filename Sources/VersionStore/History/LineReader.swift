import Catalog
import Hashing
import ObjectStorage
import Versioning

/// Reads a history in which each version has no parent but the one before, as most have: in one pass, without a graph.
///
/// It judges nothing: where it meets anything else, or what can't be read, the graph tells what there is.
struct LineReader {
  private let store: Store
  private var writer = ByteWriter(capacity: 512)
  /// Oldest first.
  private var entries: [HistoryEntry] = []
  private var last: RecordPlace?
  /// Which of them have their content elsewhere than beside their record.
  private var elsewhere: [Int] = []

  private init(_ store: Store) {
    self.store = store
  }

  /// The history of a document as the graph of its family gives it, newest first; with a limit so many versions at most.
  ///
  /// Nothing before those is looked at then, so that it costs the same however long the history is: of what is before it is
  /// relied on that logical time grows along parents (R10).
  ///
  /// - Parameter isLocal: whether a content is here that does not stand beside its record.
  /// - Returns: `nil` where it is no line.
  static func read(
    _ row: DocumentRow, in store: Store, limit: Int?, isLocal: (Version) throws(RepositoryError) -> Bool
  ) throws(RepositoryError) -> [HistoryEntry]? {
    guard row.heads.count == 1, row.isPlain, !row.hasRemovals, !row.isDeleted, limit ?? 1 > 0 else { return nil }
    let places = try store.catalogued { () throws(CatalogError) in try store.catalog.records(inFamily: row.family) }
    let wanted = places.suffix(limit ?? places.count)
    var reader = LineReader(store)
    reader.entries.reserveCapacity(wanted.count)
    for (pack, offset) in wanted {
      guard reader.add(RecordPlace(pack: pack, offset: offset)) else { return nil }
    }
    guard let newest = reader.entries.last?.version, newest.id == row.current.id, let oldest = reader.entries.first,
      wanted.count < places.count || oldest.version.record.parents.isEmpty
    else { return nil }
    reader.entries[reader.entries.count - 1] = HistoryEntry(
      version: newest, state: .current, isLocal: reader.entries[reader.entries.count - 1].isLocal)
    try reader.lookElsewhere(isLocal)
    reader.entries.reverse()
    return reader.entries
  }

  /// Adds the record at a place.
  ///
  /// - Returns: whether it goes on with the line.
  private mutating func add(_ place: RecordPlace) -> Bool {
    guard let file = try? store.file(place.pack) else { return false }
    // A record in a block would cost the whole block each.
    if let last, last.pack == place.pack, !file.isCompacted {
      guard let (record, content) = try? file.record(at: place.offset) else { return false }
      if case .elided(let distance, _, let bytes) = record, place.offset &- last.offset == distance {
        let fields = try? VersionRecord.decode(
          elided: bytes, predecessor: entries[entries.count - 1].version, contentInEntry: content)
        guard let fields else { return false }
        return add(fields, fields.id(encodingWith: &writer), at: place, beside: content)
      }
    }
    guard let record = try? store.record(at: place), case .version(let fields) = record.record else { return false }
    return add(fields, record.id, at: place, beside: nil)
  }

  private mutating func add(
    _ fields: VersionRecord, _ id: RecordID, at place: RecordPlace, beside content: ObjectID?
  ) -> Bool {
    var isLocal = fields.content == nil || fields.content == content
    if let previous = entries.last {
      let earlier = previous.version
      guard fields.parents.count == 1, fields.parents[0] == earlier.id,
        // Where it doesn't grow, the order of a history is another one.
        fields.logicalTime >= earlier.record.logicalTime
      else { return false }
      isLocal = isLocal || previous.isLocal && earlier.record.content == fields.content
    }
    if !isLocal { elsewhere.append(entries.count) }
    entries.append(HistoryEntry(version: Version(id: id, record: fields), state: .history, isLocal: isLocal))
    last = place
    return true
  }

  /// Finds out of the contents that don't stand beside their records whether they are here.
  private mutating func lookElsewhere(
    _ isLocal: (Version) throws(RepositoryError) -> Bool
  ) throws(RepositoryError) {
    guard !elsewhere.isEmpty else { return }
    // One look at the catalog: its locks for each version would cost as much as the rest.
    try store.catalog.snapshot(failure: { .catalog($0) }) { () throws(RepositoryError) in
      for place in elsewhere {
        let entry = entries[place]
        entries[place] = HistoryEntry(
          version: entry.version, state: entry.state, isLocal: try isLocal(entry.version))
      }
    }
  }
}
