import SystemIO
import TestSupport
import Testing

@testable import DverCommands

@Suite("diff") struct DiffCommandTests {
  private func fixture() throws -> CommandFixture {
    let fixture = try CommandFixture.initialized()
    try fixture.save("one\ntwo\nthree\n", as: "d/a")
    return fixture
  }

  private let unified = "--- a/d/a\n+++ b/d/a\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"

  @Test("compares the current version with the file on disk")
  func unsaved() throws {
    let fixture = try fixture()
    #expect(fixture.run("diff", "--exit-code").status == 0)
    try fixture.write("one\n2\nthree\n", to: "d/a")
    for words in [["diff"], ["diff", "d/a"], ["diff", "d"], ["diff", "."], ["diff", "d/a@current"]] {
      let result = fixture.run(words.map { Array($0.utf8) })
      #expect(result.output == unified, "\(words)")
      #expect(result.status == 0)
    }
    #expect(fixture.run("diff", "--exit-code").status == 1)
    #expect(fixture.run("diff", "--exit-code", "d/a").status == 1)
  }

  @Test("compares two versions, and a version with the file")
  func versions() throws {
    let fixture = try fixture()
    try fixture.save("one\n2\nthree\n", as: "d/a")
    #expect(fixture.run("diff", "d/a@~1", "d/a@current").output == unified)
    #expect(fixture.run("diff", "d/a@~1", "d/a").output == unified)
    #expect(fixture.run("diff", "d/a@~1").output == unified)
    #expect(fixture.run("diff", "d/a@~1", "d/a@~1", "--exit-code").status == 0)
    #expect(fixture.run("diff", "d/a@~1", "d/a@current", "--exit-code").status == 1)
    #expect(fixture.run("diff", "d/a@~7").status == 0 || fixture.run("diff", "d/a@~7").status == 3)
  }

  @Test("shows missing files against nothing")
  func missing() throws {
    let fixture = try fixture()
    try fixture.remove("d/a")
    #expect(fixture.run("diff").output.hasPrefix("--- a/d/a\n+++ /dev/null\n@@ -1,3 +0,0 @@\n"))
  }

  @Test("says of binary files that they differ, with sizes")
  func binary() throws {
    let fixture = try fixture()
    try fixture.write([0, 1, 2], to: Array("b".utf8))
    fixture.run("save")
    try fixture.write([0, 1], to: Array("b".utf8))
    #expect(fixture.run("diff", "b").output.hasSuffix(" and b differ: 3 B and 2 B\n"))
    #expect(fixture.run("diff", "--stat", "b").lines == ["b  binary  3 B -> 2 B"])
    #expect(fixture.run("diff", "--exit-code", "b").status == 1)
  }

  @Test("says that a mode changed")
  func mode() throws {
    let fixture = try fixture()
    try FileSystem.setPermissions(0o600, at: fixture.root.appending("d/a"))
    #expect(fixture.run("diff", "d/a", "--exit-code").output == "mode of d/a: 644 to 600\n")
  }

  @Test("marks words, and counts lines")
  func forms() throws {
    let fixture = try fixture()
    try fixture.write("one\n2\nthree\nfour\n", to: "d/a")
    #expect(fixture.run("diff", "--word").output.contains("[-two-]{+2+}\n"))
    #expect(fixture.run("diff", "--stat").output == "d/a  3  ++-\n")
    #expect(fixture.run("diff", "--stat", "--word").status == 2)
  }

  @Test("is an object with --json")
  func json() throws {
    let fixture = try fixture()
    try fixture.write("one\n2\nthree\n", to: "d/a")
    let object = try #require(try fixture.run("diff", "--json").objects().first)
    #expect(object["path"]?.string == "d/a")
    #expect(object["old"]?.string?.utf8.count == 64)
    #expect(object["new"]?.isNull == true)
    #expect(object["insertions"]?.integer == 1)
    #expect(object["diff"]?.string == unified)
  }

  @Test("lets nothing of the content reach a terminal raw, and changes nothing elsewhere")
  func terminal() throws {
    let fixture = try fixture()
    try fixture.write("one\n\u{1b}[31mtwo\tx\nthree\n", to: "d/a")
    #expect(fixture.run("diff").output.contains("+\u{1b}[31mtwo\tx\n"))
    fixture.fake.terminals = [1]
    let output = fixture.run("diff", "--color", "never").output
    #expect(output.contains("+\\x1b[31mtwo\tx\n") && !output.contains("\u{1b}"))
    #expect(fixture.run("diff").output.contains("\u{1b}[32m+\\x1b[31mtwo\tx\u{1b}[0m\n"))
    #expect(fixture.run("diff", "--word").output.contains("\u{1b}[31m[-two-]\u{1b}[0m"))
  }
}
