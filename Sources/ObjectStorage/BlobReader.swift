import Deflate
public import Hashing

/// Decodes blobs of packs at places that are known. One serves one thread.
public final class BlobReader {
  /// Others that are read next are stored against the same ones.
  private let foundations = DecodedObjects(byteCountLimit: 4 << 20)
  private let blocks = BlockCache()
  private let inflater = Inflater()

  public init() {}

  /// A blob's bytes, verified; `nil` where something else is at the place, or what it is stored against is in another pack.
  public func blob(_ id: ObjectID, at offset: UInt64, in pack: PackFile) throws(ObjectStoreError) -> [UInt8]? {
    let object = try blocks.object(at: offset, in: pack)
    guard object.id == id, object.kind == .blob else { return nil }
    let chain = try pack.chain(at: offset, known: foundations, blocks)
    var bytes: [UInt8]
    switch chain.foundation {
    case .far: return nil
    case .known(let known): bytes = known
    case .member(let block, let number): bytes = try pack.memberBytes(number, of: block, blocks, inflater)
    case .whole(let link):
      bytes = try pack.wholeBytes(of: link, inflater)
      if !chain.deltas.isEmpty {
        try verify(bytes, link.object.id, pack, link.offset)
        foundations.insert(link.object.id, bytes)
      }
    }
    bytes = try pack.applying(chain.deltas, to: bytes, inflater)
    try verify(bytes, id, pack, offset)
    return bytes
  }

  private func verify(
    _ bytes: [UInt8], _ id: ObjectID, _ pack: PackFile, _ offset: UInt64
  ) throws(ObjectStoreError) {
    guard SHA256.hash(bytes) == id else { throw .corrupt(id, pack: pack.name, offset: offset) }
  }
}
