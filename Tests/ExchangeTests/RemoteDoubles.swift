import Exchange
import SystemIO
import VersionStore
import Versioning

/// A folder as a remote that can be made to fail, and whose listings can be made stale.
final class RemoteDouble: Remote {
  let base: DirectoryRemote
  /// Whether listings show only what was there at this moment.
  private var staleNames: [RemoteName: [[UInt8]]]?
  var isReadOnly = false
  /// After so many more calls nothing answers any more.
  var callsLeft = Int.max
  /// Called before a file is put.
  var beforePut: (RemoteName) throws -> Void = { _ in }

  init(_ folder: FilePath) { base = DirectoryRemote(folder) }

  var place: String { base.place }

  /// From now on listings of these folders show what they show now.
  func freezeListings(of folders: [RemoteName]) throws {
    var names: [RemoteName: [[UInt8]]] = [:]
    for folder in folders { names[folder] = try base.list(folder) }
    staleNames = names
  }

  private func count() throws(RemoteError) {
    guard callsLeft > 0 else { throw .unreachable(place: place, reason: "the line is dead") }
    callsLeft -= 1
  }

  func condition() throws(RemoteError) -> RemoteCondition {
    try count()
    return try base.condition()
  }

  func setUp() throws(RemoteError) {
    try count()
    if isReadOnly { throw .readOnly(place: place) }
    try base.setUp()
  }

  func get(_ name: RemoteName, _ range: Range<UInt64>) throws(RemoteError) -> [UInt8] {
    try count()
    return try base.get(name, range)
  }

  func put(
    _ name: RemoteName, _ bytes: UnsafeRawBufferPointer, isReplacing: Bool, progress: (UInt64) -> Void
  ) throws(RemoteError) {
    try count()
    if isReadOnly { throw .readOnly(place: place) }
    do { try beforePut(name) } catch { throw .refused(name) }
    try base.put(name, bytes, isReplacing: isReplacing, progress: progress)
  }

  func head(_ name: RemoteName) throws(RemoteError) -> UInt64? {
    try count()
    return try base.head(name)
  }

  func list(_ folder: RemoteName) throws(RemoteError) -> [[UInt8]] {
    try count()
    if let staleNames { return staleNames[folder] ?? [] }
    return try base.list(folder)
  }

  func isTree(ofStore store: FilePath) -> Bool { base.isTree(ofStore: store) }
}
