import SystemIO
import TestSupport
import Testing

@testable import DverCommands

@Suite("conflicts, resolve, merge and remove") struct ConflictCommandTests {
  @Test("conflicts lists the versions in conflict with the current one")
  func conflicts() throws {
    let fixture = try CommandFixture.initialized()
    #expect(fixture.run("conflicts", "--exit-code").status == 0)
    let (_, first, second) = try fixture.makeConflict(isClean: false)
    let result = fixture.run("conflicts", "--exit-code")
    #expect(result.status == 1)
    #expect(result.lines.count == 3 && result.lines[0] == "a.txt")
    #expect(result.lines[1].hasPrefix("    current   \(second.prefix(8))  2026-11-30 "))
    #expect(result.lines[2].hasPrefix("    conflict  \(first.prefix(8))  2026-11-30 "))
    let object = try #require(try fixture.run("conflicts", "--json").objects().first)
    #expect(object["version"]?.string == first)
    #expect(object["current"]?.string == second)
    #expect(object["state"]?.string == "conflict" && object["isConflict"]?.boolean == true)
    #expect(fixture.run("conflicts", "-z").bytes == Array("a.txt\0".utf8))
    #expect(fixture.run("conflicts").status == 0)
    #expect(fixture.run("status").output.contains("conflict"))
  }

  @Test(
    "resolve makes what is chosen current, with all heads as parents",
    arguments: [
      (["--current"], "ONE"), (["--newest"], "ONE"), (["--use", "FIRST"], "one"), (["--merged", "m"], "mine"),
    ])
  func resolve(options: [String], line: String) throws {
    let fixture = try CommandFixture.initialized()
    let (_, first, second) = try fixture.makeConflict(isClean: false)
    try fixture.write("mine\n", to: "m")
    let words = ["resolve", "--json", "a.txt", "-m", "why"] + options.map { $0 == "FIRST" ? first : $0 }
    let object = try #require(try fixture.run(words.map { Array($0.utf8) }).objects().first)
    #expect(Set(object["parents"]?.elements?.compactMap(\.string) ?? []) == [first, second])
    #expect(object["origin"]?.string == "resolve" && object["message"]?.string == "why")
    #expect(try fixture.read("a.txt").hasPrefix(line + "\n"))
    #expect(fixture.run("conflicts", "--exit-code").status == 0)
  }

  @Test("resolve --both keeps the other as a document beside it")
  func both() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.makeConflict(isClean: false)
    let objects = try fixture.run("resolve", "--both", "--json", "a.txt").objects()
    #expect(objects.count == 2)
    let other = try #require(objects.compactMap { $0["path"]?.string }.first { $0 != "a.txt" })
    #expect(other.hasPrefix("a~") && other.hasSuffix(".txt"))
    #expect(try fixture.read(other).hasPrefix("one\n"))
    #expect(try fixture.read("a.txt").hasPrefix("ONE\n"))
  }

  @Test("two sentences of one line merge where the setting says so, and JSON by its structure without it")
  func granularity() throws {
    let fixture = try CommandFixture.initialized()
    let base = try fixture.save("One is here. Two of them are there. Three.", as: "a.txt")
    try fixture.save("One was here. Two of them are there. Three.", as: "a.txt")
    _ = try fixture.saveAside("One is here. Two of them are there. Four.", as: "a.txt", basedOn: base)
    #expect(fixture.run("merge", "a.txt").status == 1)
    #expect(fixture.run("config", "merge.granularity", "word").status == 0)
    #expect(fixture.run("merge", "a.txt").status == 0)
    #expect(try fixture.read("a.txt") == "One was here. Two of them are there. Four.")

    let values = try fixture.save("{\"a\": 1, \"b\": 1}", as: "b.json")
    try fixture.save("{\"a\": 2, \"b\": 1}", as: "b.json")
    _ = try fixture.saveAside("{\"a\": 1, \"b\": 2}", as: "b.json", basedOn: values)
    #expect(fixture.run("merge", "b.json").status == 0)
    #expect(try fixture.read("b.json") == "{\"a\": 2, \"b\": 2}")
  }

  @Test("resolve refuses unsaved changes, unless they are the merge")
  func unsaved() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.makeConflict(isClean: false)
    try fixture.write("mine\n", to: "a.txt")
    #expect(fixture.run("resolve", "a.txt", "--current").status == 4)
    #expect(fixture.run("resolve", "a.txt", "--merged", "a.txt").status == 0)
    #expect(fixture.run("cat", "a.txt").output == "mine\n")
  }

  @Test("resolve needs exactly one choice, and a conflict")
  func usage() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("x", as: "a")
    #expect(fixture.run("resolve", "a").status == 2)
    #expect(fixture.run("resolve", "a", "--current", "--both").status == 2)
    #expect(fixture.run("resolve", "a", "b", "--merged", "m").status == 2)
    #expect(fixture.run("resolve", "a", "--current").status == 4)
    #expect(fixture.run("resolve", "nothing", "--current").status == 3)
  }

  @Test("merge makes the automatic merge where it is clean")
  func cleanMerge() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.makeConflict(isClean: true)
    let object = try #require(try fixture.run("merge", "--json", "a.txt").objects().first)
    #expect(object["device"]?.isNull == true && object["origin"]?.string == "merge")
    #expect(try fixture.read("a.txt") == "one\n2\n3\n4\n5\n6\n7\n8\nnine\n")
    #expect(fixture.run("merge", "a.txt").errors == "nothing to merge at a.txt\n")
  }

  @Test("merge leaves a conflict with status 1, and writes markers where they are asked for")
  func markers() throws {
    let fixture = try CommandFixture.initialized()
    let (_, first, second) = try fixture.makeConflict(isClean: false)
    #expect(fixture.run("merge", "a.txt").status == 1)
    #expect(try fixture.read("a.txt").hasPrefix("one\n2\n"))
    let result = fixture.run("merge", "a.txt", "--markers")
    #expect(result.status == 1)
    #expect(result.errors.contains("2 versions conflict at \"a.txt\""))
    #expect(
      try fixture.read("a.txt").hasPrefix(
        "<<<<<<< current \(second.prefix(8)) laptop\nONE\n=======\none\n>>>>>>> conflict \(first.prefix(8)) laptop\n2\n"
      ))
    #expect(fixture.run("merge", "a.txt", "--markers").status == 4)
  }

  @Test("merge runs a tool on three files, and takes what it wrote")
  func tool() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.makeConflict(isClean: false)
    #expect(fixture.run("merge", "a.txt", "--tool", "false").status == 1)
    let command = "head -n 1 \"$BASE\" \"$LOCAL\" \"$REMOTE\" | grep -v '^==>' > \"$MERGED\""
    let result = fixture.run("merge", "a.txt", "--tool", command)
    #expect(result.status == 0)
    #expect(try fixture.read("a.txt").split(separator: "\n") == ["1", "ONE", "one"])
  }

  @Test("remove gives up a version, after telling which")
  func remove() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("one", as: "a")
    try fixture.save("two", as: "a")
    let dry = fixture.run("remove", "--dry-run", "a@~1")
    #expect(dry.output.hasPrefix("would remove  a  "))
    #expect(fixture.run("cat", "a@~1").status == 0)
    #expect(fixture.run("remove", "a@~1").output.hasPrefix("removed  a  "))
    let refused = fixture.run("cat", "a@~1", "--json")
    #expect(refused.status == 4)
    #expect(refused.errors.contains("removed-version"))
    #expect(fixture.run("restore", "a@~1").status == 4)
    #expect(fixture.run("log", "--all", "--json", "a").output.contains("\"state\":\"removed\""))
    fixture.run("undo")
    #expect(fixture.run("cat", "a@~1").output == "one")
    #expect(fixture.run("remove", "a@current").status == 4)
    #expect(fixture.run("remove", "a").status == 2)
  }

  @Test("remove-other keeps one version")
  func removeOther() throws {
    let fixture = try CommandFixture.initialized()
    let (base, first, second) = try fixture.makeConflict(isClean: false)
    let removed = try fixture.run("remove-other", "--json", "a.txt", "--keep", first).objects()
    #expect(Set(removed.compactMap { $0["version"]?.string }) == [base, second])
    #expect(removed.allSatisfy { $0["state"]?.string == "removed" })
    #expect(try fixture.read("a.txt").hasPrefix("one\n"))
    #expect(fixture.run("conflicts", "--exit-code").status == 0)
  }
}

@Suite("isResolved") struct SettledVersionTests {
  private func settled(_ fixture: CommandFixture) throws -> [String] {
    try fixture.run("log", "--all", "--json", "a.txt").objects().filter { $0["isResolved"]?.boolean == true }
      .compactMap { $0["version"]?.string }
  }

  @Test("is true of a conflict version that a resolution or a merge settled, until that is taken back")
  func resolved() throws {
    let fixture = try CommandFixture.initialized()
    let (_, first, second) = try fixture.makeConflict(isClean: false)
    #expect(try settled(fixture) == [])
    #expect(fixture.run("resolve", "--current", "a.txt").status == 0)
    #expect(try settled(fixture) == [first])
    let shown = try #require(try fixture.run("show", "--json", "a.txt@\(first.prefix(12))").objects().first)
    #expect(shown["isResolved"]?.boolean == true && shown["isConflict"]?.boolean == false)
    #expect(fixture.run("undo").status == 0)
    #expect(try settled(fixture) == [])
    #expect(fixture.run("resolve", "--use", first, "a.txt").status == 0)
    #expect(try settled(fixture) == [second])
  }

  @Test("is false of what was never in conflict, and of equal versions")
  func never() throws {
    let fixture = try CommandFixture.initialized()
    let base = try fixture.save("1", as: "a.txt")
    try fixture.save("2", as: "a.txt")
    try fixture.saveAside("2", as: "a.txt", basedOn: base)
    try fixture.save("3", as: "a.txt")
    #expect(try settled(fixture) == [])
  }
}

@Suite("restore of a missing file") struct RestoreMissingTests {
  @Test("says that the file was put back, and that nothing was to do where it is there")
  func missing() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("one", as: "a")
    try fixture.remove("a")
    let result = fixture.run("restore", "a")
    #expect(result.status == 0 && result.errors == "put a back: no new version is needed\n")
    #expect(try fixture.read("a") == "one")
    #expect(fixture.run("restore", "a").errors == "nothing to restore: the file is as that version\n")
    #expect(try fixture.run("log", "--json").objects().count == 1)
  }
}
