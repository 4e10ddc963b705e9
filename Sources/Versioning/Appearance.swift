public import Hashing

/// What people see of a version (R9): heads of equal appearance are shown as one.
public enum Appearance: Hashable, Sendable {
  /// Whatever the path.
  case deleted
  case state(kind: VersionKind, content: ObjectID?, mode: UInt16, path: DocumentPath)
}

extension VersionRecord {
  public var appearance: Appearance {
    isDeletion ? .deleted : .state(kind: kind, content: content, mode: mode, path: path)
  }
}
