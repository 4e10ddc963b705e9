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
    Self.removeBlanksAtEnd(of: &text)
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

  /// Blanks at the end don't count, except that an escaped one ends them.
  private static func removeBlanksAtEnd(of text: inout [UInt8]) {
    var end = 0
    var place = 0
    while place < text.count {
      let isEscape = text[place] == UInt8(ascii: "\\") && place + 1 < text.count
      if isEscape || text[place] != UInt8(ascii: " ") { end = place + (isEscape ? 2 : 1) }
      place += isEscape ? 2 : 1
    }
    text.removeSubrange(end...)
  }

  /// Whether a path matches that is given below the folder of the pattern's file.
  func matches(_ path: ArraySlice<UInt8>, isFolder: Bool) -> Bool {
    if isForFolders && !isFolder { return false }
    if isAnchored { return Glob.matches(glob[...], path) }
    let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? path.startIndex
    return Glob.matches(glob[...], path[start...])
  }
}
