public import Hashing
public import SystemIO

/// A failure to read or write objects.
public enum ObjectStoreError: Error, Equatable, Sendable {
  /// No pack at hand holds the object.
  case notFound(ObjectID)
  /// The stored bytes do not hash to their id. `offset` is in bytes from the pack's start.
  case corrupt(ObjectID, pack: PackName, offset: UInt64)
  /// A content put together from its chunks has another hash or length than its id or list says.
  case corruptContent(ObjectID)
  /// A pack is not what its format demands.
  case damagedPack(PackName, offset: UInt64, reason: PackFormatError)
  /// A newer dver wrote the pack.
  case unsupportedFormat(version: UInt16)
  /// A newer dver stored a zip document in a form, or by an encoder, that this one doesn't know.
  case unsupportedArchive(version: UInt64)
  /// Something exceeds a limit of the format, or of the caller.
  case tooLarge
  /// The content to be stored could not be read; the store itself is unharmed.
  case source(SystemError)
  /// The content that was read could not be put where it was to go; the store itself is unharmed.
  case destination(SystemError)
  /// A system call on the store failed.
  case system(SystemError)
  /// An earlier write to this pack failed: begin the next one.
  case broken
}
