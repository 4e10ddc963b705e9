import Hashing
import Versioning

/// The records of a batch in the order of the new pack, and which contents are to be written together.
///
/// Source: docs/decisions/0009-compact.md.
struct CompactionOrder {
  /// A text is written with others of its folder up to this length, and where it has so few versions.
  private static let neighbourByteCount: UInt64 = 64 << 10
  private static let neighbourVersionCount = 16

  /// None comes before what it names.
  private(set) var records: [IdentifiedRecord] = []
  /// Contents of one document each, the newest first.
  private(set) var histories: [[ObjectID]] = []
  /// Contents of documents with short histories, the newest of each first: those whose files are likely to be alike.
  private(set) var neighbours: [[ObjectID]] = []

  init(_ packs: [[IdentifiedRecord]]) {
    var all: [IdentifiedRecord] = []
    var seen: Set<RecordID> = []
    for records in packs {
      for record in records where seen.insert(record.id).inserted { all.append(record) }
    }
    var documents: [DocumentID] = []
    var versions: [DocumentID: [Version]] = [:]
    for version in all.compactMap(\.version) {
      if versions[version.record.document] == nil { documents.append(version.record.document) }
      versions[version.record.document, default: []].append(version)
    }
    var grouped: [IdentifiedRecord] = []
    var short: [(path: DocumentPath, contents: [ObjectID])] = []
    for document in documents {
      let group = versions[document] ?? []
      grouped += group.map { IdentifiedRecord(id: $0.id, record: .version($0.record)) }
      let newestFirst = group.greatestFirst()
      let contents = Self.contents(of: newestFirst)
      if let newest = newestFirst.first?.record, Self.isShort(newestFirst, contents) {
        short.append((newest.path, contents))
      } else {
        histories.append(contents)
      }
    }
    gather(short)
    grouped += all.filter { $0.version == nil }
    // Documents that were settled with one another name each other's versions, and of two packs the later one may have been
    // sealed first.
    records = RecordOrder.namedFirst(grouped).map { grouped[$0] }
  }

  private static func contents(of newestFirst: [Version]) -> [ObjectID] {
    var seen: Set<ObjectID> = []
    return newestFirst.compactMap(\.record.content).filter { seen.insert($0).inserted }
  }

  private static func isShort(_ versions: [Version], _ contents: [ObjectID]) -> Bool {
    contents.count <= neighbourVersionCount
      && versions.allSatisfy { $0.record.kind != .package && $0.record.size <= neighbourByteCount }
  }

  private mutating func gather(_ short: [(path: DocumentPath, contents: [ObjectID])]) {
    var places: [[UInt8]: Int] = [:]
    for (path, contents) in short.sorted(by: { $0.path < $1.path }) {
      let kin = path.kin
      if let place = places[kin] {
        neighbours[place] += contents
      } else {
        places[kin] = neighbours.count
        neighbours.append(contents)
      }
    }
  }
}
