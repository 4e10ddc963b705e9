/// Text for people of bytes that may hold anything: one line, nothing raw that a terminal would obey (R5).
///
/// A newline becomes `\n`, a tab `\t`, any other unsafe byte `\xNN`; what is readable stays as it is.
enum TerminalText {
  /// A path in a list: as it is where that can't be misread, else in double quotes with escapes.
  static func path(_ bytes: some Collection<UInt8>) -> String {
    let escaped = escape(bytes, quoting: true)
    let isPlain = escaped.utf8.elementsEqual(bytes) && !bytes.isEmpty
    let isSpaced = escaped.utf8.first == 0x20 || escaped.utf8.last == 0x20
    return isPlain && !isSpaced ? escaped : "\"\(escaped)\""
  }

  /// A path or argument in a sentence: always in double quotes.
  static func quoted(_ bytes: some Collection<UInt8>) -> String {
    "\"\(escape(bytes, quoting: true))\""
  }

  /// A message in one line, without quotes; a backslash stays a backslash.
  static func line(_ bytes: some Collection<UInt8>) -> String {
    escape(bytes, quoting: false)
  }

  /// A text of ours that may hold foreign parts, in one safe line.
  static func line(_ text: String) -> String {
    line(text.utf8)
  }

  /// The first line of a message; `…` where more follows.
  static func firstLine(_ bytes: [UInt8]) -> String {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
    guard let first = lines.first else { return "" }
    return line(first) + (lines.count > 1 ? "…" : "")
  }

  /// A line of a document's content: tabs stay, a carriage return at its end is left out.
  static func content(_ bytes: ArraySlice<UInt8>) -> String {
    let line = bytes.last == 0x0D ? bytes.dropLast() : bytes
    return line.split(separator: 0x09, omittingEmptySubsequences: false).map { escape($0, quoting: false) }
      .joined(separator: "\t")
  }

  private static func escape(_ bytes: some Collection<UInt8>, quoting: Bool) -> String {
    // Nearly always there is nothing to do.
    if bytes.allSatisfy({ 0x20..<0x7F ~= $0 && !(quoting && ($0 == 0x22 || $0 == 0x5C)) }) {
      return String(decoding: bytes, as: UTF8.self)
    }
    var text = ""
    UnicodeSafety.forEachPart(of: bytes) { scalar, encoded in
      if scalar == "\n" {
        text += "\\n"
      } else if scalar == "\t" {
        text += "\\t"
      } else if quoting, scalar == "\"" || scalar == "\\" {
        text += "\\\(scalar)"
      } else if UnicodeSafety.isSafe(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        text += hexadecimal(encoded)
      }
    } invalid: { encoded in
      text += hexadecimal(encoded)
    }
    return text
  }

  private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.map { byte in "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}
