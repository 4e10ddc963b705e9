/// UTF-16 as bytes that can be merged by lines, and back without loss.
///
/// Each code unit by itself becomes one to three bytes, in the manner of UTF-8: surrogates stay apart, so that whatever
/// units there are come back the same. The byte-order mark is a unit like any.
///
/// Source: The Unicode Consortium, "Compatibility encoding scheme for UTF-16: 8-bit (CESU-8)", technical report 26.
enum UTF16Text {
  /// The order of the two bytes of a unit.
  enum Order {
    case little
    case big

    /// The order that a byte-order mark tells; `nil` without one, or with that of UTF-32.
    init?(of content: [UInt8]) {
      if content.starts(with: [0xFE, 0xFF]) {
        self = .big
      } else if content.starts(with: [0xFF, 0xFE]), !content.dropFirst(2).starts(with: [0, 0]) {
        self = .little
      } else {
        return nil
      }
    }
  }

  /// The versions as bytes; `nil` unless all are of one order and of whole units. Empty content fits.
  static func decoded(_ versions: [[UInt8]]) -> [[UInt8]]? {
    let written = versions.filter { !$0.isEmpty }
    guard let order = written.first.flatMap({ Order(of: $0) }),
      written.allSatisfy({ Order(of: $0) == order && $0.count % 2 == 0 })
    else { return nil }
    return versions.map { decoded($0, order) }
  }

  /// Content of a known order as bytes; half a unit at its end is left out.
  static func decoded(_ content: [UInt8], _ order: Order) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(content.count)
    let (high, low) = order == .big ? (0, 1) : (1, 0)
    for offset in stride(from: 0, to: content.count - 1, by: 2) {
      append(UInt16(content[offset + high]) << 8 | UInt16(content[offset + low]), to: &text)
    }
    return text
  }

  /// Words in UTF-8 as they stand among decoded text.
  static func decoded(words: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    for unit in String(decoding: words, as: UTF8.self).utf16 { append(unit, to: &text) }
    return text
  }

  private static func append(_ unit: UInt16, to text: inout [UInt8]) {
    if unit < 0x80 {
      text.append(UInt8(truncatingIfNeeded: unit))
    } else if unit < 0x800 {
      text.append(0xC0 | UInt8(truncatingIfNeeded: unit >> 6))
      text.append(0x80 | UInt8(truncatingIfNeeded: unit & 0x3F))
    } else {
      text.append(0xE0 | UInt8(truncatingIfNeeded: unit >> 12))
      text.append(0x80 | UInt8(truncatingIfNeeded: unit >> 6 & 0x3F))
      text.append(0x80 | UInt8(truncatingIfNeeded: unit & 0x3F))
    }
  }

  /// The way back, in the order that the versions have; `nil` for bytes that come from no units.
  static func encoded(_ text: [UInt8], like versions: [[UInt8]]) -> [UInt8]? {
    guard let order = versions.first(where: { !$0.isEmpty }).flatMap({ Order(of: $0) }) else { return nil }
    var content: [UInt8] = []
    content.reserveCapacity(text.count * 2)
    var offset = 0
    while offset < text.count {
      let length = text[offset] < 0x80 ? 1 : text[offset] < 0xE0 ? 2 : 3
      guard offset + length <= text.count else { return nil }
      var unit = UInt16(text[offset]) & (length == 1 ? 0x7F : length == 2 ? 0x1F : 0x0F)
      for byte in text[offset + 1..<offset + length] {
        guard byte & 0xC0 == 0x80 else { return nil }
        unit = unit << 6 | UInt16(byte & 0x3F)
      }
      let (high, low) = (UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit))
      content += order == .big ? [high, low] : [low, high]
      offset += length
    }
    return content
  }
}
