import Archives
public import Hashing

extension ContentWriter {
  /// Whether a content begins as zip archives do, and is short enough to be stored as one.
  public static func mayBeArchive(_ content: [UInt8]) -> Bool {
    content.count <= ArchiveObject.byteCountLimit && ZipArchive.isLikely(content)
  }

  /// The greatest length of an archive that is stored by its members.
  public static var archiveByteCountLimit: Int { ArchiveObject.byteCountLimit }

  /// Takes in a zip archive by its members' contents, those that the store lacks being written at once; `nil` where it has
  /// to be stored as any other content.
  ///
  /// What comes out is compared with the content, byte for byte, before it is relied on.
  ///
  /// - Parameters:
  ///   - id: the content's SHA-256.
  ///   - bases: earlier versions of the archive, the best first.
  public func writeArchive(
    _ content: [UInt8], id: ObjectID, bases: [ArchiveBase] = []
  ) throws(ObjectStoreError) -> Written? {
    guard Self.mayBeArchive(content), let archive = try? ZipArchive(content), ArchivePolicy.pays(archive)
    else { return nil }
    let skeleton = ZipSkeleton(of: archive, inlining: ArchivePolicy.inlineByteCount)
    var object = ArchiveObject(
      byteCount: content.count,
      skeleton: try writePart(skeleton.bytes, against: bases.first?.archive.skeleton, of: bases.first),
      skeletonByteCount: skeleton.bytes.count, directoryGap: skeleton.directoryGap, items: [])
    var reader = ArchiveReader(archive)
    for (member, place) in zip(archive.membersInOrder, skeleton.members) {
      let earlier = bases.first?.item(named: member.name)
      let (item, bytes) = reader.item(of: member, place, like: earlier)
      if let content = item.content, let bytes {
        let isAlike = earlier?.isDeflated == item.isDeflated
        let base = isAlike ? earlier?.content?.id : nil
        guard try writePart(bytes, id: content.id, against: base, of: bases.first) == content.id else { return nil }
      }
      object.items.append(item)
    }
    let bytes = object.encoded()
    guard UInt64(bytes.count) <= PackFormat.maximumObjectByteCount,
      let again = try? ArchiveObject(decoding: bytes), again == object,
      ArchiveReader.gives(again, skeleton.bytes, archive)
    else { return nil }
    var candidates: [DeltaCandidate] = []
    for base in bases { candidates += base.candidates(for: base.id) }
    return try bytes.withRawBytes { (raw) throws(ObjectStoreError) in
      try encode(raw, id: id, kind: .archive, byteCount: UInt64(content.count), candidates: candidates)
    }
  }

  /// Stores a part of an archive, and gives its id.
  private func writePart(
    _ bytes: [UInt8], id: ObjectID? = nil, against earlier: ObjectID?, of base: ArchiveBase?
  ) throws(ObjectStoreError) -> ObjectID {
    let id = id ?? SHA256.hash(bytes)
    if try isStored(id, asPart: true) { return id }
    return try writePart(bytes, id: id, candidates: earlier.flatMap { base?.candidates(for: $0) } ?? [])
  }

  /// Writes bytes from which contents are put together, as a blob or a chunk list, unless they are stored as one.
  ///
  /// - Parameter id: their SHA-256.
  public func writePart(
    _ bytes: [UInt8], id: ObjectID, candidates: [DeltaCandidate] = []
  ) throws(ObjectStoreError) -> ObjectID {
    let written = try write(bytes, id: id, candidates: candidates, asPart: true)
    _ = try append(written)
    return written.id
  }
}

/// Decides which archives are stored by their members, and which members by themselves.
enum ArchivePolicy {
  /// Data up to this length stays in the skeleton: an object of its own would be longer.
  static let inlineByteCount = 64
  private static let memberCountLimit = 4096
  /// What a member costs at first, beside its content.
  private static let memberByteCount = 100

  /// Whether what members cost is little beside the archive.
  static func pays(_ archive: ZipArchive) -> Bool {
    let count = archive.members.filter { $0.dataRange.count > inlineByteCount }.count
    guard count > 0, archive.members.count <= memberCountLimit else { return false }
    return (count + 1) * memberByteCount <= archive.bytes.count / 2
  }
}
