/// Writes content as pieces of a similar content and the bytes that are new.
///
/// The new bytes are deflated with a dictionary of what surrounds them in the base, so a small edit costs some tens of
/// bytes whatever the length of the content.
///
/// Source: docs/format.md, "Encodings".
public enum DeltaCodec {}
