internal import Archives

/// One of the three archives of a merge.
struct ZipDocumentSide {
  let archive: ZipArchive
  private let indices: [[UInt8]: Int]

  /// Opens an archive in which every byte belongs to a member or the directory, and nothing is encrypted or signed.
  init?(_ bytes: [UInt8]) {
    guard let archive = try? ZipArchive(bytes), archive.unaccounted.isEmpty,
      !archive.members.contains(where: \.isEncrypted), !ZipDocumentFormat.isSigned(archive)
    else { return nil }
    self.archive = archive
    indices = Dictionary(
      archive.members.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
  }

  subscript(name: [UInt8]) -> ZipMember? {
    indices[name].map { archive.members[$0] }
  }

  /// The member's content; `nil` where there is none.
  func content(_ name: [UInt8]) throws(ZipError) -> [UInt8]? {
    guard let member = self[name] else { return nil }
    return try archive.content(of: member)
  }

  /// Whether both sides store the member in the same bytes, so that the contents need no look.
  func storesAlike(_ name: [UInt8], _ other: ZipDocumentSide) -> Bool {
    switch (self[name], other[name]) {
    case (nil, nil): true
    case (let mine?, let theirs?):
      mine.method == theirs.method && mine.checksum == theirs.checksum
        && mine.inflatedByteCount == theirs.inflatedByteCount
        && archive.stored(mine) == other.archive.stored(theirs)
    default: false
    }
  }
}
