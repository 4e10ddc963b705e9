/// The tags of a well-formed XML document, with the places of their elements.
///
/// Bytes that are UTF-8 only, whatever is declared. A document type with declarations of its own is refused, as entities could then stand for anything.
///
/// Source: W3C, "Extensible Markup Language (XML) 1.0", fifth edition; "Namespaces in XML 1.0" for prefixes.
struct XMLTags {
  struct Attribute {
    let name: Range<Int>
    /// Without the quotation marks.
    let value: Range<Int>
  }

  /// An element's start tag, or its only one.
  struct Tag {
    let name: Range<Int>
    let attributes: [Attribute]
    let range: Range<Int>
    /// How many elements it is in.
    let depth: Int
    /// The tag of the element it is in.
    let parent: Int?
    /// Where the element ends, behind its end tag.
    fileprivate(set) var end: Int
  }

  let bytes: [UInt8]
  let tags: [Tag]

  /// Reads a document, or returns `nil` where it isn't well formed.
  init?(_ bytes: [UInt8]) {
    var scanner = XMLScanner(bytes)
    guard scanner.scan() else { return nil }
    self.bytes = bytes
    tags = scanner.tags
  }

  /// Whether content begins as markup does.
  static func isLikely(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    return rest.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == 0x3C
  }

  func name(of tag: Tag) -> ArraySlice<UInt8> { bytes[tag.name] }

  func element(_ tag: Tag) -> ArraySlice<UInt8> { bytes[tag.range.lowerBound..<tag.end] }

  func value(of attribute: String, in tag: Tag) -> ArraySlice<UInt8>? {
    tag.attributes.first { bytes[$0.name].elementsEqual(attribute.utf8) }.map { bytes[$0.value] }
  }
}

private struct XMLScanner {
  private let bytes: [UInt8]
  private var position = 0
  private(set) var tags: [XMLTags.Tag] = []
  private var open: [Int] = []
  /// How many open elements declare a prefix.
  private var prefixes: [BytesKey: Int] = [BytesKey("xml"): 1]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func scan() -> Bool {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    guard String(validating: bytes, as: UTF8.self) != nil else { return false }
    while position < bytes.count {
      if bytes[position] == 0x3C {
        guard markup() else { return false }
      } else {
        guard text() else { return false }
      }
    }
    return open.isEmpty && !tags.isEmpty
  }

  private func isAt(_ text: String) -> Bool {
    bytes[position...].starts(with: text.utf8)
  }

  /// Moves behind the next occurrence of a text.
  private mutating func skip(past text: String) -> Bool {
    let first = text.utf8.first
    while position < bytes.count {
      if bytes[position] == first && isAt(text) {
        position += text.utf8.count
        return true
      }
      position += 1
    }
    return false
  }

  private mutating func text() -> Bool {
    while position < bytes.count && bytes[position] != 0x3C {
      let byte = bytes[position]
      if open.isEmpty && ![0x20, 0x09, 0x0A, 0x0D].contains(byte) { return false }
      if byte == 0x26 && !reference() { return false }
      if !Self.isCharacter(byte) { return false }
      position += 1
    }
    return true
  }

  private static func isCharacter(_ byte: UInt8) -> Bool {
    byte >= 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// Whether an ampersand begins a reference that ends nearby.
  private func reference() -> Bool {
    let body = bytes[(position + 1)...].prefix(32).prefix { $0 != 0x3B }
    guard !body.isEmpty, body.endIndex < bytes.count, bytes[body.endIndex] == 0x3B else { return false }
    return body.allSatisfy { Self.isNameByte($0) || $0 == 0x23 }
  }

  private mutating func markup() -> Bool {
    let next = position + 1 < bytes.count ? bytes[position + 1] : 0
    if next == 0x2F { return endTag() }
    if next != 0x21 && next != 0x3F { return startTag() }
    if isAt("<!--") {
      position += 4
      return skip(past: "--") && position < bytes.count && take(0x3E)
    }
    if isAt("<![CDATA[") { return !open.isEmpty && skip(past: "]]>") }
    if isAt("<?") { return skip(past: "?>") }
    let declaration = bytes[position...].prefix { $0 != 0x3E }
    guard tags.isEmpty, isAt("<!DOCTYPE"), !declaration.contains(0x5B) else { return false }
    return skip(past: ">")
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() -> Bool {
    let start = position
    while position < bytes.count && [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    return position > start
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x3A, 0x5F, 0x80...: true
    default: false
    }
  }

  private mutating func takeName() -> Range<Int>? {
    let start = position
    while position < bytes.count && Self.isNameByte(bytes[position]) { position += 1 }
    guard position > start, !(0x30...0x39).contains(bytes[start]), bytes[start] != 0x2D, bytes[start] != 0x2E else {
      return nil
    }
    return start..<position
  }

  private mutating func endTag() -> Bool {
    position += 2
    guard let name = takeName() else { return false }
    _ = skipSpace()
    guard take(0x3E), let index = open.popLast(), bytes[tags[index].name] == bytes[name] else { return false }
    close(index)
    return true
  }

  private mutating func close(_ index: Int) {
    tags[index].end = position
    for attribute in tags[index].attributes {
      guard let prefix = declaredPrefix(attribute) else { continue }
      prefixes[prefix, default: 1] -= 1
    }
  }

  private func declaredPrefix(_ attribute: XMLTags.Attribute) -> BytesKey? {
    let name = bytes[attribute.name]
    return name.count > 6 && name.starts(with: "xmlns:".utf8) ? BytesKey(name.dropFirst(6)) : nil
  }

  private mutating func startTag() -> Bool {
    let start = position
    position += 1
    guard let name = takeName(), !open.isEmpty || tags.isEmpty, let attributes = takeAttributes() else { return false }
    let isEmpty = take(0x2F)
    guard take(0x3E) else { return false }
    for attribute in attributes {
      if let prefix = declaredPrefix(attribute) { prefixes[prefix, default: 0] += 1 }
    }
    guard isBound(name), attributes.allSatisfy({ isBound($0.name) }) else { return false }
    tags.append(
      XMLTags.Tag(
        name: name, attributes: attributes, range: start..<position, depth: open.count, parent: open.last,
        end: position))
    if isEmpty { close(tags.count - 1) } else { open.append(tags.count - 1) }
    return true
  }

  private mutating func takeAttributes() -> [XMLTags.Attribute]? {
    var attributes: [XMLTags.Attribute] = []
    while true {
      let hasSpace = skipSpace()
      guard position < bytes.count else { return nil }
      if bytes[position] == 0x3E || bytes[position] == 0x2F { return attributes }
      guard hasSpace, let name = takeName() else { return nil }
      _ = skipSpace()
      guard take(0x3D) else { return nil }
      _ = skipSpace()
      guard position < bytes.count, bytes[position] == 0x22 || bytes[position] == 0x27 else { return nil }
      let quote = bytes[position]
      position += 1
      let start = position
      while position < bytes.count && bytes[position] != quote {
        let byte = bytes[position]
        if byte == 0x3C || byte == 0x26 && !reference() || !Self.isCharacter(byte) { return nil }
        position += 1
      }
      let value = start..<position
      guard take(quote), !attributes.contains(where: { bytes[$0.name] == bytes[name] }) else { return nil }
      attributes.append(XMLTags.Attribute(name: name, value: value))
    }
  }

  private func isBound(_ name: Range<Int>) -> Bool {
    guard let colon = bytes[name].firstIndex(of: 0x3A) else { return true }
    let prefix = bytes[name.lowerBound..<colon]
    return prefix.elementsEqual("xmlns".utf8) || (prefixes[BytesKey(prefix)] ?? 0) > 0
  }
}
