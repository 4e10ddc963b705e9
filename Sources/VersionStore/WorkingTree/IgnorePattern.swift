/// One line of an ignore file.
///
/// Source: the pattern format of gitignore(5).
struct IgnorePattern: Equatable {
  /// Whether a match takes a path back in.
  let isNegated: Bool
  /// Whether only folders match.
  let isForFolders: Bool
  /// Whether the whole path below the file's folder is matched, not the name alone.
  private let isAnchored: Bool
  private let glob: [UInt8]

  /// Reads a line without its line feed; `nil` where it is blank or a comment.
  init?(line: some Collection<UInt8>) {
    var text = Array(line)
    if text.last == UInt8(ascii: "\r") { text.removeLast() }
    // Blanks at the end don't count unless one is escaped.
    while text.last == UInt8(ascii: " "), text.dropLast().last != UInt8(ascii: "\\") { text.removeLast() }
    guard let first = text.first, first != UInt8(ascii: "#") else { return nil }
    isNegated = first == UInt8(ascii: "!")
    if isNegated { text.removeFirst() }
    isForFolders = text.last == UInt8(ascii: "/")
    if isForFolders { text.removeLast() }
    isAnchored = text.contains(UInt8(ascii: "/"))
    if text.first == UInt8(ascii: "/") { text.removeFirst() }
    guard !text.isEmpty else { return nil }
    glob = text
  }

  /// Whether a path matches that is given below the folder of the pattern's file.
  func matches(_ path: ArraySlice<UInt8>, isFolder: Bool) -> Bool {
    if isForFolders && !isFolder { return false }
    if isAnchored { return Glob.matches(glob[...], path) }
    let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? path.startIndex
    return Glob.matches(glob[...], path[start...])
  }
}

/// Shell patterns over bytes: `*` and `?` stop at `/`, `**/`, `/**` and `/**/` cross it, `[…]` is a set, `\` takes the next byte
/// as it is.
enum Glob {
  private static let slash = UInt8(ascii: "/")
  private static let star = UInt8(ascii: "*")

  static func matches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
    var budget = 100_000
    return matches(pattern, text, &budget)
  }

  /// The budget bounds what a hostile pattern can cost: beyond it nothing matches.
  private static func matches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>, _ budget: inout Int) -> Bool {
    var pattern = pattern
    var text = text
    while let first = pattern.first {
      budget -= 1
      if budget < 0 { return false }
      if first == star { return matchesStar(pattern, text, &budget) }
      guard let byte = text.first else { return false }
      switch first {
      case UInt8(ascii: "?"):
        if byte == slash { return false }
        pattern.removeFirst()
      case UInt8(ascii: "["):
        guard let (isMember, rest) = set(pattern, byte) else { return false }
        if !isMember || byte == slash { return false }
        pattern = rest
      case UInt8(ascii: "\\"):
        pattern.removeFirst()
        guard pattern.first == byte else { return false }
        pattern.removeFirst()
      default:
        if first != byte { return false }
        pattern.removeFirst()
      }
      text.removeFirst()
    }
    return text.isEmpty
  }

  private static func matchesStar(
    _ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>, _ budget: inout Int
  ) -> Bool {
    let rest = pattern.drop { $0 == star }
    let isDouble = rest.startIndex - pattern.startIndex == 2
    if isDouble && rest.first == slash {
      // "**/" is any number of folders, none included.
      let tail = rest.dropFirst()
      if matches(tail, text, &budget) { return true }
      var place = text
      while let next = place.firstIndex(of: slash) {
        place = place[(next + 1)...]
        if matches(tail, place, &budget) { return true }
      }
      return false
    }
    if isDouble && rest.isEmpty { return !text.isEmpty }
    var place = text
    while true {
      if matches(rest, place, &budget) { return true }
      guard let byte = place.first, byte != slash else { return false }
      place.removeFirst()
    }
  }

  /// Whether a byte is in the set at the start of a pattern, and the pattern behind it; `nil` where the set is not closed.
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
      var start = low
      if low == UInt8(ascii: "\\"), let escaped = rest.first {
        start = escaped
        rest.removeFirst()
      }
      if rest.first == UInt8(ascii: "-"), let end = rest.dropFirst().first, end != UInt8(ascii: "]") {
        rest = rest.dropFirst(2)
        if start <= byte && byte <= end { isMember = true }
      } else if start == byte {
        isMember = true
      }
    }
    return nil
  }
}
