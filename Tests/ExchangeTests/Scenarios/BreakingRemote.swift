import Exchange
import SystemIO
import VersionStore
import Versioning

/// A remote that takes a few log entries and breaks off before the next one.
final class BreakingRemote: Remote {
  private let remote: any Remote
  private var remaining: Int

  init(_ remote: any Remote, afterEntries count: Int) {
    self.remote = remote
    remaining = count
  }

  private func check() throws(RemoteError) {
    if remaining < 0 { throw .unreachable(place: place, reason: "broken off") }
  }

  var place: String { remote.place }

  func condition() throws(RemoteError) -> RemoteCondition { try remote.condition() }

  func setUp() throws(RemoteError) { try remote.setUp() }

  func get(_ name: RemoteName, _ range: Range<UInt64>) throws(RemoteError) -> [UInt8] {
    try check()
    return try remote.get(name, range)
  }

  func put(
    _ name: RemoteName, _ bytes: UnsafeRawBufferPointer, isReplacing: Bool, progress: (UInt64) -> Void
  ) throws(RemoteError) {
    if name.text.hasPrefix("log/") { remaining -= 1 }
    try check()
    try remote.put(name, bytes, isReplacing: isReplacing, progress: progress)
  }

  func head(_ name: RemoteName) throws(RemoteError) -> UInt64? {
    try check()
    return try remote.head(name)
  }

  func list(_ folder: RemoteName) throws(RemoteError) -> [[UInt8]] {
    try check()
    return try remote.list(folder)
  }
}
