import Archives
import Deflate
import Hashing

/// Finds for each member of an archive what gives its data again.
struct ArchiveReader {
  private let archive: ZipArchive
  private let finder = DeflateRecipeFinder()
  /// How many bytes may still be inflated.
  private var room: UInt64
  /// The settings that were right last.
  private var settings: DeflateSettings?

  init(_ archive: ZipArchive) {
    self.archive = archive
    room = min(
      UInt64(archive.bytes.count) * ArchiveObject.greatestRatio, ArchiveObject.inflatedByteCountLimit)
  }

  /// How a member is stored, and the content that has to be for that; none where the skeleton has the data.
  ///
  /// - Parameter earlier: the member of this name in an earlier version.
  mutating func item(
    of member: ZipMember, _ place: ZipSkeleton.Member, like earlier: ArchiveObject.Item?
  ) -> (item: ArchiveObject.Item, bytes: [UInt8]?) {
    guard place.inlineByteCount == nil else {
      return (ArchiveObject.Item(member: place, source: .skeleton, numbers: numbers(of: member)), nil)
    }
    if let (content, recipe) = recipe(of: member, like: earlier) {
      let source = ArchiveObject.Source.deflated(SHA256.hash(content), byteCount: content.count, recipe)
      return (ArchiveObject.Item(member: place, source: source, numbers: nil), content)
    }
    let bytes = Array(archive.stored(member))
    let source = ArchiveObject.Source.stored(SHA256.hash(bytes), byteCount: bytes.count)
    return (ArchiveObject.Item(member: place, source: source, numbers: numbers(of: member)), bytes)
  }

  /// Checksum and length of a member where they aren't those of its data.
  private func numbers(of member: ZipMember) -> ArchiveObject.Numbers? {
    let data = archive.stored(member)
    let checksum = data.withUnsafeBytes { CRC32.checksum($0) }
    if checksum == member.checksum && UInt64(data.count) == member.inflatedByteCount { return nil }
    return ArchiveObject.Numbers(checksum: member.checksum, inflatedByteCount: member.inflatedByteCount)
  }

  /// The inflated content of a member whose stream comes out of it again.
  private mutating func recipe(
    of member: ZipMember, like earlier: ArchiveObject.Item?
  ) -> (content: [UInt8], recipe: DeflateRecipe)? {
    guard member.method == .deflated, member.inflatedByteCount <= UInt64(ArchiveObject.byteCountLimit),
      member.inflatedByteCount <= room, let content = try? archive.content(of: member)
    else { return nil }
    var likely = settings
    if case .deflated(_, _, let recipe) = earlier?.source { likely = recipe.settings }
    let recipe = archive.stored(member).withUnsafeBytes { stream in
      content.withUnsafeBytes { finder.recipe(for: stream, of: $0, likely: likely) }
    }
    // An encoder that has changed proves nothing: the next one would give other bytes.
    guard let recipe, recipe.isStorable, ReproducibleDeflater.givesKnownAnswers(for: recipe.settings) else {
      return nil
    }
    room -= UInt64(content.count)
    settings = recipe.settings
    return (content, recipe)
  }

  /// Whether an archive object gives an archive again.
  ///
  /// Streams aren't made once more: their recipes were found by making them.
  static func gives(_ object: ArchiveObject, _ skeleton: [UInt8], _ archive: ZipArchive) -> Bool {
    var assembler = ZipAssembler(skeleton, byteCount: object.byteCount, comparingWith: archive.bytes)
    do throws(ZipError) {
      for (item, member) in zip(object.items, archive.membersInOrder) {
        let isDeflated = item.isDeflated
        let known: (checksum: UInt32, inflatedByteCount: UInt64)? =
          isDeflated
          ? (member.checksum, member.inflatedByteCount) : item.numbers.map { ($0.checksum, $0.inflatedByteCount) }
        try assembler.append(item.member, data: archive.stored(member), numbers: known)
      }
      _ = try assembler.finish(directoryGap: object.directoryGap)
      return object.items.count == archive.members.count
    } catch {
      return false
    }
  }
}

extension ArchiveObject.Item {
  var isDeflated: Bool {
    if case .deflated = source { true } else { false }
  }
}
