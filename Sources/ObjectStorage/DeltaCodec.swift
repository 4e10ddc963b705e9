/// Writes content as pieces of a similar content and the bytes that are new.
///
/// The new bytes are deflated with a dictionary of what surrounds them in the base, so a small edit costs some tens of
/// bytes whatever the length of the content.
///
/// Source: docs/format.md, "Encodings".
public enum DeltaCodec {
  /// The greatest length of a content and of a base.
  public static let byteCountLimit = 64 << 20
}

/// One step of a delta: bytes copied from the base, then bytes inserted, then a jump within the base.
struct DeltaEdit: Equatable {
  /// Where the copy begins in the base.
  var copyStart: Int
  var copyByteCount: Int
  var insertByteCount: Int
  /// Where the next copy begins in the base.
  var next: Int

  var copyEnd: Int { copyStart + copyByteCount }
}
