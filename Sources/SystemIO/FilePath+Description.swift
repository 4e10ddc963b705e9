extension FilePath: CustomStringConvertible {
  /// The path for people: see ``printable(_:)``.
  public var description: String { Self.printable(bytes) }

  /// Text that is safe on a terminal, for a path, a name or any bytes that should be text.
  ///
  /// Printable characters stay as they are. A backslash is doubled, tab, line feed and carriage return are `\t`, `\n`
  /// and `\r`; control and formatting characters (those that change the direction of text among them), line separators
  /// and bytes that are no UTF-8 are written `\xNN`, byte for byte, so that different bytes never look the same for
  /// lack of escaping.
  public static func printable(_ bytes: some Collection<UInt8>) -> String {
    let bytes = Array(bytes)
    if bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) {
      return String(decoding: bytes, as: UTF8.self)
    }
    var text = ""
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded):
        append(Unicode.UTF8.decode(encoded), encodedAs: Array(encoded), to: &text)
        offset += encoded.count
      case .error(let length):
        for byte in bytes[offset..<min(offset + length, bytes.count)] { appendEscape(byte, to: &text) }
        offset += length
      case .emptyInput:
        return text
      }
    }
  }

  private static func append(_ scalar: Unicode.Scalar, encodedAs bytes: [UInt8], to text: inout String) {
    switch scalar {
    case "\\": text += "\\\\"
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    case "\u{200C}", "\u{200D}": text.unicodeScalars.append(scalar)  // Persian spelling and joined emoji need these.
    default:
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        for byte in bytes { appendEscape(byte, to: &text) }
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  private static func appendEscape(_ byte: UInt8, to text: inout String) {
    let digits = String(byte, radix: 16)
    text += digits.utf8.count == 1 ? "\\x0" + digits : "\\x" + digits
  }
}
