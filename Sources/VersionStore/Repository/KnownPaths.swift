import Catalog
import Versioning

/// What is known of paths while working files are brought up to date.
///
/// Where every path is looked at, it is read in one go; else a path is asked for when it is needed, and the folders of many
/// are asked for once.
final class KnownPaths {
  private let repository: Repository
  private let isComplete: Bool
  private var documents: [DocumentPath: [DocumentRow]] = [:]
  private var files: [DocumentPath: FileRow] = [:]
  /// Where every path is known: the folders that one of them lies in. Else the folders that were asked for.
  private var folders: Set<DocumentPath> = []
  private var folderViews: [DocumentPath: PathView] = [:]

  /// Knows nothing yet.
  init(_ repository: Repository) {
    self.repository = repository
    isComplete = false
  }

  /// Knows everything.
  init(all repository: Repository) throws(RepositoryError) {
    self.repository = repository
    isComplete = true
    for row in try repository.documents(below: nil) { documents[row.path, default: []].append(row) }
    for row in try repository.fileRows(below: nil) { files[row.path] = row }
    for path in paths { noteFolders(of: path) }
  }

  /// Every path, where everything is known.
  var paths: Set<DocumentPath> { Set(documents.keys).union(files.keys) }

  func view(of path: DocumentPath) throws(RepositoryError) -> PathView {
    guard isComplete else { return try repository.view(of: path) }
    return PathView(path: path, claimants: (documents[path] ?? []).map { ClaimingDocument($0) })
  }

  /// What is at a path that many others lie below.
  func view(ofFolder path: DocumentPath) throws(RepositoryError) -> PathView {
    if let known = folderViews[path] { return known }
    let view = try view(of: path)
    folderViews[path] = view
    return view
  }

  /// The row of a working file, as it was before anything was brought up to date.
  func fileRow(at path: DocumentPath) throws(RepositoryError) -> FileRow? {
    isComplete ? files[path] : try repository.fileRow(at: path)
  }

  func documents(below path: DocumentPath) throws(RepositoryError) -> [DocumentRow] {
    isComplete && !folders.contains(path) ? [] : try repository.documents(below: path)
  }

  func fileRows(below path: DocumentPath) throws(RepositoryError) -> [FileRow] {
    isComplete && !folders.contains(path) ? [] : try repository.fileRows(below: path)
  }

  /// The folders of a path, the outermost first, that a document claims or where a working file is known.
  func knownFolders(of path: DocumentPath) throws(RepositoryError) -> [DocumentPath] {
    var known: [DocumentPath] = []
    for folder in path.folders {
      if try view(ofFolder: folder).current != nil {
        known.append(folder)
      } else if try isFile(folder) {
        known.append(folder)
      }
    }
    return known
  }

  private func isFile(_ folder: DocumentPath) throws(RepositoryError) -> Bool {
    if isComplete { return files[folder] != nil }
    if !folders.insert(folder).inserted { return files[folder] != nil }
    files[folder] = try repository.fileRow(at: folder)
    return files[folder] != nil
  }

  private func noteFolders(of path: DocumentPath) {
    // From the innermost: where one is known, those around it are.
    for folder in path.folders.reversed() where !folders.insert(folder).inserted { return }
  }
}
