/// What a zip archive has besides its members' data, from which and the data it can be put together again.
///
/// Fields that follow from the data, and times, are zeros in it, so that two saves of a document have nearly the same one.
///
/// Source: docs/format.md, "Archive".
public struct ZipSkeleton: Hashable, Sendable {
  /// Which records of a member are filled in from its data.
  public struct Filled: OptionSet, Hashable, Sendable {
    /// Checksum and sizes in the local header.
    public static let header = Filled(rawValue: 1 << 0)
    /// A descriptor of 16 bytes, which isn't in the skeleton.
    public static let signedDescriptor = Filled(rawValue: 1 << 1)
    /// A descriptor of 12 bytes, without signature, which isn't in the skeleton.
    public static let descriptor = Filled(rawValue: 1 << 2)

    public var rawValue: UInt8

    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }
  }

  /// What must be known to put a member in its place.
  public struct Member: Hashable, Sendable {
    /// How many bytes of the skeleton come before its header.
    public var gap: Int
    public var filled: Filled
    /// Date and time in the format of MS-DOS, as in ``ZipMember/modified``.
    public var modified: UInt32
    /// How many bytes of data stand in the skeleton behind the header; `nil` where the data is elsewhere.
    public var inlineByteCount: Int?

    public init(gap: Int, filled: Filled, modified: UInt32, inlineByteCount: Int?) {
      self.gap = gap
      self.filled = filled
      self.modified = modified
      self.inlineByteCount = inlineByteCount
    }
  }

  public let bytes: [UInt8]
  /// In the order in which they lie in the archive.
  public let members: [Member]
  /// How many bytes come before the directory, which is filled in from the members; `nil` where it is as it is.
  public let directoryGap: Int?

  /// Takes an archive apart.
  ///
  /// - Parameter inlining: up to which length data stays in the skeleton.
  public init(of archive: ZipArchive, inlining limit: Int) {
    var bytes: [UInt8] = []
    var members: [Member] = []
    var position = 0
    for member in archive.membersInOrder {
      var placed = Member(
        gap: member.range.lowerBound - position, filled: [], modified: 0,
        inlineByteCount: member.dataRange.count <= limit ? member.dataRange.count : nil)
      bytes += archive.bytes[position..<member.range.lowerBound]
      bytes += Self.header(of: member, in: archive, &placed)
      if placed.inlineByteCount != nil { bytes += archive.bytes[member.dataRange] }
      position = member.dataRange.upperBound
      let descriptor = archive.bytes[position..<member.range.upperBound]
      for form in [Filled.signedDescriptor, .descriptor]
      where !descriptor.isEmpty && descriptor.elementsEqual(ZipNumbers(member).descriptor(form)) {
        placed.filled.insert(form)
        position = member.range.upperBound
      }
      members.append(placed)
    }
    let rest = Array(archive.bytes[position...])
    let gap = (archive.members.first?.directoryRange.lowerBound ?? position) - position
    if let directory = Self.directory(rest, gap, archive) {
      bytes += directory
      directoryGap = gap
    } else {
      bytes += rest
      directoryGap = nil
    }
    self.bytes = bytes
    self.members = members
  }

  /// A local header with zeros where it is filled in.
  private static func header(of member: ZipMember, in archive: ZipArchive, _ placed: inout Member) -> [UInt8] {
    let original = Array(archive.bytes[member.range.lowerBound..<member.dataRange.lowerBound])
    var header = original
    placed.modified = (try? ZipFields(bytes: original).word(at: 10)) ?? 0
    header.replace(at: 10, littleEndian: 0 as UInt32)
    var filled = header
    filled.fillHeader(at: 0, modified: placed.modified, ZipNumbers(member))
    guard filled == original, ZipNumbers(member).isShort else { return header }
    placed.filled.insert(.header)
    header.fillHeader(at: 0, modified: 0, ZipNumbers(checksum: 0, storedByteCount: 0, inflatedByteCount: 0))
    return header
  }

  /// What comes behind the last member with zeros where it is filled in; `nil` where filling in doesn't give it back.
  private static func directory(_ rest: [UInt8], _ gap: Int, _ archive: ZipArchive) -> [UInt8]? {
    guard gap >= 0 else { return nil }
    let members = archive.membersInOrder
    let start = archive.bytes.count - rest.count
    let entries = members.map { member in
      ZipDirectoryFill.Entry(
        modified: (try? ZipFields(bytes: archive.bytes).word(at: member.range.lowerBound + 10)) ?? 0,
        numbers: ZipNumbers(member), offset: member.range.lowerBound)
    }
    let nothing = ZipDirectoryFill.Entry(
      modified: 0, numbers: ZipNumbers(checksum: 0, storedByteCount: 0, inflatedByteCount: 0), offset: 0)
    let empty = entries.map { _ in nothing }
    guard let zeroed = try? ZipDirectoryFill.filled(rest, at: gap, empty, start: 0),
      let again = try? ZipDirectoryFill.filled(zeroed, at: gap, entries, start: start + gap), again == rest
    else { return nil }
    return zeroed
  }

  /// The names of the members of a skeleton, in order.
  public static func names(in skeleton: [UInt8], of members: [Member]) throws(ZipError) -> [[UInt8]] {
    let fields = ZipFields(bytes: skeleton)
    var names: [[UInt8]] = []
    var position = 0
    for member in members {
      let header = try fields.header(behind: position, member)
      names.append(Array(skeleton[header.name]))
      position = try fields.range(at: header.range.upperBound, UInt64(member.inlineByteCount ?? 0)).upperBound
    }
    return names
  }
}

extension ZipArchive {
  /// The members in the order in which they lie in the archive.
  public var membersInOrder: [ZipMember] {
    members.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }
}

extension ZipFields {
  /// The local header of a member of a skeleton.
  func header(
    behind position: Int, _ member: ZipSkeleton.Member
  ) throws(ZipError) -> (range: Range<Int>, name: Range<Int>) {
    guard member.gap >= 0 else { throw .malformed(offset: position) }
    let start = try range(at: position, UInt64(member.gap)).upperBound
    guard try word(at: start) == ZipSignature.localHeader else { throw .malformed(offset: start) }
    let name = try range(at: start + 30, UInt64(short(at: start + 26)))
    let extra = try range(at: name.upperBound, UInt64(short(at: start + 28)))
    return (start..<extra.upperBound, name)
  }
}
