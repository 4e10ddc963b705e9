import ArgumentParsing

/// Which of a document's versions is meant, as written behind the `@`.
enum VersionSelector: Equatable, Sendable {
  case current
  /// The first 4 to 64 digits of an id, lower case.
  case identifier(prefix: [UInt8])
  /// So many steps back from the current version, along first parents.
  case back(Int)
  /// The common ancestor of the current version and the conflict versions.
  case base
  /// The greatest head among the versions saved up to then.
  case time(TimeExpression)

  /// What ``init(parsing:)`` accepts, for an error that says "is not …".
  static let expectation = "a version: current, base, ~N, 4 to 64 hex digits of an id, or a {time}"

  /// Parses what stands behind the `@`, or `nil`.
  init?(parsing text: [UInt8]) {
    if text.elementsEqual("current".utf8) {
      self = .current
    } else if text.elementsEqual("base".utf8) {
      self = .base
    } else if text.first == UInt8(ascii: "~") {
      guard let steps = Self.number(text.dropFirst()) else { return nil }
      self = .back(steps)
    } else if text.first == UInt8(ascii: "{") {
      guard text.count > 2, text.last == UInt8(ascii: "}"),
        let time = TimeExpression(parsing: Array(text[1..<text.count - 1]))
      else { return nil }
      self = .time(time)
    } else {
      guard let prefix = Self.hexadecimal(text) else { return nil }
      self = .identifier(prefix: prefix)
    }
  }

  /// The value of an option that names a version, or `nil` where it isn't given.
  init?(option: String, in arguments: ParsedArguments) throws(UsageError) {
    guard let value = arguments.value(option) else { return nil }
    guard let selector = VersionSelector(parsing: value) else {
      throw .invalidValue(option: option, value: value, expected: Self.expectation)
    }
    self = selector
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard 1...9 ~= digits.count, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self))
  }

  private static func hexadecimal(_ text: [UInt8]) -> [UInt8]? {
    guard 4...64 ~= text.count else { return nil }
    var digits: [UInt8] = []
    for code in text {
      switch code {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): digits.append(code)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digits.append(code + 32)
      default: return nil
      }
    }
    return digits
  }
}
