public import Hashing
public import SystemIO

/// Rewrites packs into one sealed pack.
///
/// The same sources give the same bytes. Objects' data is copied as it is; what is there twice is written once; journal
/// entries and groups that were not committed are left out. A base that lies in one of the sources becomes a near one.
///
/// Source: docs/format.md, "Sealed packs".
public struct PackSealer {
  /// Gives the id and the canonical bytes of a record, whose predecessor's canonical bytes come with an elided one.
  public typealias Canonical = (
    _ pack: PackFile, _ entry: PackEntry, _ predecessor: [UInt8]?
  ) throws(ObjectStoreError) -> (id: ObjectID, full: [UInt8])
  /// Gives a canonical record against its predecessor, the content written out, or `nil` where it has to be full.
  public typealias Elide = (_ full: [UInt8], _ predecessor: [UInt8]) -> [UInt8]?

  /// The greatest depth of records that is written.
  static let maximumRecordDepth: UInt8 = 200

  let file: StagedFile
  let canonical: Canonical
  let elide: Elide
  var objects = PlacedObjects()
  var records = PlacedRecords()

  /// Seals packs, the oldest first: active ones as far as they are committed, sealed ones whole.
  ///
  /// - Parameters:
  ///   - replaces: sealed packs that the new one replaces.
  ///   - packsFolder: the folder `packs` of a store; it exists.
  /// - Returns: `nil`, and no file, where there is neither an object nor a record. Otherwise the pack is durable.
  /// - Throws: `tooLarge` where the result would exceed a pack; `damagedPack` at the first damaged entry.
  public static func seal(
    _ sources: [PackFile], replaces: [PackID] = [], device: [UInt8], to packsFolder: FilePath,
    canonical: @escaping Canonical, elide: @escaping Elide
  ) throws(ObjectStoreError) -> SealedPack? {
    let file: StagedFile
    do throws(SystemError) { file = try StagedFile(in: packsFolder) } catch { throw .system(error) }
    var sealer = PackSealer(file: file, canonical: canonical, elide: elide)
    try sealer.write(PackFormat.encode(PackHeader(isSealed: true, device: device, replaces: replaces)))
    for source in sources { try refuseDamage(source) }
    for (number, source) in sources.enumerated() { try sealer.writeObjects(of: source, number) }
    let recordsOffset = file.byteCount
    for (number, source) in sources.enumerated() { try sealer.writeRecords(of: source, number) }
    guard !sealer.objects.items.isEmpty || !sealer.records.items.isEmpty else { return nil }
    try sealer.writeIndex(recordsOffset: recordsOffset)
    let id = PackID(file.digest)
    do throws(SystemError) { try file.publish(as: id.path(inPacks: packsFolder)) } catch { throw .system(error) }
    return SealedPack(
      id: id, byteCount: file.byteCount, objects: sealer.objects.items, records: sealer.records.items)
  }

  private init(file: StagedFile, canonical: @escaping Canonical, elide: @escaping Elide) {
    self.file = file
    self.canonical = canonical
    self.elide = elide
  }

  /// Groups behind a damaged one would be lost with their pack.
  private static func refuseDamage(_ source: PackFile) throws(ObjectStoreError) {
    guard !source.header.isSealed else {
      // Members of blocks can't be copied: such packs are for the compactor.
      guard source.blocks == nil else { throw .damagedPack(source.name, offset: 0, reason: .inconsistent) }
      return
    }
    if case .damaged(let offset, let reason) = source.tail(from: source.forEachCommittedGroup { _, _, _ in }) {
      throw .damagedPack(source.name, offset: offset, reason: reason)
    }
  }

  private func write(_ bytes: [UInt8]) throws(ObjectStoreError) {
    guard UInt64(bytes.count) <= PackFormat.maximumByteCount - file.byteCount else { throw .tooLarge }
    do throws(SystemError) { try file.append(bytes) } catch { throw .system(error) }
  }

  // MARK: Objects

  private mutating func writeObjects(of source: PackFile, _ number: Int) throws(ObjectStoreError) {
    try source.forEachObject { (entry) throws(ObjectStoreError) in
      guard var object = entry.object else { return }
      let offset = file.byteCount
      let origin = Origin(source: number, offset: entry.offset)
      try rebase(&object, origin, at: offset, source)
      // A copy further from a whole object than this one would make what depends on this one deeper than it says.
      // Archives of one id may be of several forms.
      if object.kind != .archive, let known = objects.byID[ObjectKey(object)], known.depth <= object.depth {
        objects.byOrigin[origin] = known
        return
      }
      object.data = .bytes(source.data(of: object))
      try write(PackFormat.encodeEntry(.object(object)))
      let placed = PlacedObjects.Placed(offset: offset, depth: object.depth)
      objects.byOrigin[origin] = placed
      objects.byID[ObjectKey(object)] = placed
      objects.items.append(SealedPack.Item(id: object.id, offset: offset))
    }
  }

  /// Names an object's base as it has to be named in the new pack.
  private func rebase(
    _ object: inout ObjectEntry, _ origin: Origin, at offset: UInt64, _ source: PackFile
  ) throws(ObjectStoreError) {
    switch object.base {
    case nil:
      return
    case .far(let id):
      let key = ObjectKey(id: id, kind: object.kind)
      guard let base = objects.byID[key], base.depth < object.depth else { return }
      object.base = .near(distance: offset - base.offset)
      object.depth = base.depth + 1
    case .near(let distance):
      guard distance <= origin.offset,
        let base = objects.byOrigin[Origin(source: origin.source, offset: origin.offset - distance)],
        base.depth < object.depth
      else { throw .damagedPack(source.name, offset: origin.offset, reason: .inconsistent) }
      object.base = .near(distance: offset - base.offset)
      object.depth = base.depth + 1
    }
  }

  // MARK: Records

  private mutating func writeRecords(of source: PackFile, _ number: Int) throws(ObjectStoreError) {
    try source.forEachRecord { (entry) throws(ObjectStoreError) in
      guard let record = entry.record else { return }
      let origin = Origin(source: number, offset: entry.offset)
      var predecessor: PlacedRecords.Placed?
      if case .elided(let distance, _, _) = record {
        guard distance <= entry.offset,
          let place = records.byOrigin[Origin(source: number, offset: entry.offset - distance)]
        else { throw .damagedPack(source.name, offset: entry.offset, reason: .inconsistent) }
        predecessor = records.placed[place]
      }
      let (id, full) = try canonical(source, entry, predecessor?.full)
      if let place = records.byID[id] {
        records.byOrigin[origin] = place
        return
      }
      let offset = file.byteCount
      var sealed = RecordEntry.full(full)
      if let predecessor, predecessor.depth < Self.maximumRecordDepth, let bytes = elide(full, predecessor.full) {
        sealed = .elided(distance: offset - predecessor.offset, depth: predecessor.depth + 1, bytes: bytes)
      }
      try write(PackFormat.encodeEntry(.record(sealed)))
      records.byOrigin[origin] = records.placed.count
      records.byID[id] = records.placed.count
      records.placed.append(PlacedRecords.Placed(offset: offset, depth: sealed.depth, full: full))
      records.items.append(SealedPack.Item(id: id, offset: offset))
    }
  }

  // MARK: Index

  private func writeIndex(recordsOffset: UInt64) throws(ObjectStoreError) {
    let indexOffset = file.byteCount
    let index =
      PackFormat.encodeIndex(objects.items.map { ($0.id.prefix, UInt32($0.offset)) })
      + PackFormat.encodeIndex(records.items.map { ($0.id.prefix, UInt32($0.offset)) })
    try write(index)
    let footer = PackFooter(
      recordsOffset: recordsOffset, indexOffset: indexOffset, objectCount: UInt32(objects.items.count),
      recordCount: UInt32(records.items.count), indexChecksum: PackFormat.checksum(index))
    try write(PackFormat.encode(footer))
  }
}
