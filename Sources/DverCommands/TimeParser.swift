/// Reads dates and times as people and RFC 3339 write them.
struct TimeParser {
  /// What a text names: a day, a minute, a second or a millisecond, first and last millisecond included.
  typealias Span = ClosedRange<Int64>

  private var rest: ArraySlice<UInt8>

  /// `2026-11-30`, `2026-11-30T10:15`, `2026-11-30 10:15:02.120Z`, `2026-11-30T10:15+02:00`; without an offset UTC.
  static func span(of text: [UInt8]) -> Span? {
    var parser = TimeParser(rest: text[...])
    return parser.span()
  }

  /// RFC 3339, or milliseconds since 1970: the form of `DVER_NOW`.
  static func instant(_ text: [UInt8]) -> Int64? {
    let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
    if !digits.isEmpty, digits.allSatisfy(isDigit) {
      guard let milliseconds = Int64(String(decoding: text, as: UTF8.self)) else { return nil }
      return TimeFormat.split(milliseconds) == nil ? nil : milliseconds
    }
    return span(of: text)?.lowerBound
  }

  private mutating func span() -> Span? {
    guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
      let date = CivilDate(year: year, month: Int(month), day: Int(day))
    else { return nil }
    let start = date.daysSince1970 * TimeFormat.millisecondsPerDay
    if rest.isEmpty { return start...start + TimeFormat.millisecondsPerDay - 1 }
    guard take("T") || take("t") || take(" "), let (offset, length) = timeOfDay(), let zone = zone(), rest.isEmpty
    else { return nil }
    let first = start + offset - zone
    return first...first + length - 1
  }

  /// Milliseconds since the day's start, and how many the text stands for.
  private mutating func timeOfDay() -> (offset: Int64, length: Int64)? {
    guard let hour = number(2), hour < 24, take(":"), let minute = number(2), minute < 60 else { return nil }
    let minutes = (hour * 60 + minute) * 60_000
    guard take(":") else { return (minutes, 60_000) }
    // A leap second is the last second of its minute here, as in POSIX time.
    guard let second = number(2), second <= 60 else { return nil }
    let seconds = minutes + min(second, 59) * 1000
    guard take(".") else { return (seconds, 1000) }
    guard let fraction = fraction() else { return nil }
    return (seconds + fraction, 1)
  }

  /// Milliseconds; further digits are cut off.
  private mutating func fraction() -> Int64? {
    let digits = rest.prefix(while: Self.isDigit)
    guard !digits.isEmpty else { return nil }
    rest = rest.dropFirst(digits.count)
    var milliseconds: Int64 = 0
    for place in 0..<3 {
      let digit = place < digits.count ? Int64(digits[digits.startIndex + place] - UInt8(ascii: "0")) : 0
      milliseconds = milliseconds * 10 + digit
    }
    return milliseconds
  }

  /// Milliseconds that the zone is ahead of UTC.
  private mutating func zone() -> Int64? {
    if rest.isEmpty || take("Z") || take("z") { return 0 }
    let isBehind = take("-")
    guard isBehind || take("+"), let hours = number(2), hours < 24 else { return nil }
    _ = take(":")
    guard let minutes = number(2), minutes < 60 else { return nil }
    let offset = (hours * 60 + minutes) * 60_000
    return isBehind ? -offset : offset
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let first = rest.first, UInt32(first) == character.value else { return false }
    rest = rest.dropFirst()
    return true
  }

  private mutating func number(_ count: Int) -> Int64? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy(Self.isDigit) else { return nil }
    rest = rest.dropFirst(count)
    return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  }

  private static func isDigit(_ code: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= code
  }
}
