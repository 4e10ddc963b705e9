/// What kind of failure ended a command: the `code` of the JSON error, and with it the exit status.
///
/// Raw values are contract (docs/cli.md): none is renamed, new ones may come.
enum FailureCode: String, CaseIterable, Sendable {
  case usage
  case noStore = "no-store"
  case noDocument = "no-document"
  case noVersion = "no-version"
  case noRemote = "no-remote"
  case noDevice = "no-device"
  case noFile = "no-file"
  /// A version is named that may be several, or none in particular.
  case ambiguous
  case unsavedChanges = "unsaved-changes"
  case removedVersion = "removed-version"
  case notLocal = "not-local"
  case massDeletion = "mass-deletion"
  case alreadyExists = "already-exists"
  case notPossible = "not-possible"
  case partial
  case locked
  case readOnly = "read-only"
  case diskFull = "disk-full"
  case permission
  case newerFormat = "newer-format"
  /// A system call failed in a way that has no code of its own.
  case system
  case damage
  case remoteUnreachable = "remote-unreachable"
  case remoteRefused = "remote-refused"
  case interrupted

  /// The one place that maps failures to statuses.
  var status: ExitStatus {
    switch self {
    case .usage: .usage
    case .noStore, .noDocument, .noVersion, .noRemote, .noDevice, .noFile, .ambiguous: .notFound
    case .unsavedChanges, .removedVersion, .notLocal, .massDeletion, .alreadyExists, .notPossible, .partial, .locked,
      .readOnly, .diskFull, .permission, .newerFormat, .system:
      .refused
    case .damage: .damage
    case .remoteUnreachable, .remoteRefused: .remote
    case .interrupted: .interrupted
    }
  }
}
