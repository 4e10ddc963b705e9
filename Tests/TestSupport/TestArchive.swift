internal import Archives
public import Deflate

/// A zip archive put together by hand, with all that programs do to theirs.
public struct TestArchive: Sendable {
  public enum Data: Sendable {
    case stored
    case deflated(DeflateSettings, [DeflateFlush])
    /// These bytes, whatever the content is, under the number of a method.
    case raw([UInt8], method: UInt16)
  }

  public struct Member: Sendable {
    public var name: String
    public var content: [UInt8]
    public var data: Data
    public var flags: UInt16 = 0
    public var hasDescriptor = false
    public var isDescriptorSigned = true
    public var modified: UInt32 = 0x5A21_6000
    /// Bytes before its header.
    public var gap: [UInt8] = []

    public init(_ name: String, _ content: [UInt8], _ data: Data = .deflated(DeflateSettings(level: 6), [])) {
      self.name = name
      self.content = content
      self.data = data
    }

    public init(_ name: String, _ text: String, _ data: Data = .deflated(DeflateSettings(level: 6), [])) {
      self.init(name, Array(text.utf8), data)
    }

    var stored: [UInt8] {
      switch data {
      case .stored: content
      case .deflated(let settings, let flushes):
        content.withUnsafeBytes { ReproducibleDeflater(settings).deflate($0, flushes: flushes) }
      case .raw(let bytes, _): bytes
      }
    }

    var method: UInt16 {
      switch data {
      case .stored: 0
      case .deflated: 8
      case .raw(_, let method): method
      }
    }
  }

  public var members: [Member]
  /// The places of the members in the order of the directory; by default as they lie in the archive.
  public var directoryOrder: [Int]?
  public var beforeDirectory: [UInt8] = []
  public var trailing: [UInt8] = []
  public var comment: [UInt8] = []

  public init(_ members: [Member]) {
    self.members = members
  }

  private static func fields(_ numbers: (value: Int, byteCount: Int)...) -> [UInt8] {
    numbers.flatMap { number in (0..<number.byteCount).map { UInt8(number.value >> (8 * $0) & 0xFF) } }
  }

  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    var entries: [[UInt8]] = []
    for member in members {
      bytes += member.gap
      entries.append(Self.append(member, to: &bytes))
    }
    bytes += beforeDirectory
    let start = bytes.count
    for place in directoryOrder ?? Array(members.indices) { bytes += entries[place] }
    let size = bytes.count - start
    bytes += Self.fields((0x0605_4B50, 4), (0, 4), (members.count, 2), (members.count, 2), (size, 4), (start, 4))
    return bytes + Self.fields((comment.count, 2)) + comment + trailing
  }

  /// Appends header, data and descriptor; returns the directory's entry.
  private static func append(_ member: Member, to bytes: inout [UInt8]) -> [UInt8] {
    let offset = bytes.count
    let stored = member.stored
    let flags = Int(member.flags) | (member.hasDescriptor ? 8 : 0)
    let kind = fields((20, 2), (flags, 2), (Int(member.method), 2), (Int(member.modified), 4))
    let numbers = fields((Int(CRC32.checksum(member.content)), 4), (stored.count, 4), (member.content.count, 4))
    let name = Array(member.name.utf8)
    bytes += fields((0x0403_4B50, 4)) + kind
    bytes += member.hasDescriptor ? [UInt8](repeating: 0, count: 12) : numbers
    bytes += fields((name.count, 2), (0, 2)) + name + stored
    if member.hasDescriptor { bytes += (member.isDescriptorSigned ? fields((0x0807_4B50, 4)) : []) + numbers }
    return fields((0x0201_4B50, 4), (0x0314, 2)) + kind + numbers + fields((name.count, 2), (0, 2), (0, 2))
      + fields((0, 2), (0, 2), (0x81A4_0000, 4), (offset, 4)) + name
  }

  /// Text of several thousand bytes that deflates well and is different for each seed.
  public static func text(_ lines: Int, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    let words = ["<p>", "</p>", "a", "document", "of", "many", "words", "and", "styles", "is", "saved", "again"]
    return (0..<lines).flatMap { number in
      Array(
        "\(number) \((0..<9).map { _ in words.randomElement(using: &generator) ?? "" }.joined(separator: " "))\n".utf8)
    }
  }

  /// Bytes that nothing compresses.
  public static func noise(_ count: Int, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
  }

  /// A document as LibreOffice writes it: type and picture stored, the rest with descriptors.
  public static func document(_ text: [UInt8], modified: UInt32 = 0x5A21_6000) -> TestArchive {
    var archive = TestArchive([
      Member("mimetype", "application/vnd.oasis.opendocument.text", .stored),
      Member("Pictures/1.png", noise(6000, seed: 77), .stored),
      Member("content.xml", text),
      Member("styles.xml", self.text(60, seed: 5)),
      Member("Configurations2/", "", .stored),
      Member("meta.xml", "<meta>\(modified)</meta> and a little more, so that it isn't too short to be kept by itself"),
    ])
    for place in archive.members.indices { archive.members[place].modified = modified }
    for place in [2, 3, 5] { archive.members[place].hasDescriptor = true }
    return archive
  }
}
