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
      do throws(SystemError) { try listing.read(open.descriptor) } catch { throw .system(error) }
      if !folder.path.isEmpty && isOtherRepository(open) { return [] }
      let hasRules = listing.index(of: IgnoreRules.fileName) != nil
      let rules = hasRules ? folder.rules.entering(folder.path, open.descriptor) : folder.rules
      return look(into: open, folder, rules)
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

  private func isOtherRepository(_ folder: OpenFolder) -> Bool {
    guard let place = listing.index(of: RepositoryLayout.storeName) else { return false }
    if let kind = listing.kind(at: place) { return kind == .folder }
    return (try? folder.descriptor.status(of: listing, at: place))?.kind == .folder
  }

  private func look(into open: OpenFolder, _ folder: WaitingFolder, _ rules: IgnoreRules) -> [WaitingFolder] {
    var waiting: [WaitingFolder] = []
    let parent = folder.depth < Self.openDepth ? open : nil
    var next = known?.index.entries(ofFolder: folder.path) ?? 0..<0
    for place in 0..<listing.count {
      let name = listing.name(at: place)
      let entry = Self.advance(&next, to: name, in: known)
      if name.starts(with: RepositoryLayout.temporaryPrefix) {
        found.foldersWithTemporaries.insert(folder.path)
        continue
      }
      let kind = listing.kind(at: place)
      if let kind, rules.ignores(name, in: folder.path, isFolder: kind == .folder) { continue }
      let status: FileStatus
      do throws(SystemError) { status = try open.descriptor.status(of: listing, at: place) } catch {
        if error.code != SystemErrorCode.notFound { note(error, at: Self.join(folder.path, name)) }
        continue
      }
      if kind == nil && rules.ignores(name, in: folder.path, isFolder: status.kind == .folder) { continue }
      if let entry, let known, known.meets(entry, status) {
        found.unchangedCount += 1
      } else if let inner = add(Self.join(folder.path, name), status, in: folder) {
        waiting.append(WaitingFolder(path: inner, rules: rules, depth: folder.depth + 1, parent: parent))
      }
    }
    return waiting
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

  private func note(_ error: SystemError, at path: [UInt8]) {
    guard let document = DocumentPath(path) else { return }
    found.unreadable.append(UnreadableFile(path: document, reason: error.message))
  }
}
