/// A record that a version graph does not take.
public enum VersionGraphError: Error, Equatable, Sendable {
  /// A record that the new one names isn't here (R6).
  case missing(RecordID)
}
