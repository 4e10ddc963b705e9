import Archives
import Deflate

/// Archives put together by hand, field by field, with every form that the format allows and errors that it doesn't.
struct ZipSample {
  enum Descriptor: CaseIterable {
    case none, signed, unsigned, signed64, unsigned64
  }

  struct Entry {
    var name: String
    var content: [UInt8]
    var method: UInt16 = 8
    var flags: UInt16 = 0
    var descriptor = Descriptor.none
    var is64 = false
    var extra: [UInt8] = []
    var localExtra: [UInt8] = []
    var comment = ""
    /// Claims about the content, where they aren't to be true.
    var claimedSize: UInt32?
    var claimedChecksum: UInt32?
    /// What lies before the header.
    var gap: [UInt8] = []
  }

  var entries: [Entry]
  var comment = ""
  var is64 = false
  var trailing: [UInt8] = []

  /// Numbers, each of so many bytes, the lowest byte first.
  static func fields(_ numbers: (value: Int, byteCount: Int)...) -> [UInt8] {
    numbers.flatMap { number in (0..<number.byteCount).map { UInt8(number.value >> (8 * $0) & 0xFF) } }
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    var directory: [UInt8] = []
    for entry in entries {
      bytes += entry.gap
      directory += append(entry, to: &bytes)
    }
    let start = bytes.count
    bytes += directory
    if is64 {
      let offset = bytes.count
      bytes += Self.fields((0x0606_4B50, 4), (44, 8), (45, 2), (45, 2), (0, 8))
      bytes += Self.fields((entries.count, 8), (entries.count, 8), (directory.count, 8), (start, 8))
      bytes += Self.fields((0x0706_4B50, 4), (0, 4), (offset, 8), (1, 4))
    }
    let count = is64 ? 0xFFFF : entries.count
    bytes += Self.fields((0x0605_4B50, 4), (0, 4), (count, 2), (count, 2))
    bytes += Self.fields((is64 ? 0xFFFF_FFFF : directory.count, 4), (is64 ? 0xFFFF_FFFF : start, 4))
    bytes += Self.fields((comment.utf8.count, 2))
    bytes += Array(comment.utf8)
    return bytes + trailing
  }

  /// Appends header, data and descriptor; returns the directory's entry.
  private func append(_ entry: Entry, to bytes: inout [UInt8]) -> [UInt8] {
    let offset = bytes.count
    let stored = entry.method == 0 ? entry.content : entry.content.withUnsafeBytes { Deflater().deflate($0) }
    let checksum = Int(entry.claimedChecksum ?? CRC32.checksum(entry.content))
    let size = Int(entry.claimedSize ?? UInt32(entry.content.count))
    let hasDescriptor = entry.descriptor != .none
    let flags = Int(entry.flags) | (hasDescriptor ? 8 : 0)
    let name = Array(entry.name.utf8)
    let kind = Self.fields((20, 2), (flags, 2), (Int(entry.method), 2), (0x5A21_6000, 4))
    let sizes = entry.is64 ? (0xFFFF_FFFF, 0xFFFF_FFFF) : (stored.count, size)

    let isOpen = hasDescriptor && !entry.is64
    let wideLocal = Self.fields((1, 2), (16, 2), (size, 8), (stored.count, 8))
    let local = entry.localExtra + (entry.is64 ? wideLocal : [])
    bytes += Self.fields((0x0403_4B50, 4)) + kind
    bytes += Self.fields((hasDescriptor ? 0 : checksum, 4), (isOpen ? 0 : sizes.0, 4), (isOpen ? 0 : sizes.1, 4))
    bytes += Self.fields((name.count, 2), (local.count, 2)) + name
    bytes += local
    bytes += stored
    if entry.descriptor == .signed || entry.descriptor == .signed64 { bytes += Self.fields((0x0807_4B50, 4)) }
    switch entry.descriptor {
    case .none: break
    case .signed, .unsigned: bytes += Self.fields((checksum, 4), (stored.count, 4), (size, 4))
    case .signed64, .unsigned64: bytes += Self.fields((checksum, 4), (stored.count, 8), (size, 8))
    }

    let wide = Self.fields((1, 2), (24, 2), (size, 8), (stored.count, 8), (offset, 8))
    let extra = entry.extra + (entry.is64 ? wide : [])
    var record = Self.fields((0x0201_4B50, 4), (0x0314, 2)) + kind
    record += Self.fields((checksum, 4), (sizes.0, 4), (sizes.1, 4))
    record += Self.fields((name.count, 2), (extra.count, 2), (entry.comment.utf8.count, 2))
    record += Self.fields((0, 2), (0, 2), (0x81A4_0000, 4), (entry.is64 ? 0xFFFF_FFFF : offset, 4))
    record += name
    record += extra
    return record + Array(entry.comment.utf8)
  }

  /// A small archive with every form of header.
  static let everything = ZipSample(
    entries: [
      Entry(name: "mimetype", content: Array("application/epub+zip".utf8), method: 0),
      Entry(name: "a.xml", content: Array("<a>text text text text</a>".utf8), descriptor: .signed),
      Entry(name: "b.xml", content: Array("<b>text text text text</b>".utf8), descriptor: .unsigned),
      Entry(name: "big", content: Array("wide wide wide wide".utf8), descriptor: .signed64, is64: true),
      Entry(name: "big2", content: Array("wide wide wide wide 2".utf8), descriptor: .unsigned64, is64: true),
      Entry(name: "wide", content: Array("plain".utf8), is64: true),
      Entry(
        name: "\u{E9}.txt", content: Array("accents".utf8), flags: 0x800, extra: [0x55, 0x54, 1, 0, 3],
        localExtra: [0x55, 0x54, 1, 0, 3], comment: "a comment"),
      Entry(name: "folder/", content: [], method: 0),
      Entry(name: "empty", content: []),
    ], comment: "the whole")
}
