import Testing

@testable import DverCommands

@Suite("Tables") struct TextTableTests {
  @Test("line up their columns and end without spaces")
  func columns() {
    var table = TextTable()
    table.add([TextTable.Cell("saved"), TextTable.Cell("a.md"), TextTable.Cell("12 B", isRight: true)])
    table.add([TextTable.Cell("deleted"), TextTable.Cell("notes/b.md"), TextTable.Cell("", isRight: true)])
    table.add([TextTable.Cell("saved"), TextTable.Cell("字.md"), TextTable.Cell("1.2 kB", isRight: true)])
    #expect(
      table.lines() == [
        "saved    a.md          12 B", "deleted  notes/b.md", "saved    字.md       1.2 kB",
      ])
  }

  @Test("don't move everything for one long cell")
  func longCell() {
    var table = TextTable()
    let long = String(repeating: "x", count: 60)
    table.add(texts: long, "1")
    table.add(texts: "short", "2")
    #expect(table.lines(indentation: 2) == ["  \(long)  1", "  short  2"])
  }

  @Test("are as wide with colours as without")
  func paint() {
    var table = TextTable()
    table.add([TextTable.Cell("a") { "<\($0)>" }, TextTable.Cell("b")])
    table.add(texts: "aaa", "b")
    #expect(table.lines() == ["<a>    b", "aaa  b"])
  }

  @Test(
    "count the columns that a terminal takes", arguments: [("abc", 3), ("é", 1), ("e\u{301}", 1), ("字", 2), ("🙂", 2)])
  func width(text: String, columns: Int) {
    #expect(TextWidth.columns(of: text) == columns)
  }

  @Test("shorten text to a width")
  func shortening() {
    #expect(TextWidth.shortened("abcdef", to: 6) == "abcdef")
    #expect(TextWidth.shortened("abcdefg", to: 6) == "abcde…")
    #expect(TextWidth.shortened("字字字字", to: 6) == "字字…")
  }
}
