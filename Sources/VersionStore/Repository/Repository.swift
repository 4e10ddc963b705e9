import Catalog
import Hashing
import ObjectStorage
public import SystemIO
public import Versioning

/// A folder of documents with its store: what `dver` commands and apps work with.
///
/// Used by one thread; several processes may work in one repository (see ``Store``). What a method made is durable when it
/// returns.
public final class Repository {
  public let store: Store
  let tree: WorkingTree
  var placing = PlacingLimits()

  init(_ store: Store) {
    self.store = store
    tree = WorkingTree(root: store.layout.root)
  }

  /// Makes a repository in a folder, which may hold files already.
  ///
  /// - Returns: the repository, and whether it was there before: then nothing is changed.
  public static func create(
    at root: FilePath, environment: StoreEnvironment
  ) throws(RepositoryError) -> (repository: Repository, existed: Bool) {
    let layout = RepositoryLayout(root: root)
    if let status = try? FileStatus.of(layout.markerFile), status.kind == .file {
      return (Repository(try Store.open(layout, access: .writing, environment: environment)), true)
    }
    return (Repository(try Store.create(at: root, environment: environment)), false)
  }

  /// Opens the repository that a folder lies in.
  public static func open(
    containing folder: FilePath, access: Store.Access, environment: StoreEnvironment
  ) throws(RepositoryError) -> Repository {
    try open(StorePlace(containing: folder), access: access, environment: environment)
  }

  /// Opens a repository that was found before.
  public static func open(
    _ place: StorePlace, access: Store.Access, environment: StoreEnvironment
  ) throws(RepositoryError) -> Repository {
    Repository(try Store.open(place, access: access, environment: environment))
  }

  /// The folder of documents.
  public var root: FilePath { store.layout.root }

  // MARK: Paths

  /// The document's path that a path given by a person means; see ``RepositoryLayout/documentPath(_:from:)``.
  public func documentPath(_ given: [UInt8], from folder: FilePath) throws(RepositoryError) -> DocumentPath? {
    try store.layout.documentPath(given, from: folder)
  }

  // MARK: What is at a path

  /// What the store knows of a path, the same on every device that holds the same records (R14).
  public func view(of path: DocumentPath) throws(RepositoryError) -> PathView {
    PathView(path: path, claimants: try rows(claiming: path).map { ClaimingDocument($0) })
  }

  func rows(claiming path: DocumentPath) throws(RepositoryError) -> [DocumentRow] {
    try store.catalogued { () throws(CatalogError) in try store.catalog.documents(claiming: path) }
  }

  /// The documents whose current version is a deletion at a path, the latest first.
  public func deletedDocuments(at path: DocumentPath) throws(RepositoryError) -> [ClaimingDocument] {
    let rows = try store.catalogued { () throws(CatalogError) in try store.catalog.documents(deletedAt: path) }
    return rows.map { ClaimingDocument($0) }.sorted { $0.current.isGreater(than: $1.current) }
  }

  func fileRow(at path: DocumentPath) throws(RepositoryError) -> FileRow? {
    try store.catalogued { () throws(CatalogError) in try store.catalog.file(at: path) }
  }
}
