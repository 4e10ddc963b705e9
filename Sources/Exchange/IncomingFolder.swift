import Hashing
import ObjectStorage
import SystemIO
import VersionStore

/// Files on their way into the store: they get their place when they are whole, checked and durable.
///
/// Used by the holder of the device's exchange lock.
struct IncomingFolder {
  private let folder: FilePath

  /// Makes the folder, and clears away what an interrupted exchange left in it.
  init(at folder: FilePath) throws(SystemError) {
    self.folder = folder
    try FileSystem.makeFolders(at: folder, permissions: 0o700)
    for entry in try FileSystem.list(folder) { try FileSystem.removeTree(at: folder.appending(entry.name)) }
  }

  func begin() throws(SystemError) -> IncomingFile {
    try IncomingFile(at: folder.appending(TemporaryName.random()))
  }
}

/// A file that is being brought in. It goes with the object unless it was placed.
final class IncomingFile {
  private let path: FilePath
  private let file: FileDescriptor
  private var hasher = SHA256()
  private var isPlaced = false

  fileprivate init(at path: FilePath) throws(SystemError) {
    self.path = path
    file = try FileDescriptor.open(path, .writeOnly, options: [.create, .exclusive], permissions: 0o644)
  }

  deinit {
    if !isPlaced { try? FileSystem.remove(at: path) }
  }

  /// The digest of everything appended so far.
  var digest: ObjectID { hasher.finalized() }

  func append(_ bytes: [UInt8]) throws(SystemError) {
    if bytes.isEmpty { return }
    hasher.update(bytes)
    try file.write(bytes)
  }

  /// Whether what was appended is a sealed pack of that identity, as far as its frame shows.
  func isPack(_ id: ObjectID) -> Bool {
    digest == id && (try? PackFile.open(path, name: .sealed(PackID(id)))) != nil
  }

  /// Makes the bytes durable, then the name. What has the name now is replaced.
  func place(at target: FilePath) throws(SystemError) {
    try file.synchronizeData()
    for made in try FileSystem.makeFolders(at: target.parent) { try FileSystem.synchronizeFolder(at: made.parent) }
    try FileSystem.rename(from: path, to: target)
    isPlaced = true
    try FileSystem.synchronizeFolder(at: target.parent)
  }
}
