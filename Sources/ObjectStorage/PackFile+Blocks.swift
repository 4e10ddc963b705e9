import Deflate
import Hashing

extension PackFile {
  /// What an object in a block says of its depth: about as much work as so many deltas.
  static let memberDepth: UInt8 = 32

  // MARK: Members

  /// The body of the block that begins at an offset, its checksum verified.
  private func blockBody(at offset: UInt64) throws(PackFormatError) -> (body: Range<Int>, isObjects: Bool) {
    guard let footer, offset >= UInt64(header.byteCount), offset < footer.indexOffset else { throw .inconsistent }
    let isObjects = offset < footer.recordsOffset
    let end = Int(isObjects ? footer.recordsOffset : footer.indexOffset)
    let type = isObjects ? PackFormat.EntryType.objectsBlock : PackFormat.EntryType.recordsBlock
    let frame = try PackFormat.decodeFrame(
      in: UnsafeRawBufferPointer(rebasing: bytes[..<end]), at: offset, types: type...type)
    guard frame.head == type else { throw .inconsistent }
    return (frame.body, isObjects)
  }

  /// Whether it was compacted from other packs.
  public var isCompacted: Bool { blocks != nil || !header.replaces.isEmpty }

  /// Whether a block that begins at an offset would be one of objects.
  func isObjectBlock(_ offset: UInt64) -> Bool { offset < footer?.recordsOffset ?? 0 }

  func decodeObjectBlock(at offset: UInt64) throws(PackFormatError) -> ObjectBlock {
    let (body, isObjects) = try blockBody(at: offset)
    guard isObjects else { throw .inconsistent }
    do throws(DecodingFailure) {
      return try ObjectBlock(bytes, in: body, offset: offset)
    } catch { throw .malformed(error) }
  }

  private func decodeRecordBlock(at offset: UInt64) throws(PackFormatError) -> RecordBlock {
    let (body, isObjects) = try blockBody(at: offset)
    guard !isObjects else { throw .inconsistent }
    do throws(DecodingFailure) {
      return try RecordBlock(bytes, in: body)
    } catch { throw .malformed(error) }
  }

  /// The records of the block that begins at an offset, as whoever wrote it put them together, and their number.
  public func recordBlock(at offset: UInt64) throws(ObjectStoreError) -> (columns: [UInt8], memberCount: Int) {
    do throws(PackFormatError) {
      let block = try decodeRecordBlock(at: offset)
      return (try block.columns(in: bytes), block.memberCount)
    } catch { throw .damagedPack(name, offset: offset, reason: error) }
  }

  /// The one member that an offset stands for.
  func member(_ offset: UInt64, of block: UInt64, _ count: Int) throws(PackFormatError) -> PackEntry {
    let number = Int(offset - block)
    let (_, isObjects) = try blockBody(at: block)
    if isObjects {
      let decoded = try decodeObjectBlock(at: block)
      guard decoded.memberCount == count else { throw .inconsistent }
      return try member(number, of: decoded, script(of: decoded))
    }
    guard try decodeRecordBlock(at: block).memberCount == count else { throw .inconsistent }
    return PackEntry(
      offset: offset, byteCount: 1, isBaseMark: false, content: .record(.member(block: block, number: number)))
  }

  func member(_ number: Int, of block: ObjectBlock, _ script: BlockScript) throws(PackFormatError) -> PackEntry {
    guard let id = block.id(number, in: bytes) else { throw .inconsistent }
    return PackEntry(
      offset: block.offset + UInt64(number), byteCount: 1, isBaseMark: false,
      content: .object(
        ObjectEntry(
          id: id, kind: .blob, encoding: .delta, byteCount: UInt64(script.steps[number].byteCount), base: nil,
          depth: Self.memberDepth, data: .member(block: block.offset, number: number))))
  }

  func script(of block: ObjectBlock) throws(PackFormatError) -> BlockScript {
    let edits: [UInt8]
    do throws(DeflateError) {
      edits = try Inflater().inflate(
        UnsafeRawBufferPointer(rebasing: bytes[block.edits]), byteCount: block.editsByteCount)
    } catch { throw .malformed(.invalidValue) }
    do throws(DecodingFailure) { return try BlockScript(edits, block: block) } catch { throw .malformed(error) }
  }

  /// All members of the block that begins at an offset, and where it ends.
  func members(of offset: UInt64, _ count: Int) throws(ObjectStoreError) -> (members: [PackEntry], end: UInt64) {
    do throws(PackFormatError) {
      let (body, isObjects) = try blockBody(at: offset)
      var members: [PackEntry] = []
      if isObjects {
        let block = try decodeObjectBlock(at: offset)
        guard block.memberCount == count else { throw .inconsistent }
        let script = try script(of: block)
        for number in 0..<count { members.append(try member(number, of: block, script)) }
      } else {
        guard try decodeRecordBlock(at: offset).memberCount == count else { throw .inconsistent }
        for number in 0..<count {
          members.append(
            PackEntry(
              offset: offset + UInt64(number), byteCount: 1, isBaseMark: false,
              content: .record(.member(block: offset, number: number))))
        }
      }
      return (members, UInt64(body.upperBound) + 4)
    } catch { throw .damagedPack(name, offset: offset, reason: error) }
  }

  // MARK: Looking up

  func memberOffsets(prefix: UInt64, ofObjects: Bool) -> [UInt64] {
    guard let blocks, let footer else { return [] }
    var offsets: [UInt64] = []
    for place in 0..<blocks.count {
      let start = blocks.offset(at: place)
      guard (start < footer.recordsOffset) == ofObjects else { continue }
      let members =
        ofObjects
        ? (try? decodeObjectBlock(at: start))?.members(prefix: prefix, in: bytes)
        : (try? decodeRecordBlock(at: start))?.members(prefix: prefix, in: bytes)
      offsets += (members ?? []).map { start + UInt64($0) }.sorted()
    }
    return offsets
  }

  /// Whether the blocks' own parts that take the place of an index fit.
  func areBlocksOrdered() -> Bool {
    guard let blocks, let footer else { return true }
    var last: UInt64 = 0
    for place in 0..<blocks.count {
      let start = blocks.offset(at: place)
      guard start > last else { return false }
      last = start
      let isOrdered =
        start < footer.recordsOffset
        ? (try? decodeObjectBlock(at: start))?.isOrdered(in: bytes)
        : (try? decodeRecordBlock(at: start))?.isOrdered(in: bytes)
      guard isOrdered == true else { return false }
    }
    return true
  }

  // MARK: Contents

  /// The bytes of a member, not verified.
  func memberBytes(
    _ number: Int, of block: UInt64, _ cache: BlockCache, _ inflater: Inflater
  ) throws(ObjectStoreError) -> [UInt8] {
    let decoded = try cache.decoded(block, in: self) { () throws(ObjectStoreError) in
      try decodeBlock(block, inflater)
    }
    guard number < decoded.block.memberCount, let id = decoded.block.id(number, in: bytes) else {
      throw .damagedPack(name, offset: block, reason: .inconsistent)
    }
    do throws(DeltaError) { return try decoded.bytes(of: number) } catch {
      throw .corrupt(id, pack: name, offset: block + UInt64(number))
    }
  }

  /// Decodes a block through all those that its base is behind: of these only the first member is put together.
  private func decodeBlock(_ offset: UInt64, _ inflater: Inflater) throws(ObjectStoreError) -> DecodedBlock {
    var chain = [try block(at: offset)]
    var base: [UInt8]?
    while base == nil, let last = chain.last {
      if let above = blocks?.block(startingAt: last.base) {
        let next = try block(at: above.offset)
        guard next.offset < last.offset, Int(next.depth) + 1 == Int(last.depth), next.hasFarEnd else {
          throw .damagedPack(name, offset: last.offset, reason: .inconsistent)
        }
        chain.append(next)
        continue
      }
      let object = try object(at: last.base)
      guard last.depth == 0, object.kind == .blob, object.encoding != .delta, last.base < last.offset else {
        throw .damagedPack(name, offset: last.offset, reason: .inconsistent)
      }
      base = try wholeBytes(of: DeltaChain.Link(offset: last.base, object: object), inflater)
    }
    while let next = chain.popLast(), let text = base {
      do {
        let decoded = try DecodedBlock(
          next, script: try script(of: next), base: text, in: bytes, onlyFirst: !chain.isEmpty, inflater)
        if chain.isEmpty { return decoded }
        base = try decoded.bytes(of: 0)
      } catch let error as PackFormatError {
        throw .damagedPack(name, offset: next.offset, reason: error)
      } catch { throw .damagedPack(name, offset: next.offset, reason: .inconsistent) }
    }
    throw .damagedPack(name, offset: offset, reason: .inconsistent)
  }

  private func block(at offset: UInt64) throws(ObjectStoreError) -> ObjectBlock {
    do throws(PackFormatError) { return try decodeObjectBlock(at: offset) } catch {
      throw .damagedPack(name, offset: offset, reason: error)
    }
  }
}
