import TestSupport
import Testing

@testable import DverCommands

@Suite("Times as text") struct TimeFormatTests {
  @Test(
    "follow RFC 3339 in UTC",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (1_796_033_702_120, "2026-11-30T10:15:02.120Z"), (-2_203_891_200_001, "1900-02-28T23:59:59.999Z"),
      (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
      (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"), (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
    ] as [(Int64, String)])
  func rfc3339(milliseconds: Int64, text: String) {
    #expect(TimeFormat.rfc3339(milliseconds: milliseconds) == text)
    #expect(TimeParser.instant(Array(text.utf8)) == milliseconds)
  }

  @Test(
    "end with the years 0 and 9999", arguments: [253_402_300_800_000, -62_167_219_200_001, .max, .min] as [Int64])
  func range(milliseconds: Int64) {
    #expect(TimeFormat.rfc3339(milliseconds: milliseconds) == nil)
    #expect(TimeFormat.short(milliseconds: milliseconds).first == "@")
    #expect(TimeParser.instant(Array("\(milliseconds)".utf8)) == nil)
  }

  @Test("cut off what is below a millisecond, downwards")
  func nanoseconds() {
    #expect(TimeFormat.rfc3339(seconds: -1, nanoseconds: 999_999_999) == "1969-12-31T23:59:59.999Z")
    #expect(TimeFormat.rfc3339(seconds: .max, nanoseconds: 0) == nil)
    #expect(TimeFormat.rfc3339(seconds: .min, nanoseconds: 999_999_999) == nil)
    #expect(TimeFormat.floorSeconds(-1) == -1)
    #expect(TimeFormat.floorSeconds(-1000) == -1)
    #expect(TimeFormat.floorSeconds(1999) == 1)
  }

  @Test("are short for people")
  func short() {
    #expect(TimeFormat.short(milliseconds: 1_796_033_702_120) == "2026-11-30 10:15")
  }

  @Test("give each day its date, one after the other", arguments: [0, 1900, 9990] as [Int64])
  func everyDay(firstYear: Int64) throws {
    var expected = try #require(CivilDate(year: firstYear, month: 1, day: 1))
    let first = expected.daysSince1970
    // 401 years: the calendar repeats after 400.
    for day in first...min(first + 146_463, CivilDate.dayRange.upperBound) {
      let date = CivilDate(daysSince1970: day)
      guard date == expected, date?.daysSince1970 == day else {
        Issue.record("day \(day) is \(String(describing: date)), not \(expected)")
        return
      }
      if let next = CivilDate(year: expected.year, month: expected.month, day: expected.day + 1)
        ?? CivilDate(year: expected.year, month: expected.month + 1, day: 1)
        ?? CivilDate(year: expected.year + 1, month: 1, day: 1)
      {
        expected = next
      } else {
        #expect(day == CivilDate.dayRange.upperBound)
      }
    }
  }

  @Test("come back from their text", arguments: 0..<200 as Range<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let milliseconds = Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &generator)
    let text = try #require(TimeFormat.rfc3339(milliseconds: milliseconds))
    #expect(TimeParser.instant(Array(text.utf8)) == milliseconds)
    #expect(TimeParser.instant(Array("\(milliseconds)".utf8)) == milliseconds)
  }
}
