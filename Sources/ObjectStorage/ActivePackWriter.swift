public import SystemIO

/// Appends groups of entries to an active pack. Used by the holder of the device's lock, from one thread.
///
/// What ``append(_:isBaseMark:)`` was given counts when ``commit(_:)`` has returned, and is then on stable storage.
/// After
/// a failed write the writer is broken: it refuses everything, and the next pack is begun.
public final class ActivePackWriter {
  public let name: PackName

  /// The pack's number among the device's active packs.
  public var number: UInt64 {
    if case .active(_, let number) = name { return number }
    return 0
  }

  public let path: FilePath
  /// Where the last committed group ends, or the header.
  public private(set) var byteCount: UInt64
  /// Whether a write failed.
  public private(set) var isBroken = false
  public private(set) var isInGroup = false
  private let file: FileDescriptor
  /// What is buffered before it goes to the file.
  var bufferByteCount = 1 << 20
  private var buffer: [UInt8] = []
  /// Where the buffer's first byte will stand.
  private var bufferOffset: UInt64

  init(name: PackName, path: FilePath, file: consuming FileDescriptor, byteCount: UInt64) {
    self.name = name
    self.path = path
    self.file = file
    self.byteCount = byteCount
    bufferOffset = byteCount
  }

  /// Where the next entry will stand.
  public var nextOffset: UInt64 { bufferOffset + UInt64(buffer.count) }

  /// How many bytes of entries still fit.
  public var room: UInt64 {
    let used = nextOffset + UInt64(PackFormat.commitByteCount)
    return used < PackFormat.maximumByteCount ? PackFormat.maximumByteCount - used : 0
  }

  /// Begins a group.
  public func begin() {
    precondition(!isInGroup, "the group before is committed or abandoned first")
    isInGroup = true
  }

  /// Adds an entry to the group and returns where it stands.
  ///
  /// The bytes are buffered; a full buffer goes to the file, where nothing counts before the commit.
  ///
  /// - Throws: `tooLarge` where the pack cannot hold it: nothing was added, and the group can be committed or
  ///   abandoned.
  public func append(_ content: PackContent, isBaseMark: Bool = false) throws(ObjectStoreError) -> UInt64 {
    guard !isBroken else { throw .broken }
    precondition(isInGroup, "entries belong to a group")
    if case .commit = content { preconditionFailure("groups are committed by commit") }
    if let object = content.object {
      guard object.byteCount <= PackFormat.maximumObjectByteCount else { throw .tooLarge }
    }
    let pieces = PackFormat.EntryPieces(content, isBaseMark: isBaseMark)
    guard UInt64(pieces.byteCount) <= room else { throw .tooLarge }
    let offset = nextOffset
    pieces.append(to: &buffer)
    if buffer.count >= bufferByteCount { try flush() }
    return offset
  }

  /// Makes what was appended so far readable in the file. It still does not count, and is not on stable storage.
  public func flush() throws(ObjectStoreError) {
    guard !isBroken else { throw .broken }
    guard !buffer.isEmpty else { return }
    do {
      try file.write(buffer, at: bufferOffset)
    } catch {
      try fail(error)
    }
    bufferOffset += UInt64(buffer.count)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Ends the group and waits until it is on stable storage. A group without entries leaves no trace.
  ///
  /// - Throws: after any error nothing of the group was acknowledged, and the writer is broken.
  public func commit(_ operation: PackOperation) throws(ObjectStoreError) {
    guard !isBroken else { throw .broken }
    precondition(isInGroup, "there is no group")
    guard nextOffset > byteCount else {
      isInGroup = false
      return
    }
    buffer.append(contentsOf: PackFormat.encodeEntry(.commit(operation)))
    try flush()
    do {
      try file.synchronizeData()
    } catch {
      try fail(error)
    }
    byteCount = bufferOffset
    isInGroup = false
  }

  /// Drops the group. Who mapped its entries after ``flush()`` must forget the mapping.
  public func abandon() {
    isInGroup = false
    buffer.removeAll(keepingCapacity: true)
    guard bufferOffset > byteCount, !isBroken else { return }
    bufferOffset = byteCount
    do {
      try file.truncate(to: byteCount)
    } catch {
      isBroken = true
    }
  }

  /// A group that was not acknowledged must not be found later, when it may vanish again.
  private func fail(_ error: SystemError) throws(ObjectStoreError) -> Never {
    isBroken = true
    buffer.removeAll()
    try? file.truncate(to: byteCount)
    throw .system(error)
  }
}
