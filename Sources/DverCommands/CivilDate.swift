/// A day of the proleptic Gregorian calendar, the year 0 before the year 1.
struct CivilDate: Equatable {
  let year: Int64
  /// 1 to 12.
  let month: Int
  /// 1 to the month's length.
  let day: Int

  /// Creates a date, or `nil` where the calendar has no such day, or the year is not of four digits.
  init?(year: Int64, month: Int, day: Int) {
    guard 0...9999 ~= year, 1...12 ~= month, 1...Self.length(ofMonth: month, year: year) ~= day else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The date so many days after 1970-01-01, or `nil` outside the years 0 to 9999.
  ///
  /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
  init?(daysSince1970 days: Int64) {
    guard Self.dayRange.contains(days) else { return nil }
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = Int(shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9)
    self.year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    self.month = month
    self.day = Int(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// Days since 1970-01-01, before it negative.
  ///
  /// Source: as ``init(daysSince1970:)``, `days_from_civil`.
  var daysSince1970: Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let shiftedMonth = Int64(month > 2 ? month - 3 : month + 9)
    let dayOfYear = (153 * shiftedMonth + 2) / 5 + Int64(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The same day so many months earlier; the month's last day where it is shorter. `nil` before the year 0.
  func subtracting(months: Int64) -> CivilDate? {
    let (total, overflows) = (year * 12 + Int64(month) - 1).subtractingReportingOverflow(months)
    guard !overflows, total >= 0 else { return nil }
    let earlierMonth = Int(total % 12) + 1
    let length = Self.length(ofMonth: earlierMonth, year: total / 12)
    return CivilDate(year: total / 12, month: earlierMonth, day: min(day, length))
  }

  /// From 0000-01-01 to 9999-12-31.
  static let dayRange: ClosedRange<Int64> = -719_528...2_932_896

  private static func length(ofMonth month: Int, year: Int64) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
