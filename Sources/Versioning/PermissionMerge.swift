/// The merge of permissions: every bit is a field of its own (R14).
///
/// A bit has two values, so a bit that both sides changed they changed alike: the merge is always clean.
public enum PermissionMerge {
  /// Takes each bit from the side that changed it.
  public static func merged(base: UInt16, ours: UInt16, theirs: UInt16) -> UInt16 {
    base ^ ((base ^ ours) | (base ^ theirs))
  }
}
