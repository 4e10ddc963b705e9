/// The key of a block mapping at the beginning of a line.
enum YAMLKey {
  /// The key without its quotes and what is behind its colon; `nil` where there is no key.
  static func split(_ text: ArraySlice<UInt8>) -> (key: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
    guard let first = text.first else { return nil }
    switch first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      guard let end = closing(first, in: text.dropFirst()) else { return nil }
      let rest = text[(end + 1)...].drop { $0 == 0x20 }
      guard rest.first == UInt8(ascii: ":"), rest.count == 1 || rest.dropFirst().first == 0x20 else { return nil }
      return (text[(text.startIndex + 1)..<end], rest.dropFirst())
    case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: ">"), UInt8(ascii: "#"),
      UInt8(ascii: "&"), UInt8(ascii: "*"), UInt8(ascii: "!"), UInt8(ascii: "%"), UInt8(ascii: "@"), UInt8(ascii: "`"):
      return nil
    default:
      var previous: UInt8 = 0
      for (offset, byte) in zip(text.indices, text) {
        if byte == UInt8(ascii: "#"), previous == 0x20 { return nil }
        if byte == UInt8(ascii: ":"), offset + 1 == text.endIndex || text[offset + 1] == 0x20 {
          let key = text[..<offset]
          return (key.dropLast(key.reversed().prefix { $0 == 0x20 }.count), text[(offset + 1)...])
        }
        previous = byte
      }
      return nil
    }
  }

  /// Where a quote closes, behind its opening; `nil` where it doesn't in this line.
  static func closing(_ quote: UInt8, in text: ArraySlice<UInt8>) -> Int? {
    var offset = text.startIndex
    while offset < text.endIndex {
      if quote == UInt8(ascii: "\""), text[offset] == UInt8(ascii: "\\") {
        offset += 2
        continue
      }
      if text[offset] == quote {
        guard quote == UInt8(ascii: "'"), offset + 1 < text.endIndex, text[offset + 1] == quote else { return offset }
        offset += 1
      }
      offset += 1
    }
    return nil
  }
}

/// Steps over what is in brackets, from line to line.
struct YAMLFlow {
  private static let greatestDepth = 256

  private var open: [UInt8] = []
  private var quote: UInt8?
  private(set) var isBalanced = true

  /// What follows the closing bracket; `nil` where it isn't in this line.
  mutating func read(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var offset = text.startIndex
    var previous: UInt8 = 0x20
    while offset < text.endIndex {
      let byte = text[offset]
      if let inside = quote {
        guard let end = YAMLKey.closing(inside, in: text[offset...]) else { return nil }
        quote = nil
        offset = end + 1
        previous = inside
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        // Inside a word it is a letter.
        if [0x20, 0x2C, 0x3A, 0x5B, 0x7B].contains(previous) { quote = byte }
      case UInt8(ascii: "#") where previous == 0x20: return nil
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        open.append(byte + 2)
        if open.count > Self.greatestDepth { isBalanced = false }
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        if open.popLast() != byte { isBalanced = false }
        if open.isEmpty || !isBalanced { return isBalanced ? text[(offset + 1)...] : nil }
      default: break
      }
      previous = byte
      offset += 1
    }
    return nil
  }
}
