import Hashing
import Versioning

/// What sealing carries forward of a journal, in one entry: most of it is one version for each working file, and operations
/// that made just these.
///
/// Source: docs/format.md, "Journal".
struct CarriedJournal: Equatable {
  /// The type of the entry.
  static let type: UInt8 = 7

  /// Working files that came from one version, and nothing else was seen.
  private(set) var bases: [(path: DocumentPath, id: RecordID)] = []
  private(set) var operations: [Operation] = []

  struct Operation: Equatable {
    let operation: UInt8
    let wallTime: Int64
    var isUndone: Bool
    let records: [RecordID]
  }

  static func == (left: CarriedJournal, right: CarriedJournal) -> Bool {
    left.operations == right.operations && left.bases.elementsEqual(right.bases) { $0 == $1 }
  }

  var isEmpty: Bool { bases.isEmpty && operations.isEmpty }

  /// Takes an entry in; `false` where it has to be written by itself.
  mutating func add(_ entry: JournalEntry) -> Bool {
    switch entry {
    case .base(let path, let base, let seen):
      guard let id = base.first, base.count == 1, seen.isEmpty else { return false }
      bases.append((path, id))
    case .operation(let operation, let wallTime, let records):
      operations.append(Operation(operation: operation, wallTime: wallTime, isUndone: false, records: records))
    case .undone(let record):
      guard let last = operations.last, last.records.first == record else { return false }
      operations[operations.count - 1].isUndone = true
    case .gone, .unplaced, .spelling: return false
    }
    return true
  }

  /// The entries that it stands for.
  var entries: [JournalEntry] {
    var entries: [JournalEntry] = bases.map { .base(path: $0.path, base: [$0.id], seen: []) }
    for operation in operations {
      entries.append(.operation(operation.operation, wallTime: operation.wallTime, records: operation.records))
      if operation.isUndone, let first = operation.records.first { entries.append(.undone(first)) }
    }
    return entries
  }

  // MARK: Encoding

  func encoded() -> [UInt8] {
    var writer = ByteWriter(capacity: 64 + 48 * bases.count)
    writer.u8(Self.type)
    writer.varint(UInt64(bases.count))
    var previous: [UInt8] = []
    for base in bases {
      let path = base.path.bytes
      let shared = zip(path, previous).prefix { $0 == $1 }.count
      writer.varint(UInt64(shared))
      writer.bytes(path[shared...])
      writer.id(base.id.digest)
      previous = path
    }
    let places = placesOfRecords()
    writer.varint(UInt64(operations.count))
    for operation in operations {
      writer.u8(operation.operation)
      writer.zigzag(operation.wallTime)
      writer.u8(operation.isUndone ? 1 : 0)
      Self.encode(operation.records, places, to: &writer)
    }
    return writer.bytes
  }

  /// Where the records of operations stand among the bases.
  private func placesOfRecords() -> [RecordID: Int] {
    let wanted = Set(operations.flatMap(\.records))
    var places: [RecordID: Int] = [:]
    for (place, base) in bases.enumerated() where wanted.contains(base.id) { places[base.id] = place }
    return places
  }

  private static func encode(_ records: [RecordID], _ places: [RecordID: Int], to writer: inout ByteWriter) {
    var runs: [(id: RecordID, place: Int?, count: Int)] = []
    // Each base once: a reader believes no operation that has more of them than there are.
    var unused = places
    for id in records {
      let place = unused.removeValue(forKey: id)
      if let place, let last = runs.last, let first = last.place, first + last.count == place {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((id, place, 1))
      }
    }
    writer.varint(UInt64(runs.count))
    for run in runs {
      guard let place = run.place else {
        writer.varint(0)
        writer.id(run.id.digest)
        continue
      }
      writer.varint(UInt64(run.count))
      writer.varint(UInt64(place))
    }
  }

  // MARK: Decoding

  /// Decodes what ``encoded()`` gives.
  init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    var reader = ByteReader(bytes)
    guard try reader.u8() == Self.type else { throw .invalidValue }
    // A base has at least its two lengths and its id.
    let baseCount = try reader.varint(limit: UInt64(reader.remaining / (ObjectID.byteCount + 2)))
    bases.reserveCapacity(Int(baseCount))
    var previous: [UInt8] = []
    for _ in 0..<baseCount {
      let shared = Int(try reader.varint(limit: UInt64(previous.count)))
      let path = previous[..<shared] + (try reader.bytes(limit: DocumentPath.maximumByteCount - shared))
      guard let path = DocumentPath(Array(path)) else { throw .invalidValue }
      bases.append((path, RecordID(try reader.id())))
      previous = path.bytes
    }
    for _ in 0..<(try reader.varint(limit: UInt64(reader.remaining / 4))) {
      operations.append(try operation(&reader))
    }
    try reader.finish()
  }

  init() {}

  private func operation(_ reader: inout ByteReader) throws(DecodingFailure) -> Operation {
    let operation = try reader.u8()
    let wallTime = try reader.zigzag()
    let isUndone = try reader.u8()
    guard isUndone <= 1 else { throw .invalidValue }
    var records: [RecordID] = []
    var unused = bases.count
    for _ in 0..<(try reader.varint(limit: UInt64(reader.remaining / 2))) {
      let count = Int(try reader.varint(limit: UInt64(unused)))
      guard count > 0 else {
        records.append(RecordID(try reader.id()))
        continue
      }
      unused -= count
      let place = Int(try reader.varint(limit: UInt64(bases.count - count)))
      records += bases[place..<place + count].map(\.id)
    }
    return Operation(operation: operation, wallTime: wallTime, isUndone: isUndone == 1, records: records)
  }
}
