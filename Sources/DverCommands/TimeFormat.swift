/// Times as text and back, always in UTC: no setting of the machine changes what dver prints.
///
/// Source: RFC 3339.
enum TimeFormat {
  static let millisecondsPerDay: Int64 = 86_400_000

  /// `2026-11-30T10:15:02.120Z`, or `nil` outside the years 0 to 9999.
  static func rfc3339(milliseconds: Int64) -> String? {
    guard let (date, rest) = split(milliseconds) else { return nil }
    let seconds = rest / 1000
    return "\(text(date))T\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
      + ".\(padded(rest % 1000, 3))Z"
  }

  /// As ``rfc3339(milliseconds:)``; what is below a millisecond is cut off.
  static func rfc3339(seconds: Int64, nanoseconds: UInt32) -> String? {
    let (milliseconds, overflows) = seconds.multipliedReportingOverflow(by: 1000)
    let (sum, overflowsToo) = milliseconds.addingReportingOverflow(Int64(nanoseconds / 1_000_000))
    return overflows || overflowsToo ? nil : rfc3339(milliseconds: sum)
  }

  /// `2026-11-30 10:15` for people, in UTC; outside the years 0 to 9999 `@` and the seconds since 1970.
  static func short(milliseconds: Int64) -> String {
    var bytes: [UInt8] = []
    appendShort(milliseconds: milliseconds, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the same as ASCII codes: a history has one in each line.
  static func appendShort(milliseconds: Int64, to bytes: inout [UInt8]) {
    guard let (date, rest) = split(milliseconds) else {
      bytes += Array("@\(floorSeconds(milliseconds))".utf8)
      return
    }
    let minutes = rest / 60_000
    func append(_ number: Int64, _ separator: UInt8? = nil) {
      bytes.append(UInt8(ascii: "0") + UInt8(number / 10))
      bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
      if let separator { bytes.append(separator) }
    }
    append(date.year / 100)
    append(date.year % 100, UInt8(ascii: "-"))
    append(Int64(date.month), UInt8(ascii: "-"))
    append(Int64(date.day), UInt8(ascii: " "))
    append(minutes / 60, UInt8(ascii: ":"))
    append(minutes % 60)
  }

  /// Whole seconds, rounded down.
  static func floorSeconds(_ milliseconds: Int64) -> Int64 {
    milliseconds >= 0 || milliseconds % 1000 == 0 ? milliseconds / 1000 : milliseconds / 1000 - 1
  }

  /// The day and the milliseconds since its start.
  static func split(_ milliseconds: Int64) -> (date: CivilDate, rest: Int64)? {
    var days = milliseconds / millisecondsPerDay
    var rest = milliseconds % millisecondsPerDay
    if rest < 0 {
      days -= 1
      rest += millisecondsPerDay
    }
    return CivilDate(daysSince1970: days).map { ($0, rest) }
  }

  private static func text(_ date: CivilDate) -> String {
    "\(padded(date.year, 4))-\(padded(Int64(date.month), 2))-\(padded(Int64(date.day), 2))"
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    if width == 2 && (0..<100).contains(number) {
      let digits: (UInt8, UInt8) = (0x30 + UInt8(number / 10), 0x30 + UInt8(number % 10))
      return String(decoding: [digits.0, digits.1], as: UTF8.self)
    }
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
