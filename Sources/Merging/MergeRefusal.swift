/// Why contents are not merged although no lines conflict.
public enum MergeRefusal: Hashable, Sendable {
  /// A zero byte in one of the three: the content is no text, and both sides changed it.
  case notText
  /// One of the three is UTF-16 and another is not, or in the other byte order, or is cut inside a character.
  case encodingsDiffer
  /// All three are well-formed documents of this format, but what merging their lines gives isn't.
  case malformedResult(DocumentFormat)
}
