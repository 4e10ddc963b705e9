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
    do throws(ObjectStoreError) {
      return try pack.objectBytes(at: offset, known: foundations, keepsFoundation: true, blocks, inflater) {
        (id, _) throws(ObjectStoreError) in throw .notFound(id)
      }
    } catch .notFound { return nil }
  }
}
