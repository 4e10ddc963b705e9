import Catalog
import ObjectStorage
import Versioning

extension StoreTransaction {
  /// Notes a working file's version for quick saves, where its content is in the same entry.
  ///
  /// - Parameter parents: the versions that it stands on.
  func offer(_ version: Version, _ content: StoredContent, of file: WorkingFile, on parents: [Version]) {
    if parents.count > 1 || parents.contains(where: { $0.record.path != version.record.path }) { movesNothing = false }
    guard recent.count < Store.offerLimit, case .inline(let object) = content, object.kind == .blob, file.kind == .file,
      let bytes = file.bytes,
      let place = place(of: version)
    else { return }
    recent.append(
      RecentDocument(
        generation: 0, version: version, versionCount: 0, record: place,
        object: RecentDocument.Place(offset: place.offset, depth: object.depth), status: CachedStatus(file),
        content: bytes))
  }
}
