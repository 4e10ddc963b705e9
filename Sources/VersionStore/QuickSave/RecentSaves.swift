import Hashing
import SystemIO
import Versioning

/// The folder in which the last saves leave what the next ones need. A cache: what can't be read counts as absent.
///
/// It holds for as long as its state agrees with the active pack, and only the lock's holder uses it. Whoever is about to
/// do more than save one document removes the state first. Source: docs/format.md, "Recent saves".
struct RecentSaves {
  /// What the documents here depend on together.
  struct State: Equatable {
    /// A random number: documents of another one don't count.
    var generation: UInt64
    /// The number of the active pack.
    var pack: UInt64
    /// The pack's length. Any other length means that somebody else has written.
    var byteCount: UInt64
    /// How many groups the catalog hasn't taken in yet.
    var groupCount: UInt32
  }

  /// How many groups the catalog may be behind.
  static let groupCountLimit: UInt32 = 32
  /// How many documents are kept.
  static let documentLimit = 16

  let folder: FilePath

  init(_ folder: PrivateLayout) {
    self.folder = folder.recent
  }

  private var stateFile: FilePath { folder.appending("state") }

  private static let format: UInt8 = 1
  private static let stateByteCount = 1 + 8 + 8 + 8 + 4 + 8

  // MARK: The state

  /// Whether there is a state, readable or not.
  var exists: Bool { (try? FileStatus.of(stateFile)) != nil }

  func state() -> State? {
    guard let bytes = try? FileSystem.read(stateFile, limit: Self.stateByteCount) else { return nil }
    return try? Self.decode(bytes)
  }

  private static func decode(_ bytes: [UInt8]) throws(DecodingFailure) -> State {
    var reader = ByteReader(bytes)
    guard try reader.u8() == format else { throw .invalidValue }
    let state = State(
      generation: try reader.u64(), pack: try reader.u64(), byteCount: try reader.u64(), groupCount: try reader.u32())
    guard try reader.u64() == SHA256.hash(Array(bytes.dropLast(8))).prefix else { throw .invalidValue }
    try reader.finish()
    return state
  }

  /// Makes the documents of a generation count.
  func set(_ state: State) throws(SystemError) {
    var writer = ByteWriter(capacity: Self.stateByteCount)
    writer.u8(Self.format)
    writer.u64(state.generation)
    writer.u64(state.pack)
    writer.u64(state.byteCount)
    writer.u32(state.groupCount)
    writer.u64(SHA256.hash(writer.bytes).prefix)
    try write(writer.bytes, to: stateFile)
  }

  /// Makes nothing here count.
  func invalidate() throws(SystemError) {
    do throws(SystemError) { try FileSystem.remove(at: stateFile) } catch  where error.isNotFound {}
  }

  // MARK: Documents

  /// The document at a path, or `nil` where none of this generation is kept.
  func document(at path: DocumentPath, in state: State) -> RecentDocument? {
    guard let bytes = try? FileSystem.read(file(of: path), limit: RecentDocument.byteCountLimit),
      let document = try? RecentDocument(decoding: bytes), document.generation == state.generation,
      document.version.record.path == path
    else { return nil }
    return document
  }

  /// Keeps a document. Where it fails, what is there is no document that counts.
  func keep(_ document: RecentDocument) throws(SystemError) {
    try write(document.encoded(), to: file(of: document.version.record.path))
  }

  /// All documents of a generation, without their content.
  func documents(in state: State) -> [RecentDocument] {
    var found: [RecentDocument] = []
    for entry in (try? FileSystem.list(folder)) ?? [] {
      guard let bytes = try? FileSystem.read(folder.appending(entry.name), limit: RecentDocument.byteCountLimit) else {
        continue
      }
      var reader = ByteReader(bytes)
      guard let document = try? RecentDocument(header: &reader), document.generation == state.generation else {
        continue
      }
      found.append(document)
    }
    return found
  }

  /// Removes documents that don't count any more, once there are many files.
  func clearIfFull() {
    guard let entries = try? FileSystem.list(folder), entries.count > Self.documentLimit else { return }
    for entry in entries { try? FileSystem.remove(at: folder.appending(entry.name)) }
  }

  /// The file of a path. Two paths may share one: whoever reads it compares.
  private func file(of path: DocumentPath) -> FilePath {
    // FNV-1a: a cache needs no more. Source: the IETF draft on the FNV non-cryptographic hash.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in path.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return folder.appending(Hexadecimal.encodeBytes((0..<8).map { UInt8(truncatingIfNeeded: hash >> (56 - 8 * $0)) }))
  }

  /// Writes a file in its place. Not durable, and a crash can leave any part of it: readers check.
  private func write(_ bytes: [UInt8], to path: FilePath) throws(SystemError) {
    let file: FileDescriptor
    do throws(SystemError) {
      file = try FileDescriptor.open(path, .writeOnly, options: [.create, .noFollow], permissions: 0o600)
    } catch {
      guard error.isNotFound else { throw error }
      try FileSystem.makeFolder(at: folder, permissions: 0o700)
      return try write(bytes, to: path)
    }
    try file.write(bytes, at: 0)
    if try file.status().size != UInt64(bytes.count) { try file.truncate(to: UInt64(bytes.count)) }
  }
}
