import SystemIO
import TestSupport
import Testing

@testable import DverCommands

@Suite("resolve of a package that merge --markers wrote") struct ResolvePackageTests {
  /// A package with three entries, and two ways in which it went on.
  private func conflict(
    _ base: [String: String], current: [String: String?], other: [String: String?]
  ) throws -> CommandFixture {
    let fixture = try CommandFixture.initialized()
    #expect(fixture.run("config", "packages", "*.pkg").status == 0)
    for (name, text) in base { try fixture.write(text, to: "P.pkg/\(name)") }
    #expect(fixture.run("save").status == 0)
    let start = try #require(try fixture.run("show", "--json", "P.pkg").objects().first?["version"]?.string)
    try change(fixture, other)
    #expect(fixture.run("save", "P.pkg").status == 0)
    for name in other.keys { try change(fixture, [name: base[name]]) }
    try change(fixture, current)
    #expect(fixture.run("save", "P.pkg", "--based-on", start).status == 0)
    #expect(fixture.run("conflicts", "--exit-code").status == 1)
    return fixture
  }

  private func change(_ fixture: CommandFixture, _ entries: [String: String?]) throws {
    for (name, text) in entries {
      if let text { try fixture.write(text, to: "P.pkg/\(name)") } else { try? fixture.remove("P.pkg/\(name)") }
    }
  }

  @Test("A deletion against an edit is left to somebody, on either side", arguments: [false, true])
  func deletedAndEdited(isDeletedInCurrent: Bool) throws {
    let (edit, deletion) = (["a": "edited\n"] as [String: String?], ["a": nil] as [String: String?])
    let fixture = try conflict(
      ["a": "1\n", "b": "2\n"], current: isDeletedInCurrent ? deletion : edit,
      other: isDeletedInCurrent ? edit : deletion)
    #expect(fixture.run("merge", "--markers", "P.pkg").status == 1)
    // What was edited is there, so that somebody sees it.
    #expect(try fixture.read("P.pkg/a") == "edited\n")
    try fixture.write("more\n", to: "P.pkg/b")
    let result = fixture.run("resolve", "P.pkg")
    #expect(result.status == 4, "\(result.errors)")
    #expect(result.errors.contains("nobody has decided about") && result.errors.contains("P.pkg/a"), "\(result.errors)")
    #expect(fixture.run("conflicts", "--exit-code").status == 1)
    // It is decided by another content, by its deletion, or by taking the folder as it is.
    try fixture.remove("P.pkg/a")
    #expect(fixture.run("resolve", "P.pkg").status == 0)
    #expect(!fixture.exists("P.pkg/a"))
    #expect(try fixture.read("P.pkg/b") == "more\n")
    #expect(fixture.run("conflicts", "--exit-code").status == 0)
  }

  @Test("The folder named by --merged is taken as it is")
  func merged() throws {
    let fixture = try conflict(["a": "1\n", "b": "2\n"], current: ["a": nil], other: ["a": "edited\n"])
    #expect(fixture.run("merge", "--markers", "P.pkg").status == 1)
    try fixture.write("more\n", to: "P.pkg/b")
    #expect(fixture.run("resolve", "P.pkg").status == 4)
    #expect(fixture.run("resolve", "P.pkg", "--merged", "P.pkg").status == 0)
    #expect(try fixture.read("P.pkg/a") == "edited\n")
  }

  @Test("Binary contents are left to somebody too; text with its markers taken out is decided")
  func binary() throws {
    let fixture = try conflict(
      ["a": "\0one", "t": "1\n"], current: ["a": "\0two", "t": "2\n"], other: ["a": "\0three", "t": "3\n"])
    let marked = fixture.run("merge", "--markers", "P.pkg")
    #expect(marked.status == 1 && marked.errors.contains("P.pkg: a: both changed it"), "\(marked.errors)")
    #expect(fixture.run("resolve", "P.pkg").errors.contains("conflict markers are left in"))
    try fixture.write("4\n", to: "P.pkg/t")
    let result = fixture.run("resolve", "P.pkg")
    #expect(result.status == 4 && result.errors.contains("nobody has decided about"), "\(result.errors)")
    try fixture.write("\0four", to: "P.pkg/a")
    #expect(fixture.run("resolve", "P.pkg").status == 0)
    #expect(try fixture.read("P.pkg/a") == "\0four" && fixture.read("P.pkg/t") == "4\n")
  }
}

@Suite("Packages with pipes") struct PackagePipeTests {
  @Test("are saved without them, which save and status name; what they have else comes back")
  func pipe() throws {
    let fixture = try CommandFixture.initialized()
    #expect(fixture.run("config", "packages", "*.pkg").status == 0)
    try fixture.write("1", to: "P.pkg/a")
    try FileSystem.makeFolder(at: fixture.root.appending("P.pkg/d"), permissions: 0o755)
    for name in ["P.pkg/p", "P.pkg/d/q"] {
      _ = try ChildProcess.run(program: FilePath("mkfifo"), arguments: [fixture.root.appending(name).bytes])
    }
    let expected = "not a document: P.pkg/d/q\nnot a document: P.pkg/p\n"
    #expect(fixture.run("status").errors == expected)
    let result = fixture.run("save")
    #expect(result.status == 0 && result.errors == expected, "\(result.errors)")
    #expect(fixture.run("log", "--json", "P.pkg").lines.count == 1)
    #expect(fixture.run("status").output.isEmpty)
    let again = fixture.run("save", "P.pkg")
    #expect(
      again.status == 0 && again.errors == "nothing to save\n" + expected && again.output.isEmpty, "\(again.errors)")
    #expect(fixture.run("restore", "P.pkg", "--to", "Q.pkg").status == 0)
    #expect(try fixture.read("Q.pkg/a") == "1")
    #expect(fixture.exists("Q.pkg/d") && !fixture.exists("Q.pkg/p") && !fixture.exists("Q.pkg/d/q"))
  }
}
