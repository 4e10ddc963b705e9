public import Catalog
public import Hashing
public import ObjectStorage
public import SystemIO
public import Versioning

/// Why a repository could not do what was asked.
///
/// After any of these the store is as before, except where a case says otherwise.
public enum RepositoryError: Error, Equatable, Sendable {
  /// No folder from here upwards has a store.
  case notARepository(FilePath)
  /// A path does not lie in the repository's folder, or is no possible path of a document.
  case outside([UInt8])
  /// No document is or was at the path.
  case noSuchDocument(DocumentPath)
  /// The document has no such version.
  case noSuchVersion([UInt8], DocumentPath)
  /// Nothing of the document was saved up to a time; when the first version was, both in milliseconds since 1970.
  case nothingSaved(upTo: Int64, DocumentPath, first: Int64)
  /// No device has this name or id.
  case noSuchDevice([UInt8])
  /// Several versions fit.
  case ambiguous([UInt8], candidates: [RecordID])
  /// A version that is named does not belong to the document.
  case foreignVersion(RecordID, DocumentPath)
  /// Refused because data could be lost or the request can't be meant.
  case refused(Refusal)
  /// Another process holds the store's lock.
  case locked(FilePath)
  /// The store can't be written to.
  case readOnly(FilePath)
  /// A newer dver wrote the store.
  case unsupportedFormat([UInt8])
  /// The store or a remote does not hold what its hashes promise.
  case damaged(String)
  /// A record names another that isn't here (yet).
  case incomplete(RecordID)
  /// Content that this device doesn't have.
  case notLocal(ObjectID)
  case objects(ObjectStoreError)
  case catalog(CatalogError)
  case system(SystemError)
}

/// Why a request was refused to protect data.
public enum Refusal: Error, Equatable, Sendable {
  /// The working file has changes that no version holds.
  case unsavedChanges(DocumentPath)
  /// The version was given up by a removal.
  case removedVersion(RecordID)
  /// Everything, or more than half of ten or more documents, is missing.
  case massDeletion(missing: Int, of: Int)
  /// The last operation can't be taken back since something stands on it.
  case stoodOn(DocumentPath)
  /// There is nothing to take back.
  case nothingToUndo
  /// The version is current and so can't be given up.
  case currentVersion(DocumentPath)
  /// The path is taken by another document or file.
  case pathTaken(DocumentPath)
  /// The path leads through a link or a file, or what is there can't be a document.
  case unreachable(DocumentPath)
  /// The file kept changing while it was read.
  case changing(DocumentPath)
  /// The document has no conflict.
  case noConflict(DocumentPath)
  /// The request needs exactly two sides.
  case notTwoSides(DocumentPath)
  /// One of two sides is a deletion, so there aren't two contents to keep.
  case nothingToKeep(DocumentPath)
  /// The base asked for is not a version of the document.
  case notMergeable(DocumentPath)
}
