import Deflate
public import Hashing

/// The way from a stored object down to bytes that do not depend on anything else in the same pack.
struct DeltaChain {
  struct Link {
    let offset: UInt64
    let object: ObjectEntry
  }

  enum Foundation {
    /// Raw or deflated data.
    case whole(Link)
    /// An object of another pack.
    case far(ObjectID)
    /// Bytes that were decoded before.
    case known([UInt8])
    /// A member of a block.
    case member(block: UInt64, number: Int)
  }

  /// Deltas, the object itself first.
  var deltas: [Link] = []
  var foundation: Foundation
}

extension PackFile {
  /// An object's bytes, decoded through all that it is stored against.
  ///
  /// A blob's digest is verified. Those of a chunk list or an archive cannot be: whoever puts its content together
  /// verifies that.
  ///
  /// - Parameter resolvingFar: gives the verified bytes of an object of an older pack and of a kind, at most once.
  public func objectBytes(
    at offset: UInt64, resolvingFar: (ObjectID, ObjectKind) throws(ObjectStoreError) -> [UInt8]
  ) throws(ObjectStoreError) -> [UInt8] {
    try objectBytes(at: offset, known: nil, BlockCache(), resolvingFar: resolvingFar)
  }

  /// - Parameters:
  ///   - known: verified blobs, which end a chain.
  ///   - keepsFoundation: whether the whole blob that a chain ends with becomes one of these.
  func objectBytes(
    at offset: UInt64, known: DecodedObjects?, keepsFoundation: Bool = false, _ blocks: BlockCache,
    _ inflater: Inflater = Inflater(), resolvingFar: (ObjectID, ObjectKind) throws(ObjectStoreError) -> [UInt8]
  ) throws(ObjectStoreError) -> [UInt8] {
    let object = try blocks.object(at: offset, in: self)
    let chain = try chain(at: offset, known: known, blocks)
    let bytes: [UInt8]
    switch chain.foundation {
    case .whole(let link):
      bytes = try wholeBytes(of: link, inflater)
      if keepsFoundation && !chain.deltas.isEmpty {
        try verify(bytes, of: link.object, at: link.offset)
        known?.insert(link.object.id, bytes)
      }
    case .known(let known): bytes = known
    case .far(let id): bytes = try resolvingFar(id, object.kind)
    case .member(let block, let number): bytes = try memberBytes(number, of: block, blocks, inflater)
    }
    let decoded = try applying(chain.deltas, to: bytes, inflater)
    try verify(decoded, of: object, at: offset)
    return decoded
  }

  private func verify(_ bytes: [UInt8], of object: ObjectEntry, at offset: UInt64) throws(ObjectStoreError) {
    guard object.kind != .blob || SHA256.hash(bytes) == object.id else {
      throw .corrupt(object.id, pack: name, offset: offset)
    }
  }

  /// Where the chain of an object ends, or `nil` where the object isn't at that offset or something in this pack that it is
  /// stored against hasn't its checksum.
  public func chainEnd(at offset: UInt64, of id: ObjectID?) -> ChainEnd? {
    guard let chain = try? chain(at: offset, known: nil, BlockCache()), let object = try? object(at: offset),
      object.id == id
    else { return nil }
    return if case .far = chain.foundation { .otherPack } else { .samePack }
  }

  /// Follows bases within the pack. Every step goes to an earlier entry with a depth less by one, so it ends.
  func chain(at start: UInt64, known: DecodedObjects?, _ blocks: BlockCache) throws(ObjectStoreError) -> DeltaChain {
    var deltas: [DeltaChain.Link] = []
    var offset = start
    while true {
      let object = try blocks.object(at: offset, in: self)
      if let above = deltas.last {
        guard object.kind == above.object.kind, Int(object.depth) + 1 == Int(above.object.depth) else {
          throw .damagedPack(name, offset: above.offset, reason: .inconsistent)
        }
      }
      let link = DeltaChain.Link(offset: offset, object: object)
      if object.kind == .blob, let bytes = known?[object.id], UInt64(bytes.count) == object.byteCount {
        return DeltaChain(deltas: deltas, foundation: .known(bytes))
      }
      if case .member(let block, let number) = object.data {
        // Only what is read by itself: nothing is stored against a member but its block's.
        guard deltas.isEmpty else { throw .damagedPack(name, offset: offset, reason: .inconsistent) }
        return DeltaChain(deltas: [], foundation: .member(block: block, number: number))
      }
      switch object.base {
      case nil:
        return DeltaChain(deltas: deltas, foundation: .whole(link))
      case .far(let id):
        guard object.kind != .archive else { throw .damagedPack(name, offset: offset, reason: .inconsistent) }
        return DeltaChain(deltas: deltas + [link], foundation: .far(id))
      case .near(let distance):
        deltas.append(link)
        guard distance <= offset else { throw .damagedPack(name, offset: offset, reason: .inconsistent) }
        offset -= distance
      }
    }
  }

  /// The bytes of an object that is no delta.
  func wholeBytes(of link: DeltaChain.Link, _ inflater: Inflater) throws(ObjectStoreError) -> [UInt8] {
    let object = link.object
    guard object.encoding == .deflate else { return data(of: object) }
    do throws(DeflateError) {
      return try withData(of: object) { (data) throws(DeflateError) in
        try inflater.inflate(data, byteCount: Int(object.byteCount))
      }
    } catch {
      throw .corrupt(object.id, pack: name, offset: link.offset)
    }
  }

  /// Applies deltas, the last one first, to the bytes of its base.
  func applying(
    _ deltas: [DeltaChain.Link], to base: [UInt8], _ inflater: Inflater
  ) throws(ObjectStoreError) -> [UInt8] {
    // A single one is applied at once, without taking the text apart.
    guard deltas.count != 1 else { return try applying(deltas[0], to: base, inflater) }
    let text = DeltaText(base)
    for link in deltas.reversed() {
      do throws(DeltaError) {
        try withData(of: link.object) { (data) throws(DeltaError) in
          try text.apply(data, byteCount: Int(link.object.byteCount), inflater)
        }
      } catch {
        throw .corrupt(link.object.id, pack: name, offset: link.offset)
      }
    }
    return text.bytes()
  }

  private func applying(
    _ link: DeltaChain.Link, to base: [UInt8], _ inflater: Inflater
  ) throws(ObjectStoreError) -> [UInt8] {
    do throws(DeltaError) {
      return try withData(of: link.object) { (data) throws(DeltaError) in
        try base.withRawBytes { (base) throws(DeltaError) in
          try DeltaCodec.decode(data, base: base, byteCount: Int(link.object.byteCount), inflater: inflater)
        }
      }
    } catch {
      throw .corrupt(link.object.id, pack: name, offset: link.offset)
    }
  }
}
