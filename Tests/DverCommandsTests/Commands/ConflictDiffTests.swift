import SystemIO
import TestSupport
import Testing

@testable import DverCommands

@Suite("conflicts --diff") struct ConflictDiffTests {
  @Test("shows what each side made of the common version, with every line of ours in 80 columns")
  func sides() throws {
    let fixture = try CommandFixture.initialized()
    let (base, first, second) = try fixture.makeConflict(isClean: false)
    let result = fixture.run("conflicts", "--diff", "--exit-code")
    #expect(result.status == 1)
    let lines = result.lines
    #expect(lines[0] == "a.txt" && lines.allSatisfy { $0.count <= 80 })
    #expect(lines.contains { $0.hasPrefix("--- base \(base.prefix(8)) laptop") })
    #expect(lines.contains { $0.hasPrefix("+++ current \(second.prefix(8)) laptop") })
    #expect(lines.contains { $0.hasPrefix("+++ conflict \(first.prefix(8)) laptop") })
    #expect(lines.filter { $0 == "-1" }.count == 2)
    #expect(lines.contains("+ONE") && lines.contains("+one"))
    let object = try #require(try fixture.run("conflicts", "--diff", "--json").objects().first)
    #expect(object["base"]?.string == base && object["commonVersions"]?.integer == 1)
    let part = try #require(object["parts"]?.elements?.first)
    #expect(part["entry"]?.isNull == true && part["reason"]?.string == "both-changed")
    #expect(part["currentDiff"]?.string?.contains("-1\n+ONE\n") == true)
    #expect(part["conflictDiff"]?.string?.contains("-1\n+one\n") == true)
    #expect(fixture.run("conflicts", "--diff", "-z").status == 2)
  }

  @Test("compares the two where there is no common version (BR-076)")
  func noBase() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("one\n", as: "n")
    try fixture.saveAside("two\n", as: "n", basedOn: "none")
    let result = fixture.run("conflicts", "--diff", "n")
    #expect(result.lines.contains("    no common version"))
    #expect(result.lines.filter { $0.hasPrefix("--- ") }.count == 1)
    #expect(result.lines.contains("-two") && result.lines.contains("+one"))
    let object = try #require(try fixture.run("conflicts", "--diff", "--json").objects().first)
    #expect(object["base"]?.isNull == true && object["commonVersions"]?.integer == 0)
    #expect(object["parts"]?.elements?.first?["currentDiff"]?.isNull == true)
  }

  @Test("tells of binary files, deletions and fields")
  func others() throws {
    let fixture = try CommandFixture.initialized()
    let base = try fixture.save("\0base", as: "a")
    try fixture.save("\0one", as: "a")
    try fixture.saveAside("\0two!", as: "a", basedOn: base)
    let binary = fixture.run("conflicts", "--diff", "a").lines
    #expect(
      binary.contains { $0.hasPrefix("  base \(base.prefix(8)) laptop and current ") && $0.hasSuffix(": 5 B and 5 B") })
    let first = try fixture.save("one\n", as: "b")
    try fixture.save("two\n", as: "b")
    #expect(fixture.run("rm", "b", "--based-on", first).status == 0)
    let deleted = fixture.run("conflicts", "--diff", "b").lines
    #expect(deleted.contains("  the other version deleted it, the current one changed it"))
    #expect(deleted.contains("+two"))
  }

  @Test("shows of a package the entries in conflict")
  func package() throws {
    let fixture = try CommandFixture.initialized()
    #expect(fixture.run("config", "packages", "*.rtfd").status == 0)
    func save(_ text: String, _ info: String, _ options: String...) throws {
      try fixture.write(text, to: "N.rtfd/TXT.rtf")
      try fixture.write(info, to: "N.rtfd/info")
      #expect(fixture.run((["save", "N.rtfd"] + options).map { Array($0.utf8) }).status == 0)
    }
    try save("1\n2\n3\n", "i\n")
    let base = try #require(try fixture.run("log", "--json", "N.rtfd").objects().first?["version"]?.string)
    try save("one\n2\n3\n", "i\n")
    try save("ONE\n2\n3\n", "other\n", "--based-on", base)
    let lines = fixture.run("conflicts", "--diff").lines
    #expect(lines.contains("  TXT.rtf: both changed it"))
    #expect(lines.contains("+one") && lines.contains("+ONE") && !lines.contains("+other"))
    let object = try #require(try fixture.run("conflicts", "--diff", "--json").objects().first)
    #expect(object["parts"]?.elements?.compactMap { $0["entry"]?.string } == ["TXT.rtf"])

    // Markers in the entry, the rest merged.
    let result = fixture.run("merge", "--markers", "N.rtfd")
    #expect(result.status == 1 && result.errors.contains("N.rtfd: TXT.rtf: both changed it\n"))
    #expect(try fixture.read("N.rtfd/TXT.rtf").hasPrefix("<<<<<<< current "))
    #expect(try fixture.read("N.rtfd/info") == "other\n")
    #expect(fixture.run("resolve", "N.rtfd").errors.contains("N.rtfd/TXT.rtf\""))
    try fixture.write("both\n", to: "N.rtfd/TXT.rtf")
    #expect(fixture.run("resolve", "N.rtfd").status == 0)
    #expect(fixture.run("conflicts", "--exit-code").status == 0 && fixture.run("status").output.isEmpty)
    #expect(try fixture.read("N.rtfd/TXT.rtf") == "both\n")
    #expect(fixture.run("verify").status == 0)
  }

  @Test("A tool and questions go through the entries of a package in conflict")
  func packageByHand() throws {
    let fixture = try CommandFixture.initialized()
    #expect(fixture.run("config", "packages", "*.rtfd").status == 0)
    func save(_ texts: [String], _ options: String...) throws {
      for (name, text) in zip(["a.txt", "b.txt", "c.txt"], texts) { try fixture.write(text, to: "N.rtfd/\(name)") }
      #expect(fixture.run((["save", "N.rtfd"] + options).map { Array($0.utf8) }).status == 0)
    }
    try save(["1\n", "2\n", "3\n"])
    let base = try #require(try fixture.run("log", "--json", "N.rtfd").objects().first?["version"]?.string)
    try save(["one\n", "two\n", "3\n"])
    try save(["ONE\n", "TWO\n", "THREE\n"], "--based-on", base)
    let command = "cat \"$LOCAL\" \"$REMOTE\" | sort > \"$MERGED\""
    let result = fixture.run("merge", "N.rtfd", "--tool", command)
    #expect(result.status == 0 && result.errors.contains("N.rtfd: b.txt, 2 of 2\n"), "\(result.errors)")
    #expect(try fixture.read("N.rtfd/a.txt") == "ONE\none\n" && fixture.read("N.rtfd/c.txt") == "THREE\n")
    #expect(fixture.run("undo").status == 0)
    #expect(try fixture.read("N.rtfd/a.txt") != "ONE\none\n")
    let asked = fixture.run("resolve", "-i", "N.rtfd", input: "t\no\n")
    #expect(asked.status == 0 && asked.output.contains("N.rtfd: b.txt: conflict 2 of 2, line 1\n"))
    #expect(try ["a.txt", "b.txt", "c.txt"].map { try fixture.read("N.rtfd/" + $0) } == ["one\n", "TWO\n", "THREE\n"])
    #expect(fixture.run("status").output.isEmpty)
  }
}
