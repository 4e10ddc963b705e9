/// A JSON value, for tests that read fixtures or what the program prints.
///
/// Source: RFC 8259. Members of an object keep their order; of equal names the first is found.
public enum JSONValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// A number with a fraction or an exponent, or beyond 64 bits.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  public struct Member: Hashable, Sendable {
    public let name: String
    public let value: JSONValue

    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// Parses exactly one value, white space around it.
  public init(parsing bytes: some Collection<UInt8>) throws(JSONFailure) {
    var parser = JSONParser(bytes: Array(bytes))
    self = try parser.document()
  }

  /// The member of an object, or `nil`.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The element of an array, or `nil`.
  public subscript(place: Int) -> JSONValue? {
    guard let elements, elements.indices.contains(place) else { return nil }
    return elements[place]
  }

  public var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  public var members: [Member]? {
    if case .object(let members) = self { members } else { nil }
  }

  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  public var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  public var boolean: Bool? {
    if case .boolean(let value) = self { value } else { nil }
  }

  public var isNull: Bool { self == .null }
}

/// Where bytes stop being JSON.
public struct JSONFailure: Error, Equatable, Sendable {
  public let offset: Int
}

private struct JSONParser {
  private static let greatestDepth = 200

  private let bytes: [UInt8]
  private var offset = 0
  private var depth = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() throws(JSONFailure) -> JSONValue {
    let parsed = try value()
    skipSpace()
    guard offset == bytes.count else { throw failure }
    return parsed
  }

  private var failure: JSONFailure { JSONFailure(offset: offset) }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || (0x09...0x0D).contains(byte) && byte != 0x0B && byte != 0x0C { offset += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(JSONFailure) {
    guard take(character) else { throw failure }
  }

  private mutating func value() throws(JSONFailure) -> JSONValue {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return .object(try nested { parser throws(JSONFailure) in try parser.object() })
    case UInt8(ascii: "["): return .array(try nested { parser throws(JSONFailure) in try parser.array() })
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func nested<Result>(
    _ body: (inout JSONParser) throws(JSONFailure) -> Result
  ) throws(JSONFailure) -> Result {
    guard depth < Self.greatestDepth else { throw failure }
    depth += 1
    defer { depth -= 1 }
    offset += 1
    return try body(&self)
  }

  private mutating func object() throws(JSONFailure) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    skipSpace()
    if take("}") { return members }
    repeat {
      skipSpace()
      let name = try string()
      skipSpace()
      try expect(":")
      members.append(JSONValue.Member(name, try value()))
      skipSpace()
    } while take(",")
    try expect("}")
    return members
  }

  private mutating func array() throws(JSONFailure) -> [JSONValue] {
    var elements: [JSONValue] = []
    skipSpace()
    if take("]") { return elements }
    repeat {
      elements.append(try value())
      skipSpace()
    } while take(",")
    try expect("]")
    return elements
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONFailure) -> JSONValue {
    let matches = word.withUTF8Buffer { bytes[offset...].starts(with: $0) }
    guard matches else { throw failure }
    offset += word.utf8CodeUnitCount
    return value
  }

  private mutating func number() throws(JSONFailure) -> JSONValue {
    let start = offset
    while let byte = next, byte.isDigit || "+-.eE".utf8.contains(byte) { offset += 1 }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    let hasLeadingZero = digits.first == UInt8(ascii: "0") && digits.dropFirst().first?.isDigit == true
    let hasEmptyFraction = zip(digits, digits.dropFirst()).contains { $0 == UInt8(ascii: ".") && !$1.isDigit }
    guard digits.first?.isDigit == true, bytes[offset - 1].isDigit, !hasLeadingZero, !hasEmptyFraction else {
      throw JSONFailure(offset: start)
    }
    if let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text) else { throw JSONFailure(offset: start) }
    return .number(number)
  }

  private mutating func string() throws(JSONFailure) -> String {
    try expect("\"")
    var text: [UInt8] = []
    while let byte = next {
      guard byte >= 0x20 else { throw failure }
      offset += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let valid = String(validating: text, as: UTF8.self) else { throw failure }
        return valid
      case UInt8(ascii: "\\"): text += String(try escape()).utf8
      default: text.append(byte)
      }
    }
    throw failure
  }

  private mutating func escape() throws(JSONFailure) -> Unicode.Scalar {
    guard let byte = next else { throw failure }
    offset += 1
    switch byte {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeEscape()
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    default: throw failure
    }
  }

  private mutating func unicodeEscape() throws(JSONFailure) -> Unicode.Scalar {
    let unit = try fourDigits()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard (0xD800..<0xDC00).contains(unit), take("\\"), take("u") else { throw failure }
    let low = try fourDigits()
    guard (0xDC00..<0xE000).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    else { throw failure }
    return scalar
  }

  private mutating func fourDigits() throws(JSONFailure) -> UInt32 {
    guard bytes.count - offset >= 4 else { throw failure }
    let digits = String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
    guard digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
      let value = UInt32(digits, radix: 16)
    else { throw failure }
    offset += 4
    return value
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
