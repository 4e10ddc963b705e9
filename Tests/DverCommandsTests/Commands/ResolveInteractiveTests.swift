import SystemIO
import TestSupport
import Testing

@testable import DverCommands

@Suite("resolve --interactive") struct ResolveInteractiveTests {
  /// Three places in conflict, and one that only the other side changed.
  private func fixture() throws -> CommandFixture {
    let fixture = try CommandFixture.initialized()
    func text(_ mark: String, _ words: [Int: String]) -> String {
      (1...30).map { (words[$0] ?? "line \($0)") + "\n" }.joined()
    }
    let base = try fixture.save(text("", [:]), as: "a.txt")
    try fixture.save(text("A", [3: "three A", 15: "fifteen A", 27: "twentyseven A"]), as: "a.txt")
    try fixture.saveAside(
      text("B", [3: "three B", 15: "fifteen B", 22: "twentytwo B", 27: "twentyseven B"]), as: "a.txt", basedOn: base)
    return fixture
  }

  private func lines(_ fixture: CommandFixture) throws -> [String] {
    try fixture.read("a.txt").split(separator: "\n").map(String.init)
  }

  @Test("asks about each place and makes one version when all are decided")
  func decided() throws {
    let fixture = try fixture()
    let heads = try fixture.run("conflicts", "--json").objects().flatMap { [$0["version"], $0["current"]] }
    let result = fixture.run("resolve", "-i", "a.txt", "-m", "by hand", input: "o\ntheirs\n B \n")
    #expect(result.status == 0, "\(result.errors)")
    // The side saved last is the current version: ours.
    let lines = try lines(fixture)
    #expect(lines[2] == "three B" && lines[14] == "fifteen A" && lines[21] == "twentytwo B")
    #expect(lines[26...27] == ["twentyseven B", "twentyseven A"] && lines.count == 31)
    #expect(result.output.contains("\na.txt: conflict 1 of 3, line 3\n    line 1\n    line 2\n  ours (current "))
    #expect(result.output.contains("\n  + three B\n  base\n  - line 3\n  theirs (conflict "))
    #expect(result.output.contains("[3/3] Take (o)urs, (t)heirs, (b)oth, b(a)se, (e)dit, (s)kip, (q)uit, (?) "))
    #expect(result.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(fixture.run("conflicts", "--exit-code").status == 0)
    let made = try #require(try fixture.run("log", "-n", "1", "--json", "a.txt").objects().first)
    #expect(made["message"]?.string == "by hand" && made["origin"]?.string == "resolve")
    #expect(Set(made["parents"]?.elements?.compactMap(\.string) ?? []) == Set(heads.compactMap { $0?.string }))
    #expect(fixture.run("undo").status == 0)
    #expect(fixture.run("conflicts", "--exit-code").status == 1)
  }

  @Test(
    "changes nothing where something is left open",
    arguments: ["q\n", "o\no\nq\n", "o\nt\n", "", "s\ns\ns\n", "o\ns\ns\ns\ns\n", "o\nt\nquit\n", "nonsense\n"])
  func leftOpen(input: String) throws {
    let fixture = try fixture()
    let before = (try fixture.read("a.txt"), fixture.run("log", "--all", "--json", "a.txt").output)
    let result = fixture.run("resolve", "--interactive", "a.txt", input: input)
    #expect(result.status == 1)
    #expect(result.errors.contains("undecided, nothing was changed at \"a.txt\""))
    #expect(try fixture.read("a.txt") == before.0)
    #expect(fixture.run("log", "--all", "--json", "a.txt").output == before.1)
    #expect(fixture.run("conflicts", "--exit-code").status == 1)
  }

  @Test("comes back to what was skipped, and helps")
  func skipped() throws {
    let fixture = try fixture()
    let result = fixture.run("resolve", "-i", "a.txt", input: "s\n?\na\nwhat\nt\nt\n")
    #expect(result.status == 0)
    #expect(result.output.contains("1 of 3 were skipped, here they are again"))
    #expect(result.output.components(of: "  q  quit: leave everything as it was") == 2)
    let lines = try lines(fixture)
    #expect(lines[2] == "three A" && lines[14] == "line 15" && lines[26] == "twentyseven A")
  }

  @Test("takes what an editor makes of it, and asks again where markers are left, nothing is changed or it fails")
  func edited() throws {
    let fixture = try fixture()
    fixture.fake.environment["EDITOR"] = "false"
    #expect(fixture.run("resolve", "-i", "a.txt", input: "e\nq\n").output.contains("Nothing was changed."))
    fixture.fake.environment["VISUAL"] = "true"
    #expect(fixture.run("resolve", "-i", "a.txt", input: "e\nq\n").output.contains("Nothing was changed."))
    fixture.fake.environment["VISUAL"] = "sed -i s/three/3/"
    #expect(fixture.run("resolve", "-i", "a.txt", input: "e\nq\n").output.contains("Conflict markers are left in it."))
    fixture.fake.environment["VISUAL"] = "sed -i -e '/^[<|=>]/d;s/^line.*/more/'"
    #expect(fixture.run("resolve", "-i", "a.txt", input: "e\no\no\n").status == 0)
    #expect(try lines(fixture)[1...4] == ["line 2", "three B", "more", "three A"])
  }

  @Test("gives a file with an ending to the editor, and no traces stay")
  func editorFile() throws {
    let fixture = try fixture()
    fixture.fake.environment["TMPDIR"] = fixture.directory.path.description
    fixture.fake.environment["EDITOR"] = "sh -c 'echo \"$0\" > \"$0\"'"
    #expect(fixture.run("resolve", "-i", "a.txt", input: "e\no\no\n").status == 0)
    #expect(try lines(fixture)[2].hasSuffix("/conflict-a.txt"))
    #expect(try FileSystem.list(fixture.directory.path).count == 1)
  }

  @Test("keeps whole blocks together: both of two additions with a common end have it twice (BR-113)")
  func commonTail() throws {
    let fixture = try CommandFixture.initialized()
    let start = "[room 1]\nopen\nclose\n"
    let base = try fixture.save(start, as: "a")
    try fixture.save(start + "[room 2]\nopen\n two\nclose\n", as: "a")
    try fixture.saveAside(start + "[room 3]\nopen\n three\nclose\n", as: "a", basedOn: base)
    #expect(fixture.run("resolve", "-i", "a", input: "b\n").status == 0)
    #expect(try fixture.read("a") == start + "[room 3]\nopen\n three\nclose\n[room 2]\nopen\n two\nclose\n")
  }

  @Test(
    "is exact in line ends",
    arguments: [
      ("o\n", "top\r\nlast B"), ("t\n", "top\r\nlast A"), ("a\n", "top\r\nlast"), ("b\n", "top\r\nlast B\r\nlast A"),
    ])
  func lineEnds(input: String, expected: String) throws {
    let fixture = try CommandFixture.initialized()
    let base = try fixture.save("top\r\nlast", as: "a")
    try fixture.save("top\r\nlast A", as: "a")
    try fixture.saveAside("top\r\nlast B", as: "a", basedOn: base)
    #expect(fixture.run("resolve", "-i", "a", input: input).status == 0)
    #expect(try fixture.read("a") == expected)
  }

  @Test("asks once about what is no text, and about a deletion")
  func whole() throws {
    let fixture = try CommandFixture.initialized()
    let base = try fixture.save("\0base", as: "a")
    try fixture.save("\0one", as: "a")
    try fixture.saveAside("\0two!", as: "a", basedOn: base)
    let result = fixture.run("resolve", "-i", "a", input: "b\nt\n")
    #expect(result.status == 0)
    #expect(result.output.contains("  both changed it\n  ours    5 B  (current "))
    #expect(result.output.components(of: "Take (o)urs, (t)heirs, b(a)se, (s)kip, (q)uit, (?)") == 2)
    #expect(try fixture.read("a") == "\0one")
    let first = try fixture.save("one", as: "b")
    try fixture.save("two", as: "b")
    #expect(fixture.run("rm", "b", "--based-on", first).status == 0)
    #expect(fixture.run("resolve", "-i", "b", input: "q\n").output.contains("theirs  nothing"))
    #expect(fixture.run("resolve", "-i", "b", input: "t\n").status == 0)
    #expect(!fixture.exists("b") && fixture.run("conflicts", "--exit-code").status == 0)
  }

  @Test("asks about two different renames, and merges the contents")
  func renames() throws {
    let fixture = try CommandFixture.initialized()
    let (base, _, _) = try fixture.makeConflict(isClean: true)
    #expect(fixture.run("merge", "a.txt").status == 0)
    _ = base
    let merged = try #require(try fixture.run("log", "-n", "1", "--json", "a.txt").objects().first?["version"]?.string)
    #expect(fixture.run("mv", "a.txt", "b.txt").status == 0)
    try fixture.write("aside", to: "x")
    #expect(fixture.run("mv", "b.txt", "c.txt", "--based-on", merged).status == 0)
    let path = try #require(try fixture.run("conflicts", "--json").objects().first).string("path") ?? ""
    #expect(["b.txt", "c.txt"].contains(path))
    let current = fixture.run("conflicts").lines[0]
    let result = fixture.run("resolve", "-i", current, input: "t\n")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("  theirs  "))
    #expect(fixture.exists("b.txt") != fixture.exists("c.txt"))
    #expect(!fixture.exists(current))
  }

  @Test("refuses unsaved changes and --json, and needs a conflict")
  func refused() throws {
    let fixture = try fixture()
    #expect(fixture.run("resolve", "-i", "a.txt", "--json", input: "o\n").status == 2)
    #expect(fixture.run("resolve", "-i", "--current", "a.txt").status == 2)
    try fixture.write("edited", to: "a.txt")
    let result = fixture.run("resolve", "-i", "a.txt", input: "o\no\no\n")
    #expect(result.status == 4 && result.output.isEmpty)
    try fixture.save("x", as: "b")
    #expect(fixture.run("resolve", "-i", "b", input: "o\n").status == 4)
  }
}

extension String {
  /// How often a text is in this one.
  fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}

extension JSONValue {
  fileprivate func string(_ key: String) -> String? { self[key]?.string }
}
