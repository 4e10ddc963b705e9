import TestSupport

/// Texts and edits of them, as people make them.
enum TextEdits {
  /// Lines of words, so that there is much to find and also much that only looks alike.
  static func text(_ byteCount: Int, using generator: inout SeededGenerator) -> [UInt8] {
    let words = [
      "alpha", "beta", "gamma", "delta", "version", "document", "a", "of", "- [link](https://", ")\n", ".\n\n",
    ]
    var text: [UInt8] = []
    while text.count < byteCount {
      text += Array((words.randomElement(using: &generator) ?? "").utf8)
      if Int.random(in: 0..<6, using: &generator) == 0 { text += Array(String(generator.next() % 100_000).utf8) }
      text.append(UInt8(ascii: " "))
    }
    return Array(text.prefix(byteCount))
  }

  /// The text after some insertions, deletions, replacements, moves and copies.
  static func edited(_ text: [UInt8], count: Int, using generator: inout SeededGenerator) -> [UInt8] {
    var text = text
    for _ in 0..<count {
      let start = Int.random(in: 0...text.count, using: &generator)
      let length = Bool.random(using: &generator) ? 20 : 3000
      let end = min(text.count, start + Int.random(in: 0...length, using: &generator))
      let piece = Array(text[start..<end])
      let place = Int.random(in: 0...(text.count - piece.count), using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: text.insert(contentsOf: self.text(end - start, using: &generator), at: start)
      case 1: text.removeSubrange(start..<end)
      case 2: text.replaceSubrange(start..<end, with: self.text(piece.count / 2, using: &generator))
      case 3:
        text.removeSubrange(start..<end)
        text.insert(contentsOf: piece, at: place)
      default: text.insert(contentsOf: piece, at: place)
      }
    }
    return text
  }
}
