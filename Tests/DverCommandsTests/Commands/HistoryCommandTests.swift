import SystemIO
import TestSupport
import Testing

@testable import DverCommands

@Suite("status, log, show and cat") struct HistoryCommandTests {
  @Test("log of a folder shows the documents in it, each by its path, deleted ones too where all is asked for")
  func folderLog() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("1", as: "f/a")
    try fixture.save("2", as: "f/g/b")
    try fixture.save("3", as: "fx")
    try fixture.save("4", as: "f/a")
    #expect(fixture.run("rm", "f/g/b").status == 0)
    let all = try fixture.run("log", "f", "--all", "--json").objects().map { $0["path"]?.string }
    #expect(all == ["f/g/b", "f/a", "f/g/b", "f/a"])
    #expect(fixture.run("log", "f", "-n", "2").lines.allSatisfy { $0.contains("f/") })
    #expect(fixture.run("log", "f/g/b", "--oneline").lines.count == 2)
    #expect(fixture.run("log", "g").status == 3)
  }

  @Test("status lists every kind of change, and nothing where all is saved")
  func status() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("a text\n", as: "changed")
    try fixture.save("b text\n", as: "gone")
    try fixture.save("c text\n", as: "old")
    #expect(fixture.run("status", "--exit-code").status == 0)
    try fixture.write("other\n", to: "changed")
    try fixture.remove("gone")
    try FileSystem.rename(from: fixture.root.appending("old"), to: fixture.root.appending("renamed"))
    try fixture.write("n\n", to: "new")
    let result = fixture.run("status")
    #expect(result.status == 0)
    #expect(
      result.lines == ["modified  changed", "missing   gone", "new       new", "renamed   old -> renamed"])
    #expect(fixture.run("status", "--exit-code").status == 1)
    #expect(fixture.run("status", "-z").bytes == Array("changed\0gone\0new\0renamed\0".utf8))
    #expect(
      fixture.run("status", "--json").lines == [
        #"{"path":"changed","status":"modified"}"#, #"{"path":"gone","status":"missing"}"#,
        #"{"path":"new","status":"new"}"#, #"{"path":"renamed","status":"renamed","from":"old"}"#,
      ])
    #expect(fixture.run("status", "new", "gone").lines.count == 2)
  }

  @Test("status gives paths that are no text exactly, and shows them safely")
  func strangeNames() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.write([1], to: [0x61, 0x0a, 0x62])
    try fixture.write([1], to: [0xff])
    #expect(fixture.run("status").lines == [#"new  "a\nb""#, #"new  "\xff""#])
    #expect(fixture.run("status", "-z").bytes == [0x61, 0x0a, 0x62, 0, 0xff, 0])
    #expect(fixture.run("status", "--json").lines.last == #"{"pathBytes":"/w==","status":"new"}"#)
    #expect(fixture.run([Array("save".utf8), Array("--".utf8), [0xff]]).status == 0)
    #expect(fixture.run([Array("cat".utf8), Array("--".utf8), [0xff]]).bytes == [1])
  }

  @Test("log shows versions newest first, their messages indented")
  func log() throws {
    let fixture = try CommandFixture.initialized()
    let first = try fixture.save("1", as: "a", "-m", "one\n\ntwo\n\n")
    let second = try fixture.save("22", as: "a")
    let lines = fixture.run("log", "a").lines
    #expect(
      lines == [
        "\(second.prefix(8))  2026-11-30 00:53  laptop       2 B  (current)",
        "\(first.prefix(8))  2026-11-30 00:53  laptop       1 B", "    one", "    two",
      ])
    #expect(fixture.run("log", "a", "--oneline").lines.last == "\(first.prefix(8))  2026-11-30 00:53  laptop  one…")
    #expect(fixture.run("log").lines.first?.hasSuffix("2 B  a  (current)") == true)
  }

  @Test("log takes a number, times and a version to begin with")
  func logSelection() throws {
    let fixture = try CommandFixture.initialized()
    let ids = try (1...4).map { try fixture.save("\($0)", as: "a") }
    func shown(_ words: String...) -> [String] {
      (try? fixture.run((["log", "a", "--json"] + words).map { Array($0.utf8) }).objects())?
        .compactMap { $0["version"]?.string } ?? []
    }
    #expect(shown() == ids.reversed())
    #expect(shown("-n", "2") == [ids[3], ids[2]])
    #expect(shown("-n", "0").isEmpty)
    let times = try fixture.run("log", "a", "--json").objects().compactMap { $0["savedAt"]?.string }
    #expect(shown("--since", times[1]) == [ids[3], ids[2]])
    #expect(shown("--until", times[2]) == [ids[1], ids[0]])
    #expect(shown("--since", "2030-01-01").isEmpty)
    let from = try fixture.run("log", "--json", "a@" + ids[1].prefix(10)).objects()
    #expect(from.compactMap { $0["version"]?.string } == [ids[1], ids[0]])
    #expect(fixture.run("log", "--since", "soon").status == 2)
    #expect(fixture.run("log", "nothing").status == 3)
  }

  @Test("log draws the graph")
  func graph() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.makeConflict(isClean: true)
    let lines = fixture.run("log", "--graph", "--all", "--oneline", "a.txt").lines
    #expect(lines.count == 4)
    #expect(lines[0].hasPrefix("* ") && lines[0].hasSuffix("(current)"))
    #expect(lines[1].hasPrefix("│ * ") && lines[1].hasSuffix("(conflict)"))
    #expect(lines[2] == "├─╯")
    #expect(lines[3].hasPrefix("* "))
    #expect(fixture.run("log", "--ascii", "--all", "a.txt").lines[2] == "+-'")
  }

  @Test("log goes along renames")
  func logAcrossRenames() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("text", as: "a")
    #expect(fixture.run("mv", "a", "b").output.hasPrefix("renamed  a -> b"))
    let lines = fixture.run("log", "b").lines
    #expect(lines.count == 2)
    #expect(lines[0].hasSuffix("4 B  (current, rename)"))
    #expect(lines[1].hasSuffix("4 B  a"))
  }

  @Test("show tells everything of a version")
  func show() throws {
    let fixture = try CommandFixture.initialized()
    let first = try fixture.save("one\n", as: "a", "-m", "hello")
    let second = try fixture.save("two\n", as: "a")
    let lines = fixture.run("show", "a@~1").lines
    #expect(lines.contains("version   \(first)"))
    #expect(lines.contains("child     \(second)"))
    #expect(lines.contains("state     history"))
    #expect(lines.last == "    hello")
    let object = try #require(try fixture.run("show", "--json", "a").objects().first)
    #expect(object["version"]?.string == second)
    #expect(object["children"]?.elements == [])
    #expect(object["storage"]?[0]?["storedSize"]?.integer ?? 0 > 0)
  }

  @Test("cat writes the bytes of any version exactly")
  func cat() throws {
    let fixture = try CommandFixture.initialized()
    let bytes = (0...255).map { UInt8($0) }
    try fixture.write(bytes, to: Array("a".utf8))
    fixture.run("save")
    try fixture.save("", as: "a")
    #expect(fixture.run("cat", "a@~1").bytes == bytes)
    #expect(fixture.run("cat", "a").bytes.isEmpty)
    #expect(fixture.run("cat", "--at", "~1", "a").bytes == bytes)
  }

  @Test("cat reads a path with an @ by --at")
  func atSign() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("mail", as: "me@example.com")
    let result = fixture.run("cat", "me@example.com")
    #expect(result.status == 2)
    #expect(result.errors.contains("--at VERSION PATH"))
    #expect(fixture.run("cat", "--at", "current", "me@example.com").output == "mail")
  }

  @Test("cat names what isn't there")
  func missing() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("x", as: "a")
    fixture.run("rm", "a")
    #expect(fixture.run("cat", "nothing").status == 3)
    #expect(fixture.run("cat", "a@ffff0000").status == 3)
    let deleted = fixture.run("cat", "a")
    #expect(deleted.status == 3)
    #expect(deleted.errors.contains("is the deletion of \"a\""))
    #expect(fixture.run("cat", "a@~1").output == "x")
    #expect(fixture.run("cat", "a", "--json").errors.isEmpty == false)
  }

  @Test("cat finds the version of a time")
  func times() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("one", as: "a")
    let time = try #require(try fixture.run("log", "--json", "a").objects()[0]["savedAt"]?.string)
    try fixture.save("two", as: "a")
    #expect(fixture.run("cat", "a@{\(time)}").output == "one")
    #expect(fixture.run("cat", "a@{2020-01-01}").status == 3)
    #expect(fixture.run("cat", "a@{now}").output == "two")
  }
}
