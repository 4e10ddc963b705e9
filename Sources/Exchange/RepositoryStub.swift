// To be removed when VersionStore has these.
import VersionStore
import Versioning

extension Repository {
  func mergeAutomatically(near versions: [Version], combinesContents: Bool) throws(RepositoryError) -> [Version] { [] }
}
