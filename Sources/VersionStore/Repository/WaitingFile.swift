import Versioning

/// A file or link that is to be placed.
struct WaitingFile {
  let path: DocumentPath
  let view: PathView
  let version: Version
  /// What the file there is known to be equal to; `nil` where nothing may be there.
  let base: Version?
  /// Whether the file there has other names in the file system.
  var hasOtherNames = false
}
