/// What a rename does where the new name is taken.
public enum RenameMode: Hashable, Sendable {
  /// The old file of that name goes.
  case replace
  /// The call fails with `EEXIST`; with `EINVAL` where the file system cannot tell.
  case noReplace
  /// The two swap names; `ENOENT` where the new name is not taken, `EINVAL` where the file system cannot.
  case exchange

  var flags: UInt32 {
    switch self {
    case .replace: 0
    case .noReplace: 1
    case .exchange: 2
    }
  }
}
