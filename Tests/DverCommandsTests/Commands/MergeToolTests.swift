import SystemIO
import TestSupport
import Testing

@testable import DverCommands

@Suite("merge --tool and --markers") struct MergeToolTests {
  @Test("A tool finds both sides, the base and a start with markers, in files with the document's ending")
  func files() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.makeConflict(isClean: false)
    let command = "echo \"$BASE $LOCAL $REMOTE $MERGED\" > names; head -qn 1 $BASE $LOCAL $REMOTE > heads;"
    let result = fixture.run("merge", "a.txt", "--tool", command + "cp \"$MERGED\" start; echo done > \"$MERGED\"")
    #expect(result.status == 0, "\(result.errors)")
    let names = try fixture.read("names").split(whereSeparator: \.isWhitespace)
    #expect(names.count == 4 && names.allSatisfy { $0.hasSuffix("-a.txt") && !fixture.exists(String($0)) })
    #expect(try fixture.read("heads") == "1\nONE\none\n")
    #expect(try fixture.read("start").hasPrefix("<<<<<<< current "))
    #expect(try fixture.read("a.txt") == "done\n")
    let made = try #require(try fixture.run("log", "-n", "1", "--json", "a.txt").objects().first)
    #expect(made["origin"]?.string == "resolve")
  }

  @Test(
    "A tool that fails, changes nothing or leaves markers settles nothing",
    arguments: [
      ("exit 1", 1, "2 versions conflict"), ("true", 4, "the merge tool changed nothing in"),
      ("echo more >> \"$MERGED\"", 4, "the merge tool left conflict markers in"),
      ("no-such-program-here", 4, "the merge tool can't be run"),
      ("rm \"$MERGED\"", 4, "the merge tool removed its result for \"a.txt\""),
      ("echo secret > s; ln -sf \"$PWD/s\" \"$MERGED\"", 4, "the merge tool left no file as its result for \"a.txt\""),
      ("rm \"$MERGED\"; mkfifo \"$MERGED\"", 4, "the merge tool left no file as its result for \"a.txt\""),
    ] as [(String, Int32, String)])
  func unsettled(command: String, status: Int32, message: String) throws {
    let fixture = try CommandFixture.initialized()
    try fixture.makeConflict(isClean: false)
    let before = try fixture.read("a.txt")
    let result = fixture.run("merge", "a.txt", "--tool", command)
    #expect(result.status == status && result.errors.contains(message), "\(result.errors)")
    #expect(try fixture.read("a.txt") == before)
    #expect(fixture.run("conflicts", "--exit-code").status == 1)
  }

  @Test("Names as long as a volume allows are shortened for the tool, with their ending")
  func longNames() throws {
    let fixture = try CommandFixture.initialized()
    let name = String(repeating: "\u{E4}", count: 125) + ".html"
    let base = try fixture.save("1\n", as: name)
    try fixture.save("one\n", as: name)
    try fixture.saveAside("ONE\n", as: name, basedOn: base)
    let command = "echo \"$BASE $LOCAL $REMOTE $MERGED\" > names; cat \"$LOCAL\" \"$REMOTE\" > \"$MERGED\""
    let result = fixture.run("merge", name, "--tool", command)
    #expect(result.status == 0, "\(result.errors)")
    let names = try fixture.read("names").split(whereSeparator: \.isWhitespace).compactMap {
      $0.split(separator: "/").last
    }
    #expect(names.count == 4 && Set(names).count == 4)
    #expect(names.allSatisfy { $0.hasSuffix("\u{E4}.html") && $0.utf8.count <= 255 && $0.contains("-\u{E4}") })
    #expect(try fixture.read(name) == "ONE\none\n")
  }

  @Test("Where a binary file is as it was, somebody is asked whether that is the merge", arguments: ["y", "n", ""])
  func unchanged(answer: String) throws {
    let fixture = try CommandFixture.initialized()
    let base = try fixture.save("\0base", as: "a")
    try fixture.save("\0one", as: "a")
    try fixture.saveAside("\0two", as: "a", basedOn: base)
    #expect(fixture.run("merge", "a", "--tool", "true", input: "y\n").status == 4)
    fixture.fake.terminals = [0]
    let result = fixture.run("merge", "a", "--tool", "true", input: answer.isEmpty ? "" : "what\n\(answer)\n")
    #expect(result.output.contains("a is as it was. Is it the merge? [y/n] "))
    #expect(result.status == (answer == "y" ? 0 : 1))
    #expect(fixture.run("conflicts", "--exit-code").status == (answer == "y" ? 0 : 1))
  }

  @Test("A tool is not started over unsaved changes, nor for what it can't merge")
  func refused() throws {
    let fixture = try CommandFixture.initialized()
    let (base, _, _) = try fixture.makeConflict(isClean: false)
    try fixture.write("edited", to: "a.txt")
    #expect(fixture.run("merge", "a.txt", "--tool", "touch started; false").status == 4)
    #expect(!fixture.exists("started"))
    try fixture.save("x", as: "b")
    _ = base
    let first = try fixture.save("1", as: "c")
    try fixture.save("2", as: "c")
    #expect(fixture.run("rm", "c", "--based-on", first).status == 0)
    let result = fixture.run("merge", "c", "--tool", "touch started")
    #expect(result.status == 4 && result.errors.contains("the other version deleted it"))
    #expect(!fixture.exists("started"))
  }

  @Test("The tool of the settings is a known name, never a command")
  func configured() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.makeConflict(isClean: false)
    #expect(fixture.run("merge", "a.txt", "--with-tool").errors.contains("no tool is set"))
    let refused = fixture.run("config", "merge.tool", "touch x")
    #expect(refused.status == 2 && refused.errors.contains("meld, kdiff3, vimdiff, nvim, code"))
    #expect(fixture.run("config", "merge.tool", "meld").status == 0)
    #expect(fixture.run("config", "merge.tool").output == "meld\n")
    #expect(fixture.run("merge", "a.txt", "--with-tool", "--tool", "x").status == 2)
    #expect(fixture.run("merge", "a.txt", "--with-tool", "--markers").status == 2)
    #expect(fixture.run("config", "--unset", "merge.tool").status == 0)
  }

  @Test("After --markers a plain resolve takes the edited file, but not with markers unless told")
  func plainResolve() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.makeConflict(isClean: false)
    #expect(fixture.run("resolve", "a.txt").status == 2)
    #expect(fixture.run("merge", "a.txt", "--markers").status == 1)
    for words in [["resolve", "a.txt"], ["resolve", "a.txt", "--merged", "a.txt"]] {
      let result = fixture.run(words.map { Array($0.utf8) })
      #expect(result.status == 4 && result.errors.contains("conflict markers are left in"), "\(result.errors)")
    }
    #expect(fixture.run("conflicts", "--exit-code").status == 1)
    let text = try fixture.read("a.txt").split(separator: "\n").filter { !$0.hasPrefix("<<<") && !$0.hasPrefix(">>>") }
    try fixture.write(text.joined(separator: "\n"), to: "a.txt")
    #expect(fixture.run("resolve", "a.txt").status == 0)
    #expect(try fixture.read("a.txt").hasPrefix("ONE\n=======\none\n2\n"))
    #expect(fixture.run("conflicts", "--exit-code").status == 0)
  }

  @Test("Lines that look like markers in the document are none (BR-121)")
  func lookalikes() throws {
    let fixture = try CommandFixture.initialized()
    let example = "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"
    let base = try fixture.save(example + "1\n", as: "d.md")
    try fixture.save(example + "one\n", as: "d.md")
    try fixture.saveAside(example + "ONE\n", as: "d.md", basedOn: base)
    #expect(fixture.run("merge", "--markers", "d.md").status == 1)
    #expect(try fixture.read("d.md").hasPrefix(example + "<<<<<<<< current "))
    #expect(fixture.run("resolve", "d.md").status == 4)
    try fixture.write(example + "both\n", to: "d.md")
    #expect(fixture.run("resolve", "d.md").status == 0)
    #expect(try fixture.read("d.md") == example + "both\n")
    let again = try fixture.save(example + "2\n", as: "d.md")
    try fixture.save(example + "two\n", as: "d.md")
    try fixture.saveAside(example + "TWO\n", as: "d.md", basedOn: again)
    #expect(fixture.run("merge", "--markers", "d.md").status == 1)
    #expect(fixture.run("resolve", "d.md", "--allow-markers").status == 0)
    #expect(try fixture.read("d.md").contains("\n======== \n") || fixture.read("d.md").contains("\n========\n"))
  }

  @Test("A merge with three sides is refused with a clear line")
  func threeSides() throws {
    let fixture = try CommandFixture.initialized()
    let (base, _, _) = try fixture.makeConflict(isClean: false)
    try fixture.saveAside("three\n", as: "a.txt", basedOn: base)
    for words in [["merge", "--markers", "a.txt"], ["merge", "--tool", "true", "a.txt"], ["resolve", "-i", "a.txt"]] {
      let result = fixture.run(words.map { Array($0.utf8) })
      #expect(result.status == 4 && result.errors.contains("more or less than two sides"), "\(words) \(result.errors)")
    }
    #expect(fixture.run("conflicts", "--diff").lines.filter { $0.hasPrefix("+++ conflict ") }.count == 2)
  }
}
