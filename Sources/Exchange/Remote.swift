public import SystemIO
public import VersionStore
public import Versioning

/// A tree of files that devices exchange through: a folder, a store, an object store.
///
/// Every file is written once, whole, by a name that says what it holds, so no lock, no order of a listing and no clock is
/// relied on. Nothing that a remote answers is believed before it was checked against a hash. One thread uses a remote.
public protocol Remote: AnyObject {
  /// The remote for people; safe on a terminal.
  var place: String { get }

  /// Looks whether this is a remote of a format that is understood.
  ///
  /// - Throws: `.unreachable`, `.unsupportedFormat` or another failure to look.
  func condition() throws(RemoteError) -> RemoteCondition

  /// Makes an empty place a remote. Durable when it returns.
  func setUp() throws(RemoteError)

  /// The bytes of a file in a range, fewer where it ends before.
  ///
  /// - Throws: `.notFound` where there is no file of this name.
  func get(_ name: RemoteName, _ range: Range<UInt64>) throws(RemoteError) -> [UInt8]

  /// Makes a file; durable, and under its name only when it is whole.
  ///
  /// - Parameters:
  ///   - isReplacing: whether a file of this name that holds something else is replaced: for repairing what is damaged.
  ///   - progress: is told how many bytes are written, now and then.
  /// - Throws: `.refused` where there is one and it is not to be replaced; the same bytes again are fine.
  func put(
    _ name: RemoteName, _ bytes: UnsafeRawBufferPointer, isReplacing: Bool, progress: (UInt64) -> Void
  ) throws(RemoteError)

  /// The length of a file in bytes, or `nil` where there is none.
  func head(_ name: RemoteName) throws(RemoteError) -> UInt64?

  /// The names in a folder, in no order; none where it is missing. It may be older than what ``head(_:)`` and
  /// ``get(_:_:)`` see.
  func list(_ folder: RemoteName) throws(RemoteError) -> [[UInt8]]

  /// Whether the tree is that of a store on this machine.
  func isTree(ofStore store: FilePath) -> Bool

  /// Where the remote is a store: the private folders of its devices, whose active packs can be read.
  func privateFolders() throws(RemoteError) -> [(device: DeviceID, folder: PrivateLayout)]
}

/// What is found at a remote's place.
public enum RemoteCondition: Equatable, Sendable {
  /// A remote of a format that is understood.
  case ready
  /// Nothing at all, and it could be set up: a missing or an empty folder.
  case empty
  /// Files, but no marker that says that this is a remote.
  case unmarked
}

extension Remote {
  public func isTree(ofStore store: FilePath) -> Bool { false }

  public func privateFolders() throws(RemoteError) -> [(device: DeviceID, folder: PrivateLayout)] { [] }
}
