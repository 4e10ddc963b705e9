/// Writes JSON objects with their keys in the order of the calls, always as valid UTF-8.
///
/// Besides what JSON asks for, characters that a terminal would obey are escaped as `\uXXXX`.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// One object as a value.
  mutating func object(_ body: (inout JSONWriter) -> Void) {
    separate()
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
    body(&self)
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }

  mutating func member(_ key: String, _ value: String?) {
    begin(key)
    if let value { string(value.utf8) } else { literal("null") }
  }

  mutating func member(_ key: String, _ value: Bool) {
    begin(key)
    literal(value ? "true" : "false")
  }

  mutating func member(_ key: String, _ value: (some BinaryInteger)?) {
    begin(key)
    literal(value.map { String($0) } ?? "null")
  }

  mutating func member(_ key: String, object body: (inout JSONWriter) -> Void) {
    begin(key)
    needsComma = false
    object(body)
  }

  mutating func member(_ key: String, strings: some Sequence<String>) {
    begin(key)
    array(of: strings) { writer, text in
      writer.separate()
      writer.string(text.utf8)
      writer.needsComma = true
    }
  }

  mutating func member<Elements: Sequence>(
    _ key: String, objects: Elements, _ body: (inout JSONWriter, Elements.Element) -> Void
  ) {
    begin(key)
    array(of: objects) { writer, element in writer.object { body(&$0, element) } }
  }

  mutating func null(_ key: String) {
    begin(key)
    literal("null")
  }

  /// Bytes that are text by intent, such as a message: what is no UTF-8 becomes U+FFFD.
  mutating func text(_ key: String, _ value: [UInt8]) {
    begin(key)
    string(value)
  }

  /// A path: under `key` where it is UTF-8, else as base64 under `key` with `Bytes` behind.
  mutating func path(_ key: String, _ value: [UInt8]) {
    if String(validating: value, as: UTF8.self) != nil {
      text(key, value)
    } else {
      member(key + "Bytes", Base64.encode(value))
    }
  }

  /// A time in UTC; outside the years 0 to 9999 `null`, with the seconds since 1970 under `key` and `Seconds` beside it.
  mutating func time(_ key: String, milliseconds: Int64) {
    time(key, text: TimeFormat.rfc3339(milliseconds: milliseconds), seconds: TimeFormat.floorSeconds(milliseconds))
  }

  /// A time of whole seconds and nanoseconds; as ``time(_:milliseconds:)``.
  mutating func time(_ key: String, seconds: Int64, nanoseconds: UInt32) {
    time(key, text: TimeFormat.rfc3339(seconds: seconds, nanoseconds: nanoseconds), seconds: seconds)
  }

  private mutating func time(_ key: String, text: String?, seconds: Int64) {
    member(key, text)
    if text == nil { member(key + "Seconds", seconds) }
  }

  private mutating func array<Elements: Sequence>(
    of elements: Elements, _ body: (inout JSONWriter, Elements.Element) -> Void
  ) {
    bytes.append(UInt8(ascii: "["))
    needsComma = false
    for element in elements { body(&self, element) }
    bytes.append(UInt8(ascii: "]"))
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = false
  }

  private mutating func begin(_ key: String) {
    separate()
    string(key.utf8)
    bytes.append(UInt8(ascii: ":"))
    needsComma = true
  }

  private mutating func literal(_ text: String) {
    bytes += text.utf8
  }

  private mutating func string(_ value: some Collection<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    var result: [UInt8] = []
    UnicodeSafety.forEachPart(of: value) { scalar, encoded in
      switch scalar {
      case "\"": result += "\\\"".utf8
      case "\\": result += "\\\\".utf8
      case "\n": result += "\\n".utf8
      case "\r": result += "\\r".utf8
      case "\t": result += "\\t".utf8
      default:
        if UnicodeSafety.isSafe(scalar) {
          result += encoded
        } else {
          for unit in String(scalar).utf16 { result += Self.escape(unit).utf8 }
        }
      }
    } invalid: { _ in
      result += "\u{FFFD}".utf8
    }
    bytes += result
    bytes.append(UInt8(ascii: "\""))
  }

  private static func escape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
