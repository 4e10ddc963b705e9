internal import Hashing

/// What the bytes of an object are.
///
/// Source: docs/format.md, "Objects".
public enum ObjectKind: UInt8, Hashable, Sendable {
  /// Content as it is; the object's id is the SHA-256 of its bytes.
  case blob = 0
  /// The ids and lengths of the blobs that content is cut into; the object's id is the content's.
  case chunkList = 1
  /// What a zip archive is put together from again: the ids of its skeleton and its members' contents, and how these are
  /// compressed; the object's id is the archive's.
  case archive = 2
}

extension ObjectKind {
  /// Whether bytes can be those of an object: a blob has its id, others decode, or are of a newer form.
  ///
  /// Only whoever puts the content of a chunk list or an archive together can tell whether it is the one of that id.
  func allows(_ bytes: [UInt8], id: ObjectID) -> Bool {
    do throws(DecodingFailure) {
      switch self {
      case .blob: return SHA256.hash(bytes) == id
      case .chunkList: _ = try ChunkList(decoding: bytes)
      case .archive: _ = try ArchiveObject(decoding: bytes)
      }
      return true
    } catch {
      if case .unsupportedFormat = error { return true }
      return false
    }
  }
}
