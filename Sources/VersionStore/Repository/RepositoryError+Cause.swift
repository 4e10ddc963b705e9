import Catalog
import Hashing
import ObjectStorage
public import SystemIO

extension RepositoryError {
  /// What went wrong, for callers that don't tell the layers below apart.
  public enum Cause: Equatable, Sendable {
    case system(SystemError)
    /// Bytes on disk aren't what they have to be. The text names the object and its place.
    case damage(String)
    /// Content that no pack at hand holds.
    case notLocal
    case busy
    case noSpace
    case newerFormat(String)
    /// A zip document in a form that this dver doesn't know.
    case newerArchive(String)
    case tooLarge
    /// Anything else, in words.
    case other(String)
  }

  /// The cause of an error of a layer below; `nil` for the repository's own errors.
  public var cause: Cause? {
    switch self {
    case .system(let error): .system(error)
    case .objects(let error): Cause(error)
    case .catalog(let error): Cause(error)
    default: nil
    }
  }
}

extension RepositoryError {
  /// Whether it is about the working file at hand alone: others can still be saved or placed.
  var concernsOneFile: Bool {
    switch self {
    case .system(let cause), .objects(.source(let cause)), .objects(.destination(let cause)): cause.concernsOneFile
    case .refused(.changing), .refused(.unreachable): true
    default: false
    }
  }

  /// Whether content that is wanted is damaged or not here; other contents may be.
  var lacksContent: Bool {
    switch self {
    case .notLocal, .damaged, .objects(.notFound), .objects(.corrupt), .objects(.corruptContent),
      .objects(.unsupportedArchive):
      true
    default: false
    }
  }
}

extension SystemError {
  /// Whether another file may be reached all the same: not so where the disk is full or the process has no descriptor left.
  fileprivate var concernsOneFile: Bool {
    isPermission || isNameTooLong || [5, 16, 26, 116].contains(code)  // EIO, EBUSY, ETXTBSY, ESTALE
  }
}

extension RepositoryError.Cause {
  init(_ error: ObjectStoreError) {
    switch error {
    case .notFound: self = .notLocal
    case .corrupt(let id, let pack, let offset):
      self = .damage("object \(id.hexadecimal) in \(pack) at byte \(offset) is not what its id promises")
    case .corruptContent(let id): self = .damage("content \(id.hexadecimal) is not what its id promises")
    case .damagedPack(let pack, let offset, let reason):
      self = .damage("\(pack) is damaged at byte \(offset): \(reason)")
    case .unsupportedFormat(let version): self = .newerFormat("\(version)")
    case .unsupportedArchive(let version): self = .newerArchive("\(version)")
    case .tooLarge: self = .tooLarge
    case .system(let error) where error.isNotFound:
      self = .damage("a pack is missing: \(error.path?.description ?? "")")
    case .source(let error), .destination(let error), .system(let error): self = .system(error)
    case .broken: self = .other("an earlier write to the store failed")
    }
  }

  init(_ error: CatalogError) {
    switch error {
    case .unusable(let reason): self = .damage("the catalog is unusable: \(reason)")
    case .busy: self = .busy
    case .full: self = .noSpace
    case .system(_, let message): self = .other("the catalog: \(message)")
    case .damagedRow(let table): self = .damage("the catalog holds a damaged row of \(table)")
    }
  }
}
