import SystemIO
import Versioning

/// A folder that waits to be looked at, with what leads to it.
struct WaitingFolder: Sendable {
  let path: [UInt8]
  let rules: IgnoreRules
  /// How many folders lie above it in this walk.
  let depth: Int
  let parent: OpenFolder?
}

/// An open folder that others are opened from.
final class OpenFolder: Sendable {
  let descriptor: FileDescriptor

  init(_ descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
  }
}

/// Looks at folders one after the other, and gathers what is in them. Each thread of a walk has one.
final class TreeWalker {
  /// Deeper than this, folders are opened from the root: a walk must not run out of descriptors.
  private static let openDepth = 64

  private(set) var found = TreeScan.Findings()
  private let tree: WorkingTree
  private let packages: [IgnorePattern]
  private let known: KnownTree?
  private let listing = FolderListing()

  init(_ tree: WorkingTree, packages: [IgnorePattern], known: KnownTree?) {
    self.tree = tree
    self.packages = packages
    self.known = known
  }

  /// Looks at a folder.
  ///
  /// - Returns: the folders in it that are to be looked at.
  /// - Throws: where it is the root and can't be looked at.
  func visit(_ folder: WaitingFolder) throws(RepositoryError) -> [WaitingFolder] {
    do throws(WorkingTreeError) {
      let open = OpenFolder(try openFolder(folder))
      do throws(SystemError) { return try look(into: open, folder) } catch { throw .system(error) }
    } catch {
      guard case .system(let cause) = error else { return [] }
      if folder.path.isEmpty { throw .system(cause) }
      note(cause, at: folder.path)
      return []
    }
  }

  /// Opens a folder: from the one above it where that is open, else all the way from the root.
  private func openFolder(_ folder: WaitingFolder) throws(WorkingTreeError) -> FileDescriptor {
    if let parent = folder.parent {
      let name = folder.path[(folder.path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
      if let open = try? parent.descriptor.open(name, .readOnly, options: [.directory, .noFollow]) { return open }
    }
    // Also where that failed: the walk tells why.
    return try tree.openFolder(folder.path.split(separator: UInt8(ascii: "/")))
  }

  private func look(into open: OpenFolder, _ folder: WaitingFolder) throws(SystemError) -> [WaitingFolder] {
    let now = Clock.wallNanoseconds
    let stamp = FolderStamp(try open.descriptor.status())
    var visit = Visit(folder: folder, open: open, rules: folder.rules)
    let record = known?.index.folder(at: folder.path)
    if let known, let record, record.stamp == stamp {
      recall(record, in: known.index, &visit)
    } else {
      try listing.read(open.descriptor)
      lookAtNames(record, &visit)
      if stamp.isTrusted(at: now, on: tree.volume) { note(folder.path, stamp) }
    }
    return visit.waiting
  }

  /// A look into one folder.
  private struct Visit {
    let folder: WaitingFolder
    let open: OpenFolder
    var rules: IgnoreRules
    var waiting: [WaitingFolder] = []
    var unchangedCount = 0
    /// Whether its names can be read and nothing else of what is in it.
    var isHidden = false
  }

  /// Goes by the names that the index has.
  private func recall(_ record: KnownFolder, in index: TreeIndex, _ visit: inout Visit) {
    if !visit.folder.path.isEmpty,
      record.others.contains(where: { isStore(index.other($0).name, index.other($0).kind, visit) })
    {
      return
    }
    if record.entries.contains(where: { index.name(ofEntry: $0).elementsEqual(IgnoreRules.fileName) })
      || record.others.contains(where: { index.other($0).name.elementsEqual(IgnoreRules.fileName) })
    {
      visit.rules = visit.rules.entering(visit.folder.path, visit.open.descriptor)
    }
    for entry in record.entries where !visit.isHidden {
      consider(index.name(ofEntry: entry), kind: nil, entry, &visit)
    }
    for number in record.others where !visit.isHidden {
      let other = index.other(number)
      consider(other.name, kind: other.kind, nil, &visit)
    }
    found.unchangedCount += visit.unchangedCount
  }

  /// Goes by the names that were read.
  private func lookAtNames(_ record: KnownFolder?, _ visit: inout Visit) {
    if !visit.folder.path.isEmpty, let place = listing.index(of: RepositoryLayout.storeName),
      isStore(listing.name(at: place), listing.kind(at: place), visit)
    {
      return
    }
    if listing.index(of: IgnoreRules.fileName) != nil {
      visit.rules = visit.rules.entering(visit.folder.path, visit.open.descriptor)
    }
    var next = record?.entries ?? 0..<0
    for place in 0..<listing.count where !visit.isHidden {
      let name = listing.name(at: place)
      let entry = Self.advance(&next, to: name, in: known)
      consider(name, kind: listing.kind(at: place), entry, &visit)
    }
    found.unchangedCount += visit.unchangedCount
  }

  /// Whether a name in a folder shows that it is a repository of its own.
  private func isStore(_ name: UnsafeRawBufferPointer, _ kind: FileKind?, _ visit: Visit) -> Bool {
    guard name.elementsEqual(RepositoryLayout.storeName) else { return false }
    if let kind { return kind == .folder }
    return (try? visit.open.descriptor.status(ofTerminated: name))?.kind == .folder
  }

  private func consider(_ name: UnsafeRawBufferPointer, kind: FileKind?, _ entry: Int?, _ visit: inout Visit) {
    let folder = visit.folder
    if name.first == UInt8(ascii: "."), name.starts(with: RepositoryLayout.temporaryPrefix) {
      found.foldersWithTemporaries.insert(folder.path)
      return
    }
    if let kind, visit.rules.ignores(name, in: folder.path, isFolder: kind == .folder) { return }
    let status: FileStatus
    do throws(SystemError) { status = try visit.open.descriptor.status(ofTerminated: name) } catch {
      // A folder that may not be searched hides everything in it: that is one thing to tell, not one for each name.
      visit.isHidden = error.isPermission && !folder.path.isEmpty
      if visit.isHidden {
        note(error, at: folder.path)
      } else if error.code != SystemErrorCode.notFound {
        note(error, at: Self.join(folder.path, name))
      }
      return
    }
    if kind == nil && visit.rules.ignores(name, in: folder.path, isFolder: status.kind == .folder) { return }
    if let entry, let known, known.meets(entry, status) {
      visit.unchangedCount += 1
    } else if let inner = add(Self.join(folder.path, name), status, in: folder) {
      let parent = folder.depth < Self.openDepth ? visit.open : nil
      visit.waiting.append(WaitingFolder(path: inner, rules: visit.rules, depth: folder.depth + 1, parent: parent))
    }
  }

  /// Goes on in the index to a name; gives its entry where there is one.
  private static func advance(
    _ next: inout Range<Int>, to name: UnsafeRawBufferPointer, in known: KnownTree?
  ) -> Int? {
    guard let known else { return nil }
    while let entry = next.first {
      let order = FolderListing.order(known.index.name(ofEntry: entry), name)
      if order > 0 { return nil }
      next = entry + 1..<next.upperBound
      if order == 0 { return entry }
    }
    return nil
  }

  /// Adds what has a name; gives its path where it is a folder to look into.
  private func add(_ path: [UInt8], _ status: FileStatus, in folder: WaitingFolder) -> [UInt8]? {
    guard let document = DocumentPath(path) else {
      if let folder = DocumentPath(folder.path) {
        found.unreadable.append(UnreadableFile(path: folder, reason: "a path in it is too long"))
      }
      return nil
    }
    switch status.kind {
    case .folder:
      guard packages.contains(where: { $0.matches(path[...], isFolder: true) }) else { return path }
      found.items.append(TreeScan.Item(path: document, status: status, isPackage: true))
    case .file, .symbolicLink:
      found.items.append(TreeScan.Item(path: document, status: status, isPackage: false))
    default: found.notDocuments.append(document)
    }
    return nil
  }

  private static func join(_ folder: [UInt8], _ name: UnsafeRawBufferPointer) -> [UInt8] {
    var path = folder
    path.reserveCapacity(folder.count + 1 + name.count)
    if !folder.isEmpty { path.append(UInt8(ascii: "/")) }
    path.append(contentsOf: name)
    return path
  }

  /// Notes the names that a folder has while its stamp is this.
  private func note(_ path: [UInt8], _ stamp: FolderStamp) {
    let names = (0..<listing.count).map { place in
      ReadFolder.Name(bytes: Array(listing.name(at: place)), kind: listing.kind(at: place))
    }
    found.readFolders.append(ReadFolder(path: path, stamp: stamp, names: names))
  }

  private func note(_ error: SystemError, at path: [UInt8]) {
    guard let document = DocumentPath(path) else { return }
    found.unreadable.append(UnreadableFile(path: document, reason: error.message))
  }
}
