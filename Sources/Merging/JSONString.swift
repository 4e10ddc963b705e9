/// The text of a JSON string.
enum JSONString {
  /// The bytes that a string with its quotes stands for, surrogates apart; `nil` where an escape is none.
  static func decoded(_ written: ArraySlice<UInt8>) -> [UInt8]? {
    var text: [UInt8] = []
    var rest = written.dropFirst().dropLast()
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      guard let escape = rest.popFirst() else { return nil }
      switch escape {
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"):
        guard rest.count >= 4 else { return nil }
        guard let scalar = scalar(&rest) else { return nil }
        text += scalar
      default: text.append(escape)
      }
    }
    return text
  }

  /// Behind `\u`; a pair of surrogates gives one character.
  private static func scalar(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard let unit = unit(rest.prefix(4)) else { return nil }
    rest = rest.dropFirst(4)
    if let scalar = Unicode.Scalar(unit) { return Array(String(Character(scalar)).utf8) }
    if unit < 0xDC00, rest.starts(with: Array("\\u".utf8)), let low = Self.unit(rest.dropFirst(2).prefix(4)),
      (0xDC00..<0xE000).contains(low), let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    {
      rest = rest.dropFirst(6)
      return Array(String(Character(scalar)).utf8)
    }
    return [0xE0 | UInt8(unit >> 12), 0x80 | UInt8(unit >> 6 & 0x3F), 0x80 | UInt8(unit & 0x3F)]
  }

  private static func unit(_ digits: ArraySlice<UInt8>) -> UInt32? {
    guard digits.count == 4 else { return nil }
    var unit: UInt32 = 0
    for digit in digits {
      guard ByteText.isHexDigit(digit) else { return nil }
      unit = unit << 4 | UInt32(ByteText.isDigit(digit) ? digit - 0x30 : (digit | 0x20) - 0x57)
    }
    return unit
  }
}
