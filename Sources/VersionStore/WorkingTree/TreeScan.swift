import SystemIO
import Versioning

/// Everything below a folder that is a document or might be taken for one.
struct TreeScan {
  struct Item {
    let path: DocumentPath
    let status: FileStatus
    /// Whether it is a folder that is one document.
    let isPackage: Bool
  }

  /// Files, links and packages, ascending by path.
  private(set) var items: [Item] = []
  /// Pipes, sockets and devices.
  private(set) var notDocuments: [DocumentPath] = []
  /// Files and folders that could not be looked into: nothing is known of what is below them (R4).
  private(set) var unreadable: [UnreadableFile] = []

  /// Folders in which an interrupted run left something, empty for the repository's own.
  private(set) var foldersWithTemporaries: Set<[UInt8]> = []

  private let tree: WorkingTree
  private let packages: [IgnorePattern]

  /// Looks through a folder and all below it, following no link.
  ///
  /// - Parameters:
  ///   - folder: `nil` for the whole repository.
  ///   - packages: names of folders that are one document each.
  init(_ tree: WorkingTree, below folder: DocumentPath?, packages: [IgnorePattern]) throws(RepositoryError) {
    self.tree = tree
    self.packages = packages
    var waiting: [(path: [UInt8], rules: IgnoreRules)] = [(folder?.bytes ?? [], rules(above: folder))]
    var last: OpenFolder?
    while let next = waiting.popLast() {
      do throws(WorkingTreeError) {
        let open = try openFolder(next.path, below: last)
        if !next.path.isEmpty && isOtherRepository(open) { continue }
        let rules = next.rules.entering(next.path, open)
        do throws(SystemError) { try look(into: open, at: next.path, rules, &waiting) } catch { throw .system(error) }
        last = OpenFolder(path: next.path, descriptor: open)
      } catch {
        guard case .system(let cause) = error else { continue }
        if next.path.isEmpty { throw .system(cause) }
        note(cause, at: next.path)
      }
    }
    items.sort { $0.path < $1.path }
    notDocuments.sort()
  }

  private final class OpenFolder {
    let path: [UInt8]
    let descriptor: FileDescriptor

    init(path: [UInt8], descriptor: consuming FileDescriptor) {
      self.path = path
      self.descriptor = descriptor
    }
  }

  /// Opens a folder: from the one looked at last where it lies in that, else all the way from the root.
  private func openFolder(_ path: [UInt8], below last: OpenFolder?) throws(WorkingTreeError) -> FileDescriptor {
    if let last, !path.isEmpty {
      let slash = path.lastIndex(of: UInt8(ascii: "/"))
      if path[..<(slash ?? 0)].elementsEqual(last.path),
        let open = try? last.descriptor.open(
          path[(slash.map { $0 + 1 } ?? 0)...], .readOnly, options: [.directory, .noFollow])
      {
        return open
      }
    }
    // Also where that failed: the walk tells why.
    return try tree.openFolder(components(path))
  }

  private func components(_ path: [UInt8]) -> [ArraySlice<UInt8>] { path.split(separator: UInt8(ascii: "/")) }

  /// The rules of all folders above one.
  private func rules(above folder: DocumentPath?) -> IgnoreRules {
    var rules = IgnoreRules()
    guard let folder else { return rules }
    var path: [UInt8] = []
    for component in folder.components {
      if let open = try? tree.openFolder(components(path)) { rules = rules.entering(path, open) }
      path += (path.isEmpty ? [] : [UInt8(ascii: "/")]) + component
    }
    return rules
  }

  private func isOtherRepository(_ folder: borrowing FileDescriptor) -> Bool {
    (try? folder.status(of: RepositoryLayout.storeName))?.kind == .folder
  }

  private mutating func look(
    into folder: borrowing FileDescriptor, at path: [UInt8], _ rules: IgnoreRules,
    _ waiting: inout [(path: [UInt8], rules: IgnoreRules)]
  ) throws(SystemError) {
    for entry in try folder.entries() {
      if entry.name.starts(with: RepositoryLayout.temporaryPrefix) {
        foldersWithTemporaries.insert(path)
        continue
      }
      let whole = path.isEmpty ? entry.name : path + [UInt8(ascii: "/")] + entry.name
      if entry.kind != nil && rules.ignores(whole, isFolder: entry.kind == .folder) { continue }
      let status: FileStatus
      do throws(SystemError) { status = try folder.status(of: entry.name) } catch {
        if error.code != SystemErrorCode.notFound { note(error, at: whole) }
        continue
      }
      if entry.kind == nil && rules.ignores(whole, isFolder: status.kind == .folder) { continue }
      guard let document = DocumentPath(whole) else {
        if let folder = DocumentPath(path) {
          unreadable.append(UnreadableFile(path: folder, reason: "a path in it is too long"))
        }
        continue
      }
      switch status.kind {
      case .folder:
        if packages.contains(where: { $0.matches(whole[...], isFolder: true) }) {
          items.append(Item(path: document, status: status, isPackage: true))
        } else {
          waiting.append((whole, rules))
        }
      case .file, .symbolicLink: items.append(Item(path: document, status: status, isPackage: false))
      default: notDocuments.append(document)
      }
    }
  }

  private mutating func note(_ error: SystemError, at path: [UInt8]) {
    guard let document = DocumentPath(path) else { return }
    unreadable.append(UnreadableFile(path: document, reason: error.message))
  }

  /// Whether nothing is known of a path, since it or a folder above it could not be looked into.
  func cannotSee(_ path: DocumentPath) -> Bool {
    unreadable.contains { $0.path == path || $0.path.isAncestor(of: path) }
  }
}
