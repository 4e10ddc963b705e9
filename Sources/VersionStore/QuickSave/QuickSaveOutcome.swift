public import Versioning

/// What became of a quick save.
public enum QuickSaveOutcome: Sendable {
  /// This save isn't one of the simple ones; nothing has changed.
  case declined
  /// The file is as its version.
  case unchanged
  /// The version, which is durable.
  case saved(Version)
}
