import Hashing
import SystemIO

/// A file that is written under a temporary name and gets its final one when it is whole and durable.
///
/// The temporary file goes with the value unless it was published. Appended bytes are hashed on the way.
final class StagedFile {
  private static let bufferByteCount = 1 << 20

  private let file: FileDescriptor
  let temporary: FilePath
  private let folder: FilePath
  private var buffer: [UInt8] = []
  private var hasher = SHA256()
  private var isPublished = false
  private(set) var byteCount: UInt64 = 0

  /// Creates an empty temporary file in a folder that exists.
  init(in folder: FilePath) throws(SystemError) {
    temporary = folder.appending(TemporaryName.random())
    self.folder = folder
    file = try FileDescriptor.open(temporary, .writeOnly, options: [.create, .exclusive], permissions: 0o644)
  }

  deinit {
    if !isPublished { try? FileSystem.remove(at: temporary) }
  }

  /// The digest of all bytes appended so far.
  var digest: ObjectID { hasher.finalized() }

  func append(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    hasher.update(bytes)
    byteCount += UInt64(bytes.count)
    if buffer.count + bytes.count > Self.bufferByteCount { try flush() }
    if bytes.count > Self.bufferByteCount {
      try file.write(bytes)
    } else {
      buffer.append(contentsOf: bytes)
    }
  }

  func append(_ bytes: [UInt8]) throws(SystemError) {
    try bytes.withRawBytes { (raw) throws(SystemError) in try append(raw) }
  }

  /// Writes what is still in memory.
  func flush() throws(SystemError) {
    guard !buffer.isEmpty else { return }
    try file.write(buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Makes the bytes durable, then the name: what has the name has all the bytes, whenever the power fails.
  ///
  /// A missing folder of the path is created; its parent is the folder that the file is staged in, or that folder
  /// itself.
  func publish(as path: FilePath) throws(SystemError) {
    try flush()
    try file.synchronizeData()
    if path.parent != folder {
      do throws(SystemError) {
        try FileSystem.makeFolder(at: path.parent)
      } catch {
        guard error.alreadyExists else { throw error }
      }
      // Also where it was there: whoever made it may have died before this.
      try FileSystem.synchronizeFolder(at: folder)
    }
    try FileSystem.rename(from: temporary, to: path, how: .replace)
    isPublished = true
    try FileSystem.synchronizeFolder(at: path.parent)
  }
}
