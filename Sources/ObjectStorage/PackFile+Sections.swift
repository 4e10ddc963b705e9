import Hashing

extension PackFile {
  /// How many objects a sealed pack holds; 0 for an active one.
  public var objectCount: Int { Int(footer?.objectCount ?? 0) + memberCount(ofObjects: true) }

  /// How many records a sealed pack holds; 0 for an active one.
  public var recordCount: Int { Int(footer?.recordCount ?? 0) + memberCount(ofObjects: false) }

  private func memberCount(ofObjects: Bool) -> Int {
    guard let blocks, let footer else { return 0 }
    return (0..<blocks.count).reduce(0) {
      (blocks.offset(at: $1) < footer.recordsOffset) == ofObjects ? $0 + blocks.memberCount(at: $1) : $0
    }
  }

  /// Where objects stand in a sealed pack whose ids begin so; whether it is the object wanted, its entry tells.
  public func objectOffsets(prefix: UInt64) -> [UInt64] {
    (objectIndex?.offsets(prefix: prefix) ?? []) + memberOffsets(prefix: prefix, ofObjects: true)
  }

  /// Where records stand in a sealed pack whose ids begin so.
  public func recordOffsets(prefix: UInt64) -> [UInt64] {
    (recordIndex?.offsets(prefix: prefix) ?? []) + memberOffsets(prefix: prefix, ofObjects: false)
  }

  var objectIndex: PackIndex? {
    guard let footer else { return nil }
    let start = Int(footer.indexOffset)
    return index(start..<start + Int(footer.objectCount) * PackFooter.indexItemByteCount)
  }

  var recordIndex: PackIndex? {
    guard let footer else { return nil }
    let start = Int(footer.indexOffset) + Int(footer.objectCount) * PackFooter.indexItemByteCount
    return index(start..<start + Int(footer.recordCount) * PackFooter.indexItemByteCount)
  }

  /// The blocks of a sealed pack; `nil` where there are none.
  var blocks: PackBlocks? {
    guard let footer, footer.blockCount > 0 else { return nil }
    let start = Int(footer.indexOffset + footer.itemsByteCount)
    let end = start + Int(footer.blockCount) * PackFooter.blockItemByteCount
    return PackBlocks(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
  }

  private func index(_ range: Range<Int>) -> PackIndex {
    PackIndex(UnsafeRawBufferPointer(rebasing: bytes[range]))
  }

  /// Gives every entry with an object in order: a sealed pack's, or the committed ones of an active pack.
  ///
  /// - Throws: in a sealed pack at the first damaged entry; what came before was good.
  public func forEachObject(_ body: (PackEntry) throws(ObjectStoreError) -> Void) throws(ObjectStoreError) {
    if let footer {
      try forEachEntry(from: UInt64(header.byteCount), to: footer.recordsOffset, body)
    } else {
      try forEachCommittedEntry { (entry) throws(ObjectStoreError) in if entry.object != nil { try body(entry) } }
    }
  }

  /// Gives every entry with a record in order: a sealed pack's, or the committed ones of an active pack.
  ///
  /// - Throws: in a sealed pack at the first damaged entry; what came before was good.
  public func forEachRecord(_ body: (PackEntry) throws(ObjectStoreError) -> Void) throws(ObjectStoreError) {
    if let footer {
      try forEachEntry(from: footer.recordsOffset, to: footer.indexOffset, body)
    } else {
      try forEachCommittedEntry { (entry) throws(ObjectStoreError) in if entry.record != nil { try body(entry) } }
    }
  }

  /// Gives every entry with an object or a record once: a sealed pack's objects, then its records; the committed ones of an
  /// active pack in order.
  ///
  /// - Throws: in a sealed pack at the first damaged entry; what came before was good.
  public func forEachEntry(_ body: (PackEntry) throws(ObjectStoreError) -> Void) throws(ObjectStoreError) {
    guard header.isSealed else {
      return try forEachCommittedEntry { (entry) throws(ObjectStoreError) in
        if entry.object != nil || entry.record != nil { try body(entry) }
      }
    }
    try forEachObject(body)
    try forEachRecord(body)
  }

  private func forEachEntry(
    from start: UInt64, to end: UInt64, _ body: (PackEntry) throws(ObjectStoreError) -> Void
  ) throws(ObjectStoreError) {
    var offset = start
    var released = start
    while offset < end {
      if offset - released > Self.walkByteCount {
        releaseMemory()
        released = offset
      }
      if let blocks, let place = blocks.block(startingAt: offset) {
        let (members, blockEnd) = try members(of: offset, place.memberCount)
        for member in members { try body(member) }
        offset = blockEnd
        continue
      }
      let entry = try entry(at: offset)
      try body(entry)
      offset = entry.end
    }
  }

  private func forEachCommittedEntry(
    _ body: (PackEntry) throws(ObjectStoreError) -> Void
  ) throws(ObjectStoreError) {
    _ = try forEachCommittedGroup { (entries, _, _) throws(ObjectStoreError) in
      for entry in entries { try body(entry) }
    }
  }
}
