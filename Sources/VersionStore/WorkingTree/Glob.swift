/// Shell patterns over bytes: `*` and `?` stop at `/`; `**` between slashes or ends crosses it; `[…]` is a set, in which
/// `[:alpha:]` and its like are classes of ASCII; `\` takes the next byte as it is.
///
/// Source: gitignore(5), and `wildmatch.c` of git where that is silent.
enum Glob {
  private static let slash = UInt8(ascii: "/")
  private static let star = UInt8(ascii: "*")

  /// Whether a pattern matches a whole text. Cost: the product of their lengths at most.
  static func matches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
    var rest = pattern[...]
    var place = text.startIndex
    // Where to go on when something doesn't fit: the last star takes one byte more, else the last double star one
    // folder more. An earlier one need not be tried again: whatever it could do the later one can.
    var starred: (pattern: ArraySlice<UInt8>, place: Int)?
    var crossing: (pattern: ArraySlice<UInt8>, place: Int)?
    while true {
      if rest.first == star {
        let behind = rest.drop { $0 == star }
        let isAlone = rest.startIndex == pattern.startIndex || pattern[rest.startIndex - 1] == slash
        if behind.startIndex - rest.startIndex >= 2 && isAlone && (behind.isEmpty || behind.first == slash) {
          if behind.isEmpty { return true }
          rest = behind.dropFirst()
          crossing = (rest, place)
          starred = nil
        } else {
          rest = behind
          starred = (rest, place)
        }
        continue
      }
      if let first = rest.first {
        if place < text.endIndex, let next = step(rest, first, text[place]) {
          rest = next
          place += 1
          continue
        }
      } else if place == text.endIndex {
        return true
      }
      if let (behind, from) = starred, from < text.endIndex, text[from] != slash {
        place = from + 1
        starred = (behind, place)
        rest = behind
      } else if let (behind, from) = crossing, let next = text[from...].firstIndex(of: slash) {
        place = next + 1
        crossing = (behind, place)
        starred = nil
        rest = behind
      } else {
        return false
      }
    }
  }

  /// What is left of a pattern, which begins with `first` and no star, behind a byte that fits; `nil` where it doesn't.
  private static func step(_ pattern: ArraySlice<UInt8>, _ first: UInt8, _ byte: UInt8) -> ArraySlice<UInt8>? {
    switch first {
    case UInt8(ascii: "?"): return byte == slash ? nil : pattern.dropFirst()
    case UInt8(ascii: "["):
      guard let (isMember, rest) = set(pattern, byte), isMember, byte != slash else { return nil }
      return rest
    case UInt8(ascii: "\\"): return pattern.dropFirst().first == byte ? pattern.dropFirst(2) : nil
    default: return first == byte ? pattern.dropFirst() : nil
    }
  }

  /// Whether a byte is in the set at the start of a pattern, and the pattern behind it; `nil` where the set is not closed or
  /// names no class.
  private static func set(_ pattern: ArraySlice<UInt8>, _ byte: UInt8) -> (Bool, ArraySlice<UInt8>)? {
    var rest = pattern.dropFirst()
    let isInverted = rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "^")
    if isInverted { rest.removeFirst() }
    var isMember = false
    var isFirst = true
    while let low = rest.first {
      rest.removeFirst()
      if low == UInt8(ascii: "]") && !isFirst { return (isMember != isInverted, rest) }
      isFirst = false
      if low == UInt8(ascii: "["), rest.first == UInt8(ascii: ":"), let end = rest.firstIndex(of: UInt8(ascii: "]")) {
        let name = rest[..<end].dropFirst()
        if name.last == UInt8(ascii: ":") {
          guard let contains = isInClass(name.dropLast(), byte) else { return nil }
          if contains { isMember = true }
          rest = rest[(end + 1)...]
          continue
        }
      }
      guard let start = low == UInt8(ascii: "\\") ? rest.popFirst() : low else { return nil }
      guard rest.first == UInt8(ascii: "-"), let after = rest.dropFirst().first, after != UInt8(ascii: "]") else {
        if start == byte { isMember = true }
        continue
      }
      rest = rest.dropFirst(2)
      guard let end = after == UInt8(ascii: "\\") ? rest.popFirst() : after else { return nil }
      if start <= byte && byte <= end { isMember = true }
    }
    return nil
  }

  /// Whether a byte belongs to a class of ASCII characters; `nil` where there is none of this name.
  private static func isInClass(_ name: ArraySlice<UInt8>, _ byte: UInt8) -> Bool? {
    let isDigit = (0x30...0x39).contains(byte)
    let isUpper = (0x41...0x5A).contains(byte)
    let isLower = (0x61...0x7A).contains(byte)
    let isGraph = (0x21...0x7E).contains(byte)
    switch String(decoding: name, as: UTF8.self) {
    case "alnum": return isDigit || isUpper || isLower
    case "alpha": return isUpper || isLower
    case "blank": return byte == 0x20 || byte == 0x09
    case "cntrl": return byte < 0x20 || byte == 0x7F
    case "digit": return isDigit
    case "graph": return isGraph
    case "lower": return isLower
    case "print": return isGraph || byte == 0x20
    case "punct": return isGraph && !isDigit && !isUpper && !isLower
    case "space": return byte == 0x20 || (0x09...0x0D).contains(byte)
    case "upper": return isUpper
    case "xdigit": return isDigit || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    default: return nil
    }
  }
}
