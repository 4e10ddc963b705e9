import Catalog
import SystemIO
import Versioning

extension Store {
  /// The index of the working files that goes with what the catalog knows now; `nil` where there is none.
  func treeIndex(of volume: VolumeKind) throws(RepositoryError) -> TreeIndex? {
    guard let folder = privateLayout,
      let (id, touched) = try catalogued({ () throws(CatalogError) in try catalog.treeIndex() }),
      let file = try? MappedFile.map(folder.treeIndex)
    else { return nil }
    return TreeIndex(file, id: id, touched: touched, volume: volume)
  }
}

extension Repository {
  /// Fewer documents are asked for one by one.
  private static let leastEntryCount = 64
  /// So many folders are read again rather than written down.
  private static let leastFolderCount = 4

  /// Makes the index of the working files anew where there is none or much has changed since; a store that can't be written to
  /// goes without.
  ///
  /// - Parameters:
  ///   - index: the one that was used.
  ///   - read: folders that had to be read.
  func keepTreeIndex(_ index: TreeIndex?, _ read: [ReadFolder]) {
    if let index, index.touched.count <= Self.leastEntryCount + index.entryCount / 128,
      read.count <= Self.leastFolderCount + index.folderCount / 16
    {
      return
    }
    guard let folder = store.privateLayout, store.device != nil else { return }
    try? store.transaction { () throws(RepositoryError) in
      // By now another process may have made one.
      let usable = try store.treeIndex(of: tree.volume)
      let id = SystemRandom.bytes(count: TreeIndex.idByteCount)
      guard let builder = try treeIndexBuilder(from: usable, read), builder.entryCount >= Self.leastEntryCount,
        let bytes = builder.bytes(id: id, volume: tree.volume)
      else { return }
      // Until the catalog names its id it doesn't count, nor does the one before it any more.
      try store.called { () throws(SystemError) in
        try AtomicFile.write(bytes, to: folder.treeIndex, permissions: 0o600, isDurable: false)
      }
      try store.catalogued { () throws(CatalogError) in try store.catalog.setTreeIndex(id) }
    }
  }

  private func treeIndexBuilder(
    from index: TreeIndex?, _ read: [ReadFolder]
  ) throws(RepositoryError) -> TreeIndexBuilder? {
    var builder = TreeIndexBuilder()
    var folders = read
    if let index {
      folders = builder.add(index) + read
      for path in index.touched {
        let (view, row) = (try view(of: path), try fileRow(at: path))
        if row == nil && view.current == nil { continue }
        builder.add(path, TreeIndexEntry(row, isSettled: !Attention(view, row).isNeeded, on: tree.volume))
      }
    } else {
      try store.catalog.forEachPath(failure: { RepositoryError.catalog($0) }) {
        (path, row, documents) throws(RepositoryError) in
        let view = PathView(path: path, claimants: documents.map { ClaimingDocument($0) })
        builder.add(path, TreeIndexEntry(row, isSettled: !Attention(view, row).isNeeded, on: tree.volume))
      }
    }
    for folder in folders { builder.add(folder) }
    return builder
  }
}
