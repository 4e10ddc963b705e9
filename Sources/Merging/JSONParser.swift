/// Reads JSON, and builds the nodes of a ``JSONDocument`` where they are wanted.
struct JSONParser {
  private enum State { case value, firstName, name, firstElement, behindValue }

  /// An object or array whose end is not reached.
  private struct Frame {
    let node: Int
    let isObject: Bool
    var textHash = JSONHash()
    var tokenHash = JSONHash()
    /// Up to where the hash of its text has come.
    var hashedEnd: Int
    var nameHashes: [UInt64] = []
  }

  private let bytes: [UInt8]
  private let keepsNodes: Bool
  private var offset: Int
  private var frames: [Frame] = []
  private var name: (bytes: Range<Int>, hash: UInt64)?
  private(set) var nodes: [JSONDocument.Node] = []
  private(set) var hasUniqueNames = true

  init(_ content: [UInt8], keepsNodes: Bool) {
    bytes = content
    self.keepsNodes = keepsNodes
    offset = ByteText.markLength(of: content)
  }

  mutating func parse() -> Bool {
    var state: State? = .value
    while let current = state {
      skipSpace()
      switch current {
      case .value: state = value()
      case .name: state = memberName() ? .value : nil
      case .firstName: state = closes("}") ? .behindValue : memberName() ? .value : nil
      case .firstElement: state = closes("]") ? .behindValue : .value
      case .behindValue:
        guard let frame = frames.last else { return offset == bytes.count }
        if take(",") {
          state = frame.isObject ? .name : .value
        } else {
          state = closes(frame.isObject ? "}" : "]") ? .behindValue : nil
        }
      }
    }
    return false
  }

  // MARK: Values

  private mutating func value() -> State? {
    guard offset < bytes.count else { return nil }
    let start = offset
    switch bytes[offset] {
    case UInt8(ascii: "{"): return open(.object) ? .firstName : nil
    case UInt8(ascii: "["): return open(.array) ? .firstElement : nil
    case UInt8(ascii: "\""): return string() != nil ? scalar(.string, from: start) : nil
    case UInt8(ascii: "t"): return take("true") ? scalar(.literal, from: start) : nil
    case UInt8(ascii: "f"): return take("false") ? scalar(.literal, from: start) : nil
    case UInt8(ascii: "n"): return take("null") ? scalar(.literal, from: start) : nil
    default: return number() ? scalar(.number, from: start) : nil
    }
  }

  private mutating func append(_ kind: JSONDocument.Kind, _ range: Range<Int>) {
    if keepsNodes {
      nodes.append(
        JSONDocument.Node(
          kind: kind, name: name?.bytes, nameHash: name?.hash ?? 0, bytes: range, end: nodes.count + 1))
    }
    if let name, let last = frames.indices.last { frames[last].nameHashes.append(name.hash) }
    name = nil
  }

  private mutating func scalar(_ kind: JSONDocument.Kind, from start: Int) -> State {
    append(kind, start..<offset)
    guard keepsNodes else { return .behindValue }
    var hash = JSONHash()
    hash.combine(bytes[start..<offset])
    finish(nodes.count - 1, textHash: hash.value, tokenHash: hash.value)
    return .behindValue
  }

  private mutating func open(_ kind: JSONDocument.Kind) -> Bool {
    guard frames.count < JSONDocument.greatestDepth else { return false }
    append(kind, offset..<offset + 1)
    frames.append(Frame(node: nodes.count - 1, isObject: kind == .object, hashedEnd: offset))
    offset += 1
    return true
  }

  private mutating func closes(_ mark: StaticString) -> Bool {
    guard take(mark), var frame = frames.popLast() else { return false }
    if !Self.areUnique(frame.nameHashes) { hasUniqueNames = false }
    guard keepsNodes else { return true }
    nodes[frame.node].bytes = nodes[frame.node].bytes.lowerBound..<offset
    nodes[frame.node].end = nodes.count
    frame.textHash.combine(bytes[frame.hashedEnd..<offset])
    frame.tokenHash.combine(frame.isObject ? 1 as UInt64 : 2)
    finish(frame.node, textHash: frame.textHash.value, tokenHash: frame.tokenHash.value)
    return true
  }

  private mutating func finish(_ node: Int, textHash: UInt64, tokenHash: UInt64) {
    nodes[node].textHash = textHash
    nodes[node].tokenHash = tokenHash
    guard let last = frames.indices.last else { return }
    nodes[frames[last].node].childCount += 1
    let range = nodes[node].bytes
    frames[last].textHash.combine(bytes[frames[last].hashedEnd..<range.lowerBound])
    frames[last].textHash.combine(textHash)
    frames[last].hashedEnd = range.upperBound
    if let name = nodes[node].name {
      var hash = JSONHash()
      hash.combine(bytes[name])
      frames[last].tokenHash.combine(hash.value)
    }
    frames[last].tokenHash.combine(tokenHash)
  }

  /// Hashes that are equal count as equal names: what isn't certain is no well-formed document.
  private static func areUnique(_ hashes: [UInt64]) -> Bool {
    guard hashes.count > 1 else { return true }
    let sorted = hashes.sorted()
    return zip(sorted, sorted.dropFirst()).allSatisfy { $0 != $1 }
  }

  // MARK: Tokens

  private mutating func memberName() -> Bool {
    let start = offset
    guard let hasEscapes = string() else { return false }
    let written = start..<offset
    var hash = JSONHash()
    if hasEscapes {
      guard let decoded = JSONString.decoded(bytes[written]) else { return false }
      hash.combine(decoded[...])
    } else {
      hash.combine(bytes[written].dropFirst().dropLast())
    }
    name = (written, hash.value)
    skipSpace()
    return take(":")
  }

  /// Steps over a string; whether it has escapes, `nil` where it is none.
  private mutating func string() -> Bool? {
    guard take("\"") else { return nil }
    var hasEscapes = false
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      switch byte {
      case UInt8(ascii: "\""): return hasEscapes
      case UInt8(ascii: "\\"):
        hasEscapes = true
        guard escape() else { return nil }
      case 0..<0x20: return nil
      default: break
      }
    }
    return nil
  }

  private mutating func escape() -> Bool {
    guard offset < bytes.count else { return false }
    let byte = bytes[offset]
    offset += 1
    switch byte {
    case UInt8(ascii: "u"):
      guard bytes.count - offset >= 4 else { return false }
      offset += 4
      return bytes[offset - 4..<offset].allSatisfy(ByteText.isHexDigit)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return true
    default: return false
    }
  }

  private mutating func number() -> Bool {
    _ = take("-")
    if !take("0"), !digits() { return false }
    if take("."), !digits() { return false }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      return digits()
    }
    return true
  }

  private mutating func digits() -> Bool {
    let start = offset
    while offset < bytes.count, ByteText.isDigit(bytes[offset]) { offset += 1 }
    return offset > start
  }

  private mutating func skipSpace() {
    while offset < bytes.count, ByteText.isSpace(bytes[offset]) { offset += 1 }
  }

  private mutating func take(_ mark: StaticString) -> Bool {
    let count = mark.utf8CodeUnitCount
    guard bytes.count - offset >= count else { return false }
    let isThere = mark.withUTF8Buffer { mark in (0..<count).allSatisfy { bytes[offset + $0] == mark[$0] } }
    if isThere { offset += count }
    return isThere
  }
}
