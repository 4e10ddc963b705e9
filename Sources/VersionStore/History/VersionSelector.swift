/// How a person names a version of a document.
public enum VersionSelector: Equatable, Sendable {
  case current
  /// The first digits of its id, at least four.
  case prefix([UInt8])
  /// So many steps back from the current version along first parents.
  case stepsBack(Int)
  /// The common ancestor of the current version and the conflict versions.
  case base
  /// The greatest head among the versions saved up to then; milliseconds since 1970.
  case time(Int64)
}
