/// What formats of ASCII marks have in common.
enum ByteText {
  /// The length of a UTF-8 byte-order mark at the beginning; 0 without.
  static func markLength(of content: [UInt8]) -> Int {
    content.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// Whether a byte is a blank, a tab or part of a line end.
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  static func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x66)
  }
}
