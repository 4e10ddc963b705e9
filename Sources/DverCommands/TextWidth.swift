/// How many columns text takes in a terminal, and text of a given width.
enum TextWidth {
  /// Columns of a line without control characters: wide characters count two, marks that combine none.
  static func columns(of text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
  }

  /// Source: Unicode 16, EastAsianWidth.txt (W and F) by blocks.
  private static func columns(of scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x300...0x36f, 0x200c, 0x200d, 0xfe00...0xfe0f, 0x20d0...0x20ff: return 0
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f,
      0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1f64f, 0x1f680...0x1f6ff, 0x1f900...0x1f9ff, 0x20000...0x3fffd:
      return 2
    default:
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark: return 0
      default: return 1
      }
    }
  }

  /// The text with spaces behind it, or before it, up to a width.
  static func padded(_ text: String, to width: Int, isRight: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, width - columns(of: text)))
    return isRight ? spaces + text : text + spaces
  }

  /// The text, or as much of it as fits with an ellipsis.
  static func shortened(_ text: String, to width: Int) -> String {
    if columns(of: text) <= width { return text }
    var result = ""
    var room = width - 1
    for character in text {
      room -= columns(of: String(character))
      if room < 0 { break }
      result.append(character)
    }
    return result + "…"
  }
}
