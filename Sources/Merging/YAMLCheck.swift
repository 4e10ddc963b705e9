/// Whether YAML is sound as far as a look at its lines tells: indentation without tabs, values where they may be, no key
/// twice in a block mapping, quotes and brackets closed.
///
/// It knows block mappings and sequences, plain, quoted and block scalars, and steps over what is in brackets. What else
/// there is, such as keys behind `?`, makes a document one that it isn't sure about: not sound.
///
/// - Complexity: O(*n*) for *n* bytes, by lines and without recursion, at most ``greatestDepth`` levels.
///
/// Source: "YAML Ain't Markup Language", version 1.2.2, chapters 6 to 9.
struct YAMLCheck {
  static let greatestDepth = 256

  /// A mapping or sequence that may go on.
  private struct Block {
    let column: Int
    let isSequence: Bool
    var keys: Set<ArraySlice<UInt8>> = []
  }

  /// What the next line may be.
  private enum State: Equatable {
    case complete
    /// A value may come, deeper than what it belongs to.
    case open
    /// A plain scalar goes on with deeper lines.
    case plain(parent: Int)
    /// A block scalar goes on with lines from a column on, whatever they are; its first line decides where it is unknown.
    case literal(parent: Int, column: Int?)
    case quoted(UInt8)
    case brackets
  }

  private var state = State.open
  private var blocks: [Block] = []
  private var flow = YAMLFlow()

  static func isSound(_ content: [UInt8]) -> Bool {
    var check = YAMLCheck()
    let text = content[ByteText.markLength(of: content)...]
    for line in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
      guard check.read(line.last == 0x0D ? line.dropLast() : line) else { return false }
    }
    return check.isAtEnd
  }

  private var isAtEnd: Bool {
    switch state {
    case .quoted, .brackets: false
    default: true
    }
  }

  private mutating func read(_ line: ArraySlice<UInt8>) -> Bool {
    switch state {
    case .quoted(let quote): return readQuoted(line, quote)
    case .brackets: return readBrackets(line)
    default: break
    }
    let text = line.drop { $0 == 0x20 }
    let column = text.startIndex - line.startIndex
    let isBlank = text.allSatisfy { $0 == 0x20 || $0 == 0x09 }
    if case .literal(let parent, let start) = state {
      if isBlank { return true }
      if column >= start ?? parent + 1 {
        state = .literal(parent: parent, column: start ?? column)
        return true
      }
      state = .complete
    }
    guard !isBlank, let first = text.first else { return true }
    if first == 0x09 { return false }
    if first == UInt8(ascii: "#") { return true }
    if column == 0, Self.isDocumentMark(text) || first == UInt8(ascii: "%") {
      self = YAMLCheck()
      return first == UInt8(ascii: "%") || Self.isEnd(text.dropFirst(3))
    }
    return readNode(text, column)
  }

  private static func isDocumentMark(_ text: ArraySlice<UInt8>) -> Bool {
    (text.starts(with: Array("---".utf8)) || text.starts(with: Array("...".utf8)))
      && (text.count == 3 || text.dropFirst(3).first == 0x20)
  }

  // MARK: Nodes

  private mutating func readNode(_ line: ArraySlice<UInt8>, _ start: Int) -> Bool {
    var (text, column) = (line, start)
    while text.first == UInt8(ascii: "-"), text.count == 1 || text.dropFirst().first == 0x20 {
      if case .plain(let parent) = state, column > parent { return false }
      guard enter(column, isSequence: true) else { return false }
      state = .open
      let rest = text.dropFirst().drop { $0 == 0x20 }
      if Self.isEnd(rest) { return true }
      column += rest.startIndex - text.startIndex
      text = rest
    }
    let isItem = column > start
    guard let (key, rest) = YAMLKey.split(text) else { return readScalar(text, column, isItem: isItem) }
    if case .plain(let parent) = state, column > parent { return false }
    guard enter(column, isSequence: false), let last = blocks.indices.last,
      blocks[last].keys.insert(key).inserted
    else { return false }
    return readValue(rest, parent: column)
  }

  /// Text without a key: an item's or a key's value, or more of a plain scalar.
  private mutating func readScalar(_ text: ArraySlice<UInt8>, _ column: Int, isItem: Bool) -> Bool {
    switch state {
    case .plain(let parent):
      guard column > parent, Self.isPlain(text) else { return false }
      if Self.hasComment(text) { state = .complete }
      return true
    case .open:
      // The value of a key stands deeper than the key.
      if let last = blocks.last, last.column >= column { return false }
      return readValue(text, parent: blocks.last?.column ?? -1)
    default: return false
    }
  }

  /// Goes to the mapping or sequence at a column, or begins it.
  private mutating func enter(_ column: Int, isSequence: Bool) -> Bool {
    while let last = blocks.last, last.column > column { blocks.removeLast() }
    if let last = blocks.last, last.column == column {
      if last.isSequence == isSequence { return true }
      if last.isSequence {
        blocks.removeLast()
        return blocks.last?.column == column
      }
    }
    guard state == .open, blocks.count < Self.greatestDepth else { return false }
    blocks.append(Block(column: column, isSequence: isSequence))
    return true
  }

  // MARK: Values

  private mutating func readValue(_ text: ArraySlice<UInt8>, parent: Int) -> Bool {
    var text = text.drop { $0 == 0x20 || $0 == 0x09 }
    while let first = text.first, first == UInt8(ascii: "&") || first == UInt8(ascii: "!") {
      text = text.drop { $0 != 0x20 }.drop { $0 == 0x20 }
    }
    state = .open
    guard !Self.isEnd(text), let first = text.first else { return true }
    state = .complete
    switch first {
    case UInt8(ascii: "|"), UInt8(ascii: ">"):
      let isTold = text.dropFirst().prefix(2).contains(where: ByteText.isDigit)
      state = .literal(parent: parent, column: isTold ? parent + 1 : nil)
      return Self.isEnd(text.dropFirst().drop { ByteText.isDigit($0) || $0 == 0x2B || $0 == 0x2D })
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return readQuoted(text.dropFirst(), first)
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      flow = YAMLFlow()
      return readBrackets(text)
    case UInt8(ascii: "*"): return !text.contains(UInt8(ascii: ":"))
    case UInt8(ascii: "@"), UInt8(ascii: "`"), UInt8(ascii: "%"), UInt8(ascii: "]"), UInt8(ascii: "}"),
      UInt8(ascii: ","):
      return false
    default:
      if !Self.hasComment(text) { state = .plain(parent: parent) }
      return Self.isPlain(text)
    }
  }

  private mutating func readQuoted(_ text: ArraySlice<UInt8>, _ quote: UInt8) -> Bool {
    guard let end = YAMLKey.closing(quote, in: text) else {
      state = .quoted(quote)
      return true
    }
    state = .complete
    return Self.isEnd(text[(end + 1)...])
  }

  private mutating func readBrackets(_ text: ArraySlice<UInt8>) -> Bool {
    state = .brackets
    guard let rest = flow.read(text) else { return flow.isBalanced }
    state = .complete
    return Self.isEnd(rest)
  }

  /// Whether nothing but blanks and a comment follows.
  static func isEnd(_ text: ArraySlice<UInt8>) -> Bool {
    let rest = text.drop { $0 == 0x20 || $0 == 0x09 }
    return rest.isEmpty || rest.first == UInt8(ascii: "#")
  }

  private static func hasComment(_ text: ArraySlice<UInt8>) -> Bool {
    zip(text, text.dropFirst()).contains { $0 == 0x20 && $1 == UInt8(ascii: "#") }
  }

  /// Whether no key is inside.
  private static func isPlain(_ text: ArraySlice<UInt8>) -> Bool {
    for (byte, next) in zip(text, text.dropFirst()) {
      if byte == 0x20, next == UInt8(ascii: "#") { return true }
      if byte == UInt8(ascii: ":"), next == 0x20 { return false }
    }
    return text.last != UInt8(ascii: ":")
  }
}
