extension XMLCheck {
  // MARK: What stands outside of the elements

  /// At `<?xml`: version, then encoding and standalone, or another instruction whose target begins so.
  mutating func declaration() -> Bool {
    let start = offset
    offset += 2
    guard let target = name(), target.count == 3 else {
      offset = start
      return true
    }
    var names: [[UInt8]] = []
    while true {
      let isApart = isAtSpace
      skipSpace()
      if take("?>") { break }
      guard isApart, let part = name() else { return false }
      names.append(Array(bytes[part]))
      skipSpace()
      guard take("=") else { return false }
      skipSpace()
      guard attributeValue() else { return false }
    }
    let known = ["version", "encoding", "standalone"].map { Array($0.utf8) }
    return names.first == known[0] && names == known.filter(names.contains)
  }

  /// Behind `<!--`.
  mutating func comment() -> Bool {
    skip(past: "--") && take(">")
  }

  /// At the `?` of a processing instruction, which must not be named `xml`.
  mutating func instruction() -> Bool {
    offset += 1
    guard let target = name() else { return false }
    let isReserved = target.count == 3 && bytes[target].map { $0 | 0x20 } == Array("xml".utf8)
    return !isReserved && (isAtSpace || isAt("?>")) && skip(past: "?>")
  }

  /// Behind `<!DOCTYPE`: to its end, over quoted text, comments and the declarations inside.
  mutating func documentType() -> Bool {
    skipSpace()
    guard name() != nil else { return false }
    var isInside = false
    var depth = 0
    while offset < bytes.count {
      let byte = bytes[offset]
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard let end = bytes[(offset + 1)...].firstIndex(of: byte) else { return false }
        offset = end + 1
      case UInt8(ascii: "["):
        guard !isInside, depth == 0 else { return false }
        isInside = true
        offset += 1
      case UInt8(ascii: "]"):
        guard isInside, depth == 0 else { return false }
        isInside = false
        offset += 1
      case UInt8(ascii: "<"):
        guard isInside else { return false }
        if take("<!--") {
          guard comment() else { return false }
        } else if isAt("<?") {
          offset += 1
          guard instruction() else { return false }
        } else {
          guard depth == 0, take("<!") else { return false }
          depth = 1
        }
      case UInt8(ascii: ">"):
        offset += 1
        if depth == 0 { return !isInside }
        depth = 0
      default: offset += 1
      }
    }
    return false
  }

  // MARK: Reading

  var isAtSpace: Bool { offset < bytes.count && ByteText.isSpace(bytes[offset]) }

  mutating func skipSpace() {
    while isAtSpace { offset += 1 }
  }

  func isAt(_ mark: StaticString) -> Bool {
    let count = mark.utf8CodeUnitCount
    guard bytes.count - offset >= count else { return false }
    return mark.withUTF8Buffer { mark in (0..<count).allSatisfy { bytes[offset + $0] == mark[$0] } }
  }

  mutating func take(_ mark: StaticString) -> Bool {
    guard isAt(mark) else { return false }
    offset += mark.utf8CodeUnitCount
    return true
  }

  mutating func skip(past mark: StaticString) -> Bool {
    while offset < bytes.count {
      if take(mark) { return true }
      offset += 1
    }
    return false
  }

  mutating func name() -> Range<Int>? {
    let start = offset
    while offset < bytes.count, Self.isName(bytes[offset], first: offset == start) { offset += 1 }
    return offset > start ? start..<offset : nil
  }

  private static func isName(_ byte: UInt8, first isFirst: Bool) -> Bool {
    switch byte {
    case 0x41...0x5A, 0x61...0x7A, 0x80...0xFF, UInt8(ascii: "_"), UInt8(ascii: ":"): true
    case 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "."): !isFirst
    default: false
    }
  }
}
