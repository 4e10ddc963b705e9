import SystemIO
import Versioning

/// Everything below a folder that is a document or might be taken for one.
struct TreeScan {
  struct Item: Sendable {
    let path: DocumentPath
    let status: FileStatus
    /// Whether it is a folder that is one document.
    let isPackage: Bool
  }

  /// What a walk finds.
  struct Findings: Sendable {
    var items: [Item] = []
    var notDocuments: [DocumentPath] = []
    var unreadable: [UnreadableFile] = []
    var foldersWithTemporaries: Set<[UInt8]> = []
    var unchangedCount = 0
    /// Folders that had to be read, and won't have to be while they stay as they are.
    var readFolders: [ReadFolder] = []

    mutating func add(_ other: Findings) {
      items += other.items
      notDocuments += other.notDocuments
      unreadable += other.unreadable
      foldersWithTemporaries.formUnion(other.foldersWithTemporaries)
      unchangedCount += other.unchangedCount
      readFolders += other.readFolders
    }
  }

  private var found = Findings()

  /// Files, links and packages, ascending by path; without files that the index knows to be unchanged.
  var items: [Item] { found.items }
  /// Pipes, sockets and devices.
  var notDocuments: [DocumentPath] { found.notDocuments }
  /// Files and folders that could not be looked into: nothing is known of what is below them (R4).
  var unreadable: [UnreadableFile] { found.unreadable }
  /// Folders in which an interrupted run left something, empty for the repository's own.
  var foldersWithTemporaries: Set<[UInt8]> { found.foldersWithTemporaries }
  /// The files that the index knows to be unchanged.
  var unchangedCount: Int { found.unchangedCount }

  /// Folders that had to be read.
  var readFolders: [ReadFolder] { found.readFolders }

  /// Of fewer entries a second thread would not pay.
  static let entryCountForThreads = 2000

  /// Looks through a folder and all below it, following no link.
  ///
  /// - Parameters:
  ///   - folder: `nil` for the whole repository.
  ///   - packages: names of folders that are one document each.
  ///   - known: what is known of the working files, which notes those that are met unchanged.
  init(
    _ tree: WorkingTree, below folder: DocumentPath?, packages: [IgnorePattern], known: KnownTree? = nil,
    entryCountForThreads: Int = Self.entryCountForThreads
  ) throws(RepositoryError) {
    let start = WaitingFolder(
      path: folder?.bytes ?? [], rules: Self.rules(above: folder, in: tree), depth: 0, parent: nil)
    let hasThreads = (known?.index.entryCount ?? 0) >= entryCountForThreads
    if hasThreads {
      try walk(from: start) { TreeWalker(tree, packages: packages, known: known) }
    } else {
      let walker = TreeWalker(tree, packages: packages, known: known)
      var waiting = [start]
      while let next = waiting.popLast() { waiting += try walker.visit(next) }
      found = walker.found
    }
    found.items.sort { $0.path < $1.path }
    found.notDocuments.sort()
  }

  /// Looks at folders with two threads.
  private mutating func walk(
    from start: WaitingFolder, _ makeWalker: @escaping @Sendable () -> TreeWalker
  ) throws(RepositoryError) {
    let work = SharedWork([start])
    let results = SharedResults<Result<Findings, RepositoryError>>()
    Threads.run(2) {
      let walker = makeWalker()
      var failure: RepositoryError?
      while let next = work.next() {
        do throws(RepositoryError) { work.add(try walker.visit(next)) } catch { failure = error }
        work.finish()
      }
      results.add(failure.map { .failure($0) } ?? .success(walker.found))
    }
    for result in results.all { found.add(try result.get()) }
  }

  /// The rules of all folders above one.
  private static func rules(above folder: DocumentPath?, in tree: WorkingTree) -> IgnoreRules {
    var rules = IgnoreRules()
    guard let folder else { return rules }
    var path: [UInt8] = []
    for component in folder.components {
      if let open = try? tree.openFolder(path.split(separator: UInt8(ascii: "/"))) {
        rules = rules.entering(path, open)
      }
      path += (path.isEmpty ? [] : [UInt8(ascii: "/")]) + component
    }
    return rules
  }

  /// Whether nothing is known of a path, since it or a folder above it could not be looked into.
  func cannotSee(_ path: DocumentPath) -> Bool {
    unreadable.contains { $0.path == path || $0.path.isAncestor(of: path) }
  }
}
