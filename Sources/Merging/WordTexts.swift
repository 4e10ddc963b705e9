/// Three passages cut into words, with numbers that equal words share.
///
/// A word is a run of letters, digits, underscores and bytes beyond ASCII; a run of blanks is one piece, every other
/// character is one by itself.
struct WordTexts {
  /// A passage in pieces.
  struct Text {
    let content: ArraySlice<UInt8>
    var ids: [Int32] = []
    /// Where each piece begins, and at the end where the passage ends.
    fileprivate(set) var offsets: [Int]

    func bytes(_ pieces: Range<Int>) -> ArraySlice<UInt8> {
      content[offsets[pieces.lowerBound]..<offsets[pieces.upperBound]]
    }

    /// Whether pieces hold enough words and the end of a sentence or paragraph.
    func separates(_ pieces: Range<Int>) -> Bool {
      var wordCount = 0
      var hasEnd = false
      var previous: UInt8 = 0
      for piece in pieces {
        let first = content[offsets[piece]]
        switch WordTexts.kind(of: first) {
        case .letter: wordCount += 1
        case .blank where [0x2E, 0x21, 0x3F].contains(previous): hasEnd = true
        case .single where first == 0x0A && [0x2E, 0x21, 0x3F, 0x0A].contains(previous): hasEnd = true
        default: break
        }
        if first != 0x0D { previous = first }
      }
      return hasEnd && wordCount >= WordMerge.leastWordCount
    }
  }

  fileprivate enum Kind { case letter, blank, single }

  let base: Text
  let ours: Text
  let theirs: Text

  init(base: ArraySlice<UInt8>, ours: ArraySlice<UInt8>, theirs: ArraySlice<UInt8>) {
    var known: [ArraySlice<UInt8>: Int32] = [:]
    self.base = Self.text(base, &known)
    self.ours = Self.text(ours, &known)
    self.theirs = Self.text(theirs, &known)
  }

  private static func text(_ content: ArraySlice<UInt8>, _ known: inout [ArraySlice<UInt8>: Int32]) -> Text {
    var text = Text(content: content, offsets: [content.startIndex])
    var start = content.startIndex
    while start < content.endIndex {
      let kind = kind(of: content[start])
      var end = start + 1
      while kind != .single, end < content.endIndex, Self.kind(of: content[end]) == kind { end += 1 }
      let next = Int32(truncatingIfNeeded: known.count)
      let id = known[content[start..<end]] ?? next
      if id == next { known[content[start..<end]] = id }
      text.ids.append(id)
      text.offsets.append(end)
      start = end
    }
    return text
  }

  fileprivate static func kind(of byte: UInt8) -> Kind {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A, 0x80...0xFF: .letter
    case 0x20, 0x09: .blank
    default: .single
    }
  }
}
