public import Deflate
public import Hashing
public import SystemIO

/// Turns contents into objects of an active pack.
///
/// One serves one group, or what follows it without an abandoned one between: it remembers what it wrote.
///
/// Content of up to 4 MiB becomes one blob; it is handed back unwritten, so that it can share an entry with its record.
/// Larger content is cut into chunks, which are written as they come, and a chunk list. Memory is bounded by a few
/// chunks
/// and 40 bytes for each.
public final class ContentWriter {
  /// The length up to which a content is one blob.
  public static let blobByteCountLimit = 4 << 20

  /// Whether an object of that id need not be written again.
  public typealias Contains = (ObjectID) throws(ObjectStoreError) -> Bool
  /// Gives a pack whose group is open and which has room for so many bytes: the same one, or, after a commit, the next.
  public typealias MakeRoom = (UInt64) throws(ObjectStoreError) -> ActivePackWriter
  /// Fills a buffer from its start and returns how many bytes it got, 0 at the end.
  public typealias Pull = (UnsafeMutableRawBufferPointer) throws(SystemError) -> Int

  let contains: Contains
  let containsPart: Contains
  let makeRoom: MakeRoom
  let deflater = Deflater()
  let chunker = Chunker()
  /// Blobs and chunk lists that this writer wrote.
  var written: Set<ObjectID> = []
  /// Archives that this writer wrote.
  private var writtenArchives: Set<ObjectID> = []
  /// Told of each object that this writer appended to a pack.
  public var didAppend: (ObjectEntry, _ offset: UInt64) -> Void = { _, _ in }

  /// - Parameters:
  ///   - contains: whether a content of that id is stored, in whatever form.
  ///   - containsPart: whether one is stored as a blob or a chunk list, as chunks and parts of archives have to be.
  public init(contains: @escaping Contains, containsPart: @escaping Contains, makeRoom: @escaping MakeRoom) {
    self.contains = contains
    self.containsPart = containsPart
    self.makeRoom = makeRoom
  }

  /// Writes into one pack only; where that is full, `tooLarge` is thrown.
  public convenience init(
    _ writer: ActivePackWriter, contains: @escaping Contains, containsPart: @escaping Contains
  ) {
    self.init(contains: contains, containsPart: containsPart) { _ in writer }
  }

  /// A content that was taken in.
  public struct Written {
    public let id: ObjectID
    public let byteCount: UInt64
    /// The object that is still to be written, by ``append(_:record:isBaseMark:)``; `nil` where the store has it.
    public let object: ObjectEntry?
    /// The pack and offset for which the object was encoded.
    let writer: ActivePackWriter?
    let offset: UInt64
  }

  /// Takes in a content given piece by piece.
  ///
  /// - Parameter candidates: earlier objects that it may be stored against, the best first; see
  ///   ``DeltaPolicy/base(ofVersion:)``.
  /// - Throws: `source` with what `pull` throws. Chunks that were written stay in the group, where they do no harm.
  public func write(
    candidates: [DeltaCandidate] = [], from pull: Pull
  ) throws(ObjectStoreError) -> Written {
    try write(candidates: candidates, asPart: false, from: pull)
  }

  private func write(
    candidates: [DeltaCandidate], asPart: Bool, from pull: Pull
  ) throws(ObjectStoreError) -> Written {
    var buffer = PullBuffer(byteCount: Self.blobByteCountLimit + 1)
    try buffer.fill(pull)
    if buffer.isAtEnd, buffer.bytes.count <= Self.blobByteCountLimit {
      return try encode(
        buffer.bytes, id: SHA256.hash(buffer.bytes), kind: .blob, byteCount: UInt64(buffer.bytes.count),
        candidates: candidates, asPart: asPart)
    }
    return try writeChunks(&buffer, candidates: candidates, asPart: asPart, pull)
  }

  /// Takes in a content that is at hand.
  ///
  /// - Parameter id: the content's SHA-256 where the caller has computed it of these very bytes, which are not hashed again.
  public func write(
    _ content: [UInt8], id: ObjectID? = nil, candidates: [DeltaCandidate] = []
  ) throws(ObjectStoreError) -> Written {
    try write(content, id: id, candidates: candidates, asPart: false)
  }

  func write(
    _ content: [UInt8], id: ObjectID?, candidates: [DeltaCandidate], asPart: Bool
  ) throws(ObjectStoreError) -> Written {
    if content.count <= Self.blobByteCountLimit {
      let id = id ?? SHA256.hash(content)
      return try content.withUnsafeBufferPointer { (bytes) throws(ObjectStoreError) in
        try encode(
          UnsafeRawBufferPointer(bytes), id: id, kind: .blob, byteCount: UInt64(bytes.count), candidates: candidates,
          asPart: asPart)
      }
    }
    var given = 0
    return try write(candidates: candidates, asPart: asPart) { (buffer) throws(SystemError) in
      let count = min(buffer.count, content.count - given)
      buffer.copyBytes(from: content[given..<given + count])
      given += count
      return count
    }
  }

  /// Writes the object of a content, with its record in the same entry where there is one, and returns where it
  /// stands; `nil` where there is nothing to write.
  ///
  /// - Precondition: nothing was appended to the pack since the content was taken in.
  public func append(
    _ content: Written, record: RecordEntry? = nil, isBaseMark: Bool = false
  ) throws(ObjectStoreError) -> ObjectLocation? {
    guard let writer = content.writer, let object = content.object else {
      guard let record else { return nil }
      let writer = try makeRoom(UInt64(PackFormat.maximumRecordByteCount))
      return ObjectLocation(
        pack: writer.name, offset: try writer.append(.record(record), isBaseMark: isBaseMark))
    }
    precondition(writer.nextOffset == content.offset, "a delta names its base by distance")
    let entry: PackContent = record.map { .recordWithObject($0, object) } ?? .object(object)
    let offset = try writer.append(entry, isBaseMark: isBaseMark)
    didAppend(object, offset)
    if object.kind == .archive { writtenArchives.insert(content.id) } else { written.insert(content.id) }
    return ObjectLocation(pack: writer.name, offset: offset)
  }

  func encode(
    _ bytes: UnsafeRawBufferPointer, id: ObjectID, kind: ObjectKind, byteCount: UInt64, candidates: [DeltaCandidate],
    asPart: Bool = false
  ) throws(ObjectStoreError) -> Written {
    guard try !isStored(id, asPart: asPart) else {
      return Written(id: id, byteCount: byteCount, object: nil, writer: nil, offset: 0)
    }
    // The bytes, an object's fields, and the greatest record beside it.
    let writer = try makeRoom(UInt64(bytes.count + 256 + PackFormat.maximumRecordByteCount))
    let offset = writer.nextOffset
    let object = Self.object(
      bytes, id: id, kind: kind, against: candidates, in: writer.name, at: offset, deflater: deflater)
    return Written(id: id, byteCount: byteCount, object: object, writer: writer, offset: offset)
  }

  /// Bytes as an object for one place of a pack, stored against the candidate that makes it smallest.
  ///
  /// - Parameter id: the SHA-256 of the bytes.
  public static func object(
    _ bytes: UnsafeRawBufferPointer, id: ObjectID, kind: ObjectKind, against candidates: [DeltaCandidate],
    in pack: PackName, at offset: UInt64, deflater: Deflater = Deflater()
  ) -> ObjectEntry {
    let candidates = candidates.filter {
      guard $0.kind == kind, $0.id != id else { return false }
      // Of an archive another pack may have another form under the same id, so its place has to be told.
      return $0.location.pack == pack ? $0.location.offset < offset : kind != .archive
    }
    let encoded = DeltaPolicy.encode(bytes, candidates: candidates, deflater: deflater)
    let base = encoded.candidate.map { place -> EntryReference in
      let candidate = candidates[place]
      guard candidate.location.pack == pack else { return .far(candidate.id) }
      return .near(distance: offset - candidate.location.offset)
    }
    return ObjectEntry(
      id: id, kind: kind, encoding: encoded.encoding, byteCount: UInt64(bytes.count), base: base,
      depth: encoded.depth, data: .bytes(encoded.data))
  }

  /// Whether a content need not be written again.
  ///
  /// - Parameter asPart: as a chunk or a part of an archive, where an archive doesn't do.
  func isStored(_ id: ObjectID, asPart: Bool) throws(ObjectStoreError) -> Bool {
    if written.contains(id) { return true }
    if asPart { return try containsPart(id) }
    if writtenArchives.contains(id) { return true }
    return try contains(id)
  }
}
