import Hashing

extension PackCompactor {
  // MARK: Histories

  /// Writes texts, the first of them whole, the others in blocks behind it: versions of one text, the newest first, lead on from
  /// block to block; of short texts that are like one another each block begins with a whole one.
  mutating func write(_ ids: [ObjectID], _ sort: ObjectBlockBuilder.Sort) throws(ObjectStoreError) {
    var texts = HistoryTexts(ids, source)
    var builder: ObjectBlockBuilder?
    var base: (offset: UInt64, depth: UInt8) = (0, 0)
    while let (id, text) = try texts.next() {
      guard var current = builder else {
        builder = try begin(id, text, sort, &base)
        continue
      }
      if current.isFull {
        guard sort == .versions, base.depth < Self.maximumBlockDepth else {
          try finish(current, base)
          builder = try begin(id, text, sort, &base)
          continue
        }
        current = try continueBehind(current, &base)
      }
      if current.add(id, text) {
        builder = current
      } else {
        try finish(current, base)
        builder = try begin(id, text, sort, &base)
      }
    }
    if let builder { try finish(builder, base) }
  }

  /// Stores a text by itself, as the base of a block.
  private mutating func begin(
    _ id: ObjectID, _ text: [UInt8], _ sort: ObjectBlockBuilder.Sort, _ base: inout (offset: UInt64, depth: UInt8)
  ) throws(ObjectStoreError) -> ObjectBlockBuilder {
    base = (try writeWhole(id, .blob, text), 0)
    return ObjectBlockBuilder(base: text, sort, memberCount: membersInBlock)
  }

  /// Writes a block that another one follows, and begins that one.
  private mutating func continueBehind(
    _ builder: ObjectBlockBuilder, _ base: inout (offset: UInt64, depth: UInt8)
  ) throws(ObjectStoreError) -> ObjectBlockBuilder {
    let offset = file.byteCount
    if try write(builder, base, hasFarEnd: true) {
      base = (offset, base.depth + 1)
    } else {
      // The last text is better stored by itself.
      if let shorter = builder.droppingLast() { try finish(shorter, base) }
      base = (try writeWhole(SHA256.hash(builder.last), .blob, builder.last), 0)
    }
    return ObjectBlockBuilder(base: builder.last, .versions, memberCount: membersInBlock)
  }

  private mutating func finish(
    _ builder: ObjectBlockBuilder, _ base: (offset: UInt64, depth: UInt8)
  ) throws(ObjectStoreError) {
    if builder.isEmpty { return }
    guard try write(builder, base, hasFarEnd: false) else { throw .tooLarge }
  }

  private mutating func write(
    _ builder: ObjectBlockBuilder, _ base: (offset: UInt64, depth: UInt8), hasFarEnd: Bool
  ) throws(ObjectStoreError) -> Bool {
    let offset = file.byteCount
    guard
      let (ids, body) = builder.encoded(
        distance: offset - base.offset, depth: base.depth, hasFarEnd: hasFarEnd, deflater: deflater)
    else { return false }
    try write(PackFormat.encodeBlock(PackFormat.EntryType.objectsBlock, body))
    blocks.append((UInt32(offset), ids.count))
    for (number, id) in ids.enumerated() {
      place(id, .blob, at: offset + UInt64(number), depth: PackFile.memberDepth, isMember: true)
    }
    return true
  }

  private mutating func place(_ id: ObjectID, _ kind: ObjectKind, at offset: UInt64, depth: UInt8, isMember: Bool) {
    placed[Key(id: id, kind: kind)] = Placed(offset: offset, depth: depth, isMember: isMember)
    objects.append(SealedPack.Item(id: id, offset: offset))
    if !isMember { listedObjects.append(SealedPack.Item(id: id, offset: offset)) }
  }

  @discardableResult
  private mutating func writeWhole(
    _ id: ObjectID, _ kind: ObjectKind, _ bytes: [UInt8]
  ) throws(ObjectStoreError) -> UInt64 {
    let encoded = bytes.withRawBytes { DeltaPolicy.encodeWhole($0, deflater: deflater) }
    let offset = file.byteCount
    try write(
      PackFormat.encodeEntry(
        .object(
          ObjectEntry(
            id: id, kind: kind, encoding: encoded.encoding, byteCount: UInt64(bytes.count), data: .bytes(encoded.data)))
      ))
    place(id, kind, at: offset, depth: 0, isMember: false)
    return offset
  }

  // MARK: Everything else

  /// Copies the objects that are in no block, as they are stored where that is possible.
  mutating func copyOthers(_ entries: ObjectSurvey, progress: (Int) -> Void) throws(ObjectStoreError) {
    for key in entries.order where placed[key] == nil {
      guard let entry = entries[key] else { continue }
      if let object = rebased(entry, entries) {
        let offset = file.byteCount
        try write(PackFormat.encodeEntry(.object(object)))
        place(key.id, key.kind, at: offset, depth: object.depth, isMember: false)
      } else {
        try writeWhole(key.id, key.kind, try bytes(of: key, entry))
      }
      progress(objects.count)
    }
  }

  private func bytes(of key: Key, _ entry: ObjectSurvey.Entry) throws(ObjectStoreError) -> [UInt8] {
    if key.kind == .blob { return try source.read(key.id, .blob) }
    return try entry.pack.objectBytes(at: entry.offset, resolvingFar: source.read)
  }

  /// An object's entry for its place in the new pack, or `nil` where what it is stored against can't be its base there.
  private func rebased(_ entry: ObjectSurvey.Entry, _ entries: ObjectSurvey) -> ObjectEntry? {
    let object = entry.object
    if case .member = object.data { return nil }
    var copy = object
    let base: ObjectID
    switch object.base {
    case nil:
      copy.data = .bytes(entry.pack.data(of: object))
      return copy
    case .far(let id): base = id
    case .near(let distance):
      guard distance <= entry.offset, let id = try? entry.pack.object(at: entry.offset - distance).id else {
        return nil
      }
      // Another archive of that id may have other bytes.
      if object.kind == .archive {
        guard let kept = entries[Key(id: id, kind: .archive)], kept.pack === entry.pack,
          kept.offset == entry.offset - distance
        else { return nil }
      }
      base = id
    }
    copy.data = .bytes(entry.pack.data(of: object))
    if let known = placed[Key(id: base, kind: object.kind)] {
      guard !known.isMember, known.depth < PackFormat.maximumCopiedDepth else { return nil }
      copy.base = .near(distance: file.byteCount - known.offset)
      copy.depth = known.depth + 1
      return copy
    }
    if case .far = object.base { return copy }
    return nil
  }
}

extension PackFormat {
  /// The greatest depth of a base that a copied object keeps.
  fileprivate static let maximumCopiedDepth: UInt8 = 250
}

/// Texts, of versions the newest first, read in runs from the last on: so a version is one step from the one read before.
private struct HistoryTexts {
  private static let runByteCount: UInt64 = 24 << 20
  private static let runLength = 96

  private var left: ArraySlice<ObjectID>
  private let source: PackCompactor.Source
  private var run: [(ObjectID, [UInt8])] = []

  init(_ ids: [ObjectID], _ source: PackCompactor.Source) {
    left = ids[...]
    self.source = source
  }

  mutating func next() throws(ObjectStoreError) -> (ObjectID, [UInt8])? {
    if run.isEmpty {
      var count = 0
      var byteCount: UInt64 = 0
      for id in left.prefix(Self.runLength) {
        byteCount += try source.byteCount(id)
        if count > 0, byteCount > Self.runByteCount { break }
        count += 1
      }
      for id in left.prefix(count).reversed() { run.append((id, try source.read(id, .blob))) }
      left = left.dropFirst(count)
    }
    return run.popLast()
  }
}

/// The objects of some packs: of each the copy with the least depth.
struct ObjectSurvey {
  struct Entry {
    let pack: PackFile
    let offset: UInt64
    /// Its data is not copied.
    let object: ObjectEntry
  }

  private var entries: [PackCompactor.Key: Entry] = [:]
  private(set) var order: [PackCompactor.Key] = []

  init(_ packs: [PackFile]) throws(ObjectStoreError) {
    for pack in packs {
      try pack.forEachObject { (entry) throws(ObjectStoreError) in
        guard let object = entry.object else { return }
        let key = PackCompactor.Key(id: object.id, kind: object.kind)
        if let known = entries[key] {
          if known.object.depth <= object.depth { return }
        } else {
          order.append(key)
        }
        entries[key] = Entry(pack: pack, offset: entry.offset, object: object)
      }
    }
  }

  var count: Int { order.count }

  var keys: Set<PackCompactor.Key> { Set(order) }

  func holds(_ blob: ObjectID) -> Bool { entries[PackCompactor.Key(id: blob, kind: .blob)] != nil }

  /// Whether a blob is here and was not found incompressible; very short ones say nothing of that.
  func isCompressible(_ blob: ObjectID) -> Bool {
    guard let object = entries[PackCompactor.Key(id: blob, kind: .blob)]?.object else { return false }
    return object.encoding != .raw || object.byteCount <= Self.shortByteCount
  }

  private static let shortByteCount: UInt64 = 256

  subscript(key: PackCompactor.Key) -> Entry? { entries[key] }
}
