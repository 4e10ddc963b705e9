/// A time as a person names it: `2026-11-30`, `2026-11-30T10:15`, `yesterday`, `3 hours ago`.
///
/// A day or a minute has a beginning and an end: "up to 2026-11-30" means through that day, "since" from its start.
/// Days are those of UTC.
enum TimeExpression: Equatable, Sendable {
  case span(ClosedRange<Int64>)
  /// Whole days before today.
  case day(ago: Int64)
  case now
  case ago(milliseconds: Int64)
  case monthsAgo(Int64)

  /// Parses the text between the braces, or `nil`.
  init?(parsing text: [UInt8]) {
    if let span = TimeParser.span(of: text) {
      self = .span(span)
      return
    }
    guard text.count <= 64, let expression = Self.words(of: text) else { return nil }
    self = expression
  }

  /// The first millisecond of it, since 1970.
  func earliest(now: Int64) -> Int64 { range(now: now).lowerBound }

  /// The last millisecond of it, since 1970.
  func latest(now: Int64) -> Int64 { range(now: now).upperBound }

  private func range(now: Int64) -> ClosedRange<Int64> {
    switch self {
    case .span(let span):
      return span
    case .now:
      return now...now
    case .day(let ago):
      let length = TimeFormat.millisecondsPerDay
      guard let (_, rest) = TimeFormat.split(now) else { return now...now }
      let start = now - rest - ago * length
      return start...start + length - 1
    case .ago(let milliseconds):
      let (time, overflows) = now.subtractingReportingOverflow(milliseconds)
      return overflows ? Int64.min...Int64.min : time...time
    case .monthsAgo(let months):
      guard let (date, rest) = TimeFormat.split(now), let earlier = date.subtracting(months: months) else {
        return Int64.min...Int64.min
      }
      let time = earlier.daysSince1970 * TimeFormat.millisecondsPerDay + rest
      return time...time
    }
  }

  private static func words(of text: [UInt8]) -> TimeExpression? {
    let separators: [UInt8] = [UInt8(ascii: " "), UInt8(ascii: "."), UInt8(ascii: "_")]
    let words = text.split { separators.contains($0) }.map { String(decoding: $0, as: UTF8.self).lowercased() }
    switch words {
    case ["now"]: return .now
    case ["today"]: return .day(ago: 0)
    case ["yesterday"]: return .day(ago: 1)
    default: break
    }
    guard words.count == 3, words[2] == "ago", let count = count(words[0]) else { return nil }
    switch words[1].hasSuffix("s") ? String(words[1].dropLast()) : words[1] {
    case "second", "sec": return .ago(milliseconds: count * 1000)
    case "minute", "min": return .ago(milliseconds: count * 60_000)
    case "hour": return .ago(milliseconds: count * 3_600_000)
    case "day": return .ago(milliseconds: count * TimeFormat.millisecondsPerDay)
    case "week": return .ago(milliseconds: count * 7 * TimeFormat.millisecondsPerDay)
    case "month": return .monthsAgo(count)
    case "year": return .monthsAgo(count * 12)
    default: return nil
    }
  }

  /// At most nine digits, so that no product overflows.
  private static func count(_ word: String) -> Int64? {
    if word == "a" || word == "an" { return 1 }
    guard word.utf8.count <= 9, word.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
      return nil
    }
    return Int64(word)
  }
}
