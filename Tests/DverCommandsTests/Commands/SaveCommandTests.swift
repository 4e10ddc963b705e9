import SystemIO
import TestSupport
import Testing

@testable import DverCommands

@Suite("save and init") struct SaveCommandTests {
  @Test("init makes a store, and says so where there is one")
  func initialize() throws {
    let fixture = try CommandFixture()
    #expect(fixture.run("init", "--device", "laptop").output.hasPrefix("made a store in /"))
    let again = fixture.run("init", "--json")
    #expect(again.status == 0)
    let object = try #require(try again.objects().first)
    #expect(object["isNew"]?.boolean == false)
    #expect(object["device"]?["name"]?.string == "laptop")
  }

  @Test("init makes a missing folder")
  func initializeFolder() throws {
    let fixture = try CommandFixture()
    #expect(fixture.run("init", "x/y").status == 0)
    #expect(fixture.exists("x/y/.dver/dver-remote"))
  }

  @Test(
    "without a store every command says how to make one", arguments: ["save", "status", "log", "conflicts", "stats"])
  func noStore(command: String) throws {
    let fixture = try CommandFixture()
    let result = fixture.run(command)
    #expect(result.status == 3)
    #expect(result.errors.hasPrefix("dver: \(command): no dver repository is at or above \"/"))
    #expect(fixture.run(command, "--json").errors.hasPrefix("{\"error\":{\"code\":\"no-store\","))
  }

  @Test("prints a line a saved document, and nothing where nothing changed")
  func lines() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.write("x", to: "notes/a.md")
    try fixture.write(String(repeating: "y", count: 1234), to: "b.txt")
    let result = fixture.run("save", "-m", "text")
    #expect(result.status == 0)
    #expect(result.lines.count == 2)
    #expect(result.lines[0].hasPrefix("saved  b.txt       ") && result.lines[0].hasSuffix("  1.2 kB"))
    #expect(result.lines[1].hasPrefix("saved  notes/a.md  ") && result.lines[1].hasSuffix("     1 B"))
    let again = fixture.run("save")
    #expect(again.status == 0 && again.output.isEmpty && again.errors == "nothing to save\n")
  }

  @Test("names renames and deletions")
  func renames() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("some text\n", as: "a.txt")
    try fixture.save("other text\n", as: "b.txt")
    try FileSystem.rename(from: fixture.root.appending("a.txt"), to: fixture.root.appending("c.txt"))
    try fixture.remove("b.txt")
    let lines = fixture.run("save").lines
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("deleted  b.txt"))
    #expect(lines[1].hasPrefix("renamed  a.txt -> c.txt"))
  }

  @Test("prints a version object a saved document")
  func objects() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.write("x", to: "a")
    try fixture.write("y", to: "b")
    let objects = try fixture.run("save", "--json", "-m", "m").objects()
    #expect(objects.map { $0["path"]?.string } == ["a", "b"])
    #expect(objects.allSatisfy { $0["state"]?.string == "current" && $0["message"]?.string == "m" })
    #expect(objects.allSatisfy { $0["device"]?["name"]?.string == "laptop" })
  }

  @Test("saves below the current folder, or what is named")
  func targets() throws {
    let fixture = try CommandFixture.initialized()
    for name in ["a", "d/b", "d/c"] { try fixture.write("x" + name, to: name) }
    fixture.folder = fixture.root.appending("d")
    #expect(fixture.run("save", "-z").bytes == Array("d/b\0d/c\0".utf8))
    #expect(fixture.run("save", "../a", "-z").bytes == Array("a\0".utf8))
  }

  @Test("takes standard input for a document's content and leaves the file alone")
  func standardInput() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("one\n", as: "a")
    #expect(fixture.run("save", "--stdin", "a", input: "two\n").status == 0)
    #expect(try fixture.read("a") == "one\n")
    #expect(fixture.run("cat", "a").output == "two\n")
    #expect(fixture.run("save", "--stdin", "a", "b").status == 2)
    #expect(fixture.run("save", "--stdin", ".").status == 2)
  }

  @Test("starts from the versions that are named, else from the file's own")
  func basis() throws {
    let fixture = try CommandFixture.initialized()
    let (base, first, second) = try fixture.makeConflict(isClean: true)
    let objects = try fixture.run("log", "--all", "--json", "a.txt").objects()
    let parents = Dictionary(
      uniqueKeysWithValues: objects.map { ($0["version"]?.string ?? "", $0["parents"]?.elements?.map(\.string)) })
    #expect(parents[first] == [base])
    #expect(parents[second] == [base])
    let merge = try #require(
      try fixture.run("save", "--json", "--stdin", "a.txt", "--based-on", first, "--based-on", second, input: "m")
        .objects().first)
    #expect(Set(merge["parents"]?.elements?.compactMap(\.string) ?? []) == [first, second])
    let separate = try #require(
      try fixture.run("save", "--json", "--stdin", "n", "--based-on", "none", input: "m").objects().first)
    #expect(separate["parents"]?.elements == [])
  }

  @Test("refuses a version of another document, and one that isn't there")
  func foreignBasis() throws {
    let fixture = try CommandFixture.initialized()
    let other = try fixture.save("x", as: "b")
    try fixture.save("y", as: "a")
    try fixture.write("z", to: "a")
    let result = fixture.run("save", "a", "--based-on", other)
    #expect(result.status == 2)
    #expect(result.errors.contains("is no version of \"a\""))
    #expect(fixture.run("save", "a", "--based-on", "0123456789").status == 3)
    #expect(fixture.run("save", "--based-on", "current").status == 2)
  }

  @Test("asks before it records that everything is gone")
  func massDeletion() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("x", as: "a")
    try fixture.remove("a")
    let result = fixture.run("save")
    #expect(result.status == 4)
    #expect(result.errors.contains("--allow-mass-delete"))
    #expect(fixture.run("save", "--allow-mass-delete").output.hasPrefix("deleted  a"))
  }

  @Test(
    "refuses paths outside of the repository and in its store", arguments: ["..", "../x", "/", ".dver", ".dver/x", ""])
  func outside(path: String) throws {
    let fixture = try CommandFixture.initialized()
    let result = fixture.run("save", path)
    #expect(result.status == 2)
    #expect(result.errors.contains("operand PATH: "))
  }

  @Test("names what it leaves out: a pipe is no document")
  func pipe() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.write("x", to: "a")
    _ = try ChildProcess.run(program: FilePath("mkfifo"), arguments: [fixture.root.appending("p").bytes])
    let result = fixture.run("save")
    #expect(result.status == 0)
    #expect(result.errors == "not a document: p\n")
  }
}
