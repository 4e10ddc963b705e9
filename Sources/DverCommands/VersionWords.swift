import VersionStore
import Versioning

// The words of the command line's contract: docs/cli.md, "JSON Lines".

extension VersionKind {
  var word: String {
    switch self {
    case .file: "file"
    case .package: "package"
    case .symbolicLink: "symlink"
    case .deleted: "deleted"
    }
  }
}

extension VersionOrigin {
  var word: String {
    switch self {
    case .save: "save"
    case .restore: "restore"
    case .merge: "merge"
    case .resolve: "resolve"
    case .import: "import"
    case .watch: "watch"
    case .delete: "delete"
    case .rename: "rename"
    case .undo: "undo"
    }
  }
}

extension VersionSelector {
  /// The same for the library, with times worked out.
  func asked(now: Int64) -> VersionStore.VersionSelector {
    switch self {
    case .current: .current
    case .identifier(let prefix): .prefix(prefix)
    case .back(let steps): .stepsBack(steps)
    case .base: .base
    case .time(let time): .time(time.latest(now: now))
    }
  }
}
