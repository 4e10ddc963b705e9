import Testing

@testable import DverCommands

struct TimeCase: CustomTestStringConvertible, Sendable {
  let text: String
  let earliest: String
  let latest: String
  var testDescription: String { text }
}

@Suite("Time expressions") struct TimeExpressionTests {
  /// 2026-11-30T10:15:02.120Z
  private let now: Int64 = 1_796_033_702_120

  @Test(
    "name a span or an instant",
    arguments: [
      TimeCase(text: "2026-11-30", earliest: "2026-11-30T00:00:00.000Z", latest: "2026-11-30T23:59:59.999Z"),
      TimeCase(text: "2026-11-30T10:15", earliest: "2026-11-30T10:15:00.000Z", latest: "2026-11-30T10:15:59.999Z"),
      TimeCase(text: "2026-11-30 10:15:02", earliest: "2026-11-30T10:15:02.000Z", latest: "2026-11-30T10:15:02.999Z"),
      TimeCase(
        text: "2026-11-30T10:15:02.120Z", earliest: "2026-11-30T10:15:02.120Z", latest: "2026-11-30T10:15:02.120Z"),
      TimeCase(
        text: "2026-11-30t10:15:02.1209z", earliest: "2026-11-30T10:15:02.120Z", latest: "2026-11-30T10:15:02.120Z"),
      TimeCase(
        text: "2026-11-30T00:15+02:00", earliest: "2026-11-29T22:15:00.000Z", latest: "2026-11-29T22:15:59.999Z"),
      TimeCase(
        text: "2026-11-30T22:15-0530", earliest: "2026-12-01T03:45:00.000Z", latest: "2026-12-01T03:45:59.999Z"),
      TimeCase(text: "now", earliest: "2026-11-30T10:15:02.120Z", latest: "2026-11-30T10:15:02.120Z"),
      TimeCase(text: "Today", earliest: "2026-11-30T00:00:00.000Z", latest: "2026-11-30T23:59:59.999Z"),
      TimeCase(text: "yesterday", earliest: "2026-11-29T00:00:00.000Z", latest: "2026-11-29T23:59:59.999Z"),
      TimeCase(text: "3 hours ago", earliest: "2026-11-30T07:15:02.120Z", latest: "2026-11-30T07:15:02.120Z"),
      TimeCase(text: "3.hours.ago", earliest: "2026-11-30T07:15:02.120Z", latest: "2026-11-30T07:15:02.120Z"),
      TimeCase(text: "an hour ago", earliest: "2026-11-30T09:15:02.120Z", latest: "2026-11-30T09:15:02.120Z"),
      TimeCase(text: "1 day ago", earliest: "2026-11-29T10:15:02.120Z", latest: "2026-11-29T10:15:02.120Z"),
      TimeCase(text: "2 weeks ago", earliest: "2026-11-16T10:15:02.120Z", latest: "2026-11-16T10:15:02.120Z"),
      TimeCase(text: "90 minutes ago", earliest: "2026-11-30T08:45:02.120Z", latest: "2026-11-30T08:45:02.120Z"),
      TimeCase(text: "5 seconds ago", earliest: "2026-11-30T10:14:57.120Z", latest: "2026-11-30T10:14:57.120Z"),
      TimeCase(text: "9 months ago", earliest: "2026-02-28T10:15:02.120Z", latest: "2026-02-28T10:15:02.120Z"),
      TimeCase(text: "2 years ago", earliest: "2024-11-30T10:15:02.120Z", latest: "2024-11-30T10:15:02.120Z"),
    ])
  func spans(row: TimeCase) throws {
    let expression = try #require(TimeExpression(parsing: Array(row.text.utf8)))
    #expect(TimeFormat.rfc3339(milliseconds: expression.earliest(now: now)) == row.earliest)
    #expect(TimeFormat.rfc3339(milliseconds: expression.latest(now: now)) == row.latest)
  }

  @Test(
    "refuse what is no time",
    arguments: [
      "", " ", "2026", "2026-11", "2026-11-31", "2026-02-29", "2026-13-01", "2026-00-10", "26-11-30", "2026-11-30T",
      "2026-11-30T24:00", "2026-11-30T10:60", "2026-11-30T10", "2026-11-30T10:15:61", "2026-11-30T10:15:02.",
      "2026-11-30T10:15x", "2026-11-30T10:15+25:00", "2026-11-30Z", "tomorrow", "3 hours", "hours ago", "x hours ago",
      "3 fortnights ago", "-3 hours ago", "1234567890 days ago", "3 hours ago now",
    ])
  func refusals(text: String) {
    #expect(TimeExpression(parsing: Array(text.utf8)) == nil)
  }

  @Test("go back no further than there is time", arguments: ["999999999 weeks ago", "999999999 years ago"])
  func extremes(text: String) throws {
    let expression = try #require(TimeExpression(parsing: Array(text.utf8)))
    for now in [self.now, .min, .max, 0] { #expect(expression.latest(now: now) <= now) }
  }

  @Test("take no bytes that are no text")
  func invalidBytes() {
    #expect(TimeExpression(parsing: [0xff, 0x20, 0xfe]) == nil)
    #expect(TimeExpression(parsing: [UInt8](repeating: 0x20, count: 1_000_000)) == nil)
  }
}
