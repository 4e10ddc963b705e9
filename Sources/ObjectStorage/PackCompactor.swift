import Deflate
public import Hashing
public import SystemIO

/// Writes packs anew, smaller: versions of a text in blocks, records in blocks of columns.
///
/// The pack is read back whole and compared with the ids before it gets its name; nothing else is believed of what was
/// written. Memory: at most about 100 MiB for texts, and some 150 bytes for each object.
///
/// Source: docs/format.md, "Blocks".
public struct PackCompactor {
  /// A record and the digest that is its id.
  public struct Record: Sendable {
    public let id: ObjectID
    /// The canonical record.
    public let bytes: [UInt8]

    public init(id: ObjectID, bytes: [UInt8]) {
      self.id = id
      self.bytes = bytes
    }
  }

  /// Encodes a run of records for a block, or gives `nil` where they have to be written in full.
  ///
  /// `offset` gives the place of an object in the new pack.
  public typealias Columns = (
    _ records: Range<Int>, _ offset: (ObjectID) -> UInt64?
  ) throws(ObjectStoreError) -> [UInt8]?

  /// Reads what is to be written anew.
  public struct Source {
    let byteCount: (ObjectID) throws(ObjectStoreError) -> UInt64
    let read: (ObjectID, ObjectKind) throws(ObjectStoreError) -> [UInt8]

    /// - Parameters:
    ///   - byteCount: the length of a blob.
    ///   - read: the bytes of an object of a kind, a blob's verified.
    public init(
      byteCount: @escaping (ObjectID) throws(ObjectStoreError) -> UInt64,
      read: @escaping (ObjectID, ObjectKind) throws(ObjectStoreError) -> [UInt8]
    ) {
      self.byteCount = byteCount
      self.read = read
    }
  }

  /// The greatest depth of blocks that is written: what reading the oldest version costs.
  static let maximumBlockDepth: UInt8 = 31
  private static let recordBlockByteCount = 128 << 10

  struct Key: Hashable {
    let id: ObjectID
    let kind: ObjectKind
  }

  struct Placed {
    let offset: UInt64
    let depth: UInt8
    let isMember: Bool
  }

  let file: StagedFile
  let source: Source
  let membersInBlock: Int
  let deflater = Deflater(level: 9)
  var placed: [Key: Placed] = [:]
  var objects: [SealedPack.Item] = []
  var records: [SealedPack.Item] = []
  /// Entries that are no blocks, and so are in the index by their ids.
  var listedObjects: [SealedPack.Item] = []
  var listedRecords: [SealedPack.Item] = []
  var blocks: [(offset: UInt32, memberCount: Int)] = []

  /// Writes one pack with everything that sealed packs hold.
  ///
  /// - Parameters:
  ///   - histories: versions of one text each, the newest first; blobs that the packs don't hold are passed over.
  ///   - neighbours: short texts that are like one another each, in the order in which they are read; likewise.
  ///   - records: all records of the packs, in an order in which none comes before what it names.
  ///   - packsFolder: the folder `packs` of a store; it exists.
  ///   - membersInBlock: the most versions in one block, at most 256.
  ///   - progress: is told of how many objects so many are done.
  /// - Returns: the pack, durable; `nil`, and no file, where it would be no smaller than `packs` together.
  public static func compact(
    _ packs: [PackFile], replaces: [PackID], device: [UInt8], to packsFolder: FilePath, histories: [[ObjectID]],
    neighbours: [[ObjectID]] = [], records: [Record], columns: Columns, from source: Source, membersInBlock: Int = 256,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws(ObjectStoreError) -> SealedPack? {
    let file: StagedFile
    do throws(SystemError) { file = try StagedFile(in: packsFolder) } catch { throw .system(error) }
    var compactor = PackCompactor(
      file: file, source: source, membersInBlock: min(max(membersInBlock, 1), ObjectBlock.memberCountLimit))
    try compactor.write(PackFormat.encode(PackHeader(isSealed: true, device: device, replaces: replaces)))
    let entries = try ObjectSurvey(packs)
    let runs = histories.map { ($0, ObjectBlockBuilder.Sort.versions) } + neighbours.map { ($0, .neighbours) }
    for (texts, sort) in runs {
      let present = texts.filter { id in
        (sort == .versions ? entries.holds(id) : entries.isCompressible(id))
          && compactor.placed[Key(id: id, kind: .blob)] == nil
      }
      if present.count > 1 { try compactor.write(present, sort) }
      progress(compactor.objects.count, entries.count)
    }
    try compactor.copyOthers(entries) { progress($0, entries.count) }
    let recordsOffset = file.byteCount
    try compactor.writeRecords(records, columns)
    try compactor.writeIndex(recordsOffset: recordsOffset)
    guard file.byteCount < packs.reduce(0, { $0 + $1.byteCount }) else { return nil }
    let id = PackID(file.digest)
    try compactor.verify(id, entries, recordCount: records.count)
    do throws(SystemError) { try file.publish(as: id.path(inPacks: packsFolder)) } catch { throw .system(error) }
    return SealedPack(id: id, byteCount: file.byteCount, objects: compactor.objects, records: compactor.records)
  }

  private init(file: StagedFile, source: Source, membersInBlock: Int) {
    self.membersInBlock = membersInBlock
    self.file = file
    self.source = source
  }

  func write(_ bytes: [UInt8]) throws(ObjectStoreError) {
    guard UInt64(bytes.count) <= PackFormat.maximumByteCount - file.byteCount else { throw .tooLarge }
    do throws(SystemError) { try file.append(bytes) } catch { throw .system(error) }
  }

  /// Reads the pack back, whole, while it has no name yet.
  private func verify(_ id: PackID, _ entries: ObjectSurvey, recordCount: Int) throws(ObjectStoreError) {
    do throws(SystemError) { try file.flush() } catch { throw .system(error) }
    let pack = try PackFile.open(file.temporary, name: .sealed(id))
    let damages = pack.verify(deep: true, resolvingFar: source.read)
    if let damage = damages.first {
      throw .damagedPack(.sealed(id), offset: damage.offset ?? 0, reason: .inconsistent)
    }
    var found: Set<Key> = []
    try pack.forEachObject { (entry) throws(ObjectStoreError) in
      if let object = entry.object { found.insert(Key(id: object.id, kind: object.kind)) }
    }
    guard found == entries.keys, pack.recordCount == recordCount else {
      throw .damagedPack(.sealed(id), offset: 0, reason: .inconsistent)
    }
  }

  // MARK: Records

  private mutating func writeRecords(_ all: [Record], _ columns: Columns) throws(ObjectStoreError) {
    var offsets: [ObjectID: UInt64] = [:]
    for object in objects { offsets[object.id] = object.offset }
    var start = 0
    while start < all.count {
      var end = start
      var byteCount = 0
      while end < all.count, end - start < RecordBlock.memberCountLimit, byteCount < Self.recordBlockByteCount {
        byteCount += all[end].bytes.count
        end += 1
      }
      try writeRecords(Array(all[start..<end]), try columns(start..<end) { offsets[$0] })
      start = end
    }
  }

  private mutating func writeRecords(_ run: [Record], _ columns: [UInt8]?) throws(ObjectStoreError) {
    let offset = file.byteCount
    if let columns, columns.count <= RecordBlock.columnsByteCountLimit, run.count > 1 {
      let body = RecordBlock.encode(run.map(\.id), columns: columns, deflater: deflater)
      try write(PackFormat.encodeBlock(PackFormat.EntryType.recordsBlock, body))
      blocks.append((UInt32(offset), run.count))
      for (number, record) in run.enumerated() {
        records.append(SealedPack.Item(id: record.id, offset: offset + UInt64(number)))
      }
      return
    }
    for record in run {
      let item = SealedPack.Item(id: record.id, offset: file.byteCount)
      try write(PackFormat.encodeEntry(.record(.full(record.bytes))))
      records.append(item)
      listedRecords.append(item)
    }
  }

  private func writeIndex(recordsOffset: UInt64) throws(ObjectStoreError) {
    let indexOffset = file.byteCount
    let index =
      PackFormat.encodeIndex(listedObjects.map { ($0.id.prefix, UInt32($0.offset)) })
      + PackFormat.encodeIndex(listedRecords.map { ($0.id.prefix, UInt32($0.offset)) })
      + PackFormat.encodeBlocks(blocks)
    try write(index)
    let footer = PackFooter(
      recordsOffset: recordsOffset, indexOffset: indexOffset, objectCount: UInt32(listedObjects.count),
      recordCount: UInt32(listedRecords.count), indexChecksum: PackFormat.checksum(index))
    try write(PackFormat.encode(footer))
  }
}
