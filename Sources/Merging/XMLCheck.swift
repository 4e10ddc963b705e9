/// Whether bytes are a well-formed XML document.
///
/// Tags balance, attributes are unique, references are written out, there is one root. Declarations of a document type
/// are stepped over, entities not looked up, names and characters beyond ASCII all allowed. The encoding is not looked at:
/// what stands before 0x80 must be ASCII.
///
/// - Complexity: O(*n*), save for sets of attribute names; no recursion, at most ``greatestDepth`` open elements.
///
/// Source: W3C, "Extensible Markup Language (XML) 1.0", fifth edition, productions 1 to 69.
struct XMLCheck {
  static let greatestDepth = 4_096

  let bytes: [UInt8]
  var offset: Int
  private var open: [Range<Int>] = []
  private var hasRoot = false
  private var hasDocumentType = false

  static func isWellFormed(_ content: [UInt8]) -> Bool {
    var check = XMLCheck(content)
    return check.document()
  }

  private init(_ content: [UInt8]) {
    bytes = content
    offset = ByteText.markLength(of: content)
  }

  private mutating func document() -> Bool {
    if isAt("<?xml"), !declaration() { return false }
    while offset < bytes.count {
      let isFine = bytes[offset] == UInt8(ascii: "<") ? markup() : open.isEmpty ? space() : text()
      guard isFine else { return false }
    }
    return hasRoot && open.isEmpty
  }

  private mutating func markup() -> Bool {
    offset += 1
    switch offset < bytes.count ? bytes[offset] : 0 {
    case UInt8(ascii: "/"): return endTag()
    case UInt8(ascii: "?"): return instruction()
    case UInt8(ascii: "!"):
      if take("!--") { return comment() }
      if !open.isEmpty { return take("![CDATA[") && skip(past: "]]>") }
      guard !hasRoot, !hasDocumentType, take("!DOCTYPE"), isAtSpace else { return false }
      hasDocumentType = true
      return documentType()
    default: return startTag()
    }
  }

  // MARK: Content

  private mutating func space() -> Bool {
    let start = offset
    skipSpace()
    return offset > start
  }

  private mutating func text() -> Bool {
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "<"): return true
      case UInt8(ascii: "&"): guard reference() else { return false }
      case UInt8(ascii: "]") where take("]]>"): return false
      default: guard character() else { return false }
      }
    }
    return true
  }

  private mutating func character() -> Bool {
    let byte = bytes[offset]
    offset += 1
    return byte >= 0x20 || ByteText.isSpace(byte)
  }

  private mutating func reference() -> Bool {
    offset += 1
    guard take("#") else { return name() != nil && take(";") }
    let isHexadecimal = take("x")
    let start = offset
    while offset < bytes.count,
      isHexadecimal ? ByteText.isHexDigit(bytes[offset]) : ByteText.isDigit(bytes[offset])
    {
      offset += 1
    }
    return offset > start && take(";")
  }

  // MARK: Tags

  private mutating func startTag() -> Bool {
    guard let tag = name(), !open.isEmpty || !hasRoot, open.count < Self.greatestDepth else { return false }
    hasRoot = true
    var attributes: [Range<Int>] = []
    while true {
      let isApart = isAtSpace
      skipSpace()
      if take(">") {
        open.append(tag)
        return areUnique(attributes)
      }
      if take("/>") { return areUnique(attributes) }
      guard isApart, let attribute = name() else { return false }
      attributes.append(attribute)
      skipSpace()
      guard take("=") else { return false }
      skipSpace()
      guard attributeValue() else { return false }
    }
  }

  private mutating func endTag() -> Bool {
    offset += 1
    guard let tag = name(), let opened = open.popLast(), bytes[tag] == bytes[opened] else { return false }
    skipSpace()
    return take(">")
  }

  mutating func attributeValue() -> Bool {
    guard offset < bytes.count else { return false }
    let quote = bytes[offset]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return false }
    offset += 1
    while offset < bytes.count {
      switch bytes[offset] {
      case quote:
        offset += 1
        return true
      case UInt8(ascii: "<"): return false
      case UInt8(ascii: "&"): guard reference() else { return false }
      default: guard character() else { return false }
      }
    }
    return false
  }

  private func areUnique(_ attributes: [Range<Int>]) -> Bool {
    guard attributes.count > 1 else { return true }
    if attributes.count > 16 { return Set(attributes.map { bytes[$0] }).count == attributes.count }
    for (place, attribute) in attributes.enumerated() {
      if attributes[..<place].contains(where: { bytes[$0] == bytes[attribute] }) { return false }
    }
    return true
  }
}
