/// What the bytes of an object are.
///
/// Source: docs/format.md, "Objects".
public enum ObjectKind: UInt8, Hashable, Sendable {
  /// Content as it is; the object's id is the SHA-256 of its bytes.
  case blob = 0
  /// The ids and lengths of the blobs that content is cut into; the object's id is the content's.
  case chunkList = 1
}
