import SystemIO
import TestSupport
import Testing

@testable import DverCommands

@Suite("restore, mv, rm and undo") struct ChangeCommandTests {
  @Test("restore brings a version back as a new one")
  func restore() throws {
    let fixture = try CommandFixture.initialized()
    let first = try fixture.save("one", as: "a")
    try fixture.save("two", as: "a")
    let object = try #require(try fixture.run("restore", "--json", "a@~1").objects().first)
    #expect(object["origin"]?.string == "restore")
    #expect(object["state"]?.string == "current")
    #expect(try fixture.read("a") == "one")
    #expect(fixture.run("log", "a").lines.count == 3)
    #expect(fixture.run("restore", "a@\(first)").errors == "nothing to restore: the file is as that version\n")
  }

  @Test("restore leaves unsaved changes alone")
  func unsavedChanges() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("one", as: "a")
    try fixture.save("two", as: "a")
    try fixture.write("mine", to: "a")
    let result = fixture.run("restore", "a@~1")
    #expect(result.status == 4)
    #expect(result.errors.hasPrefix("dver: restore: unsaved changes in \"a\": "))
    #expect(try fixture.read("a") == "mine")
    #expect(fixture.run("restore", "--json", "a@~1").errors.contains("\"code\":\"unsaved-changes\""))
  }

  @Test("restore brings a deleted document back, and a missing file")
  func deleted() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("one", as: "a")
    fixture.run("rm", "a")
    #expect(fixture.run("restore", "a").status == 0)
    #expect(try fixture.read("a") == "one")
    try fixture.remove("a")
    #expect(fixture.run("restore", "a").status == 0)
    #expect(try fixture.read("a") == "one")
  }

  @Test("restore --to writes elsewhere, never over something")
  func destination() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("one", as: "a")
    try fixture.save("two", as: "a")
    #expect(fixture.run("restore", "a@~1", "--to", "copy").status == 0)
    #expect(try fixture.read("copy") == "one")
    #expect(try fixture.read("a") == "two")
    #expect(fixture.run("restore", "a", "--to", "copy").status == 4)
    #expect(try fixture.read("copy") == "one")
    try FileSystem.makeFolder(at: fixture.root.appending("d"))
    try fixture.write("", to: "empty")
    #expect(fixture.run("restore", "a", "--to", "d").status == 0)
    #expect(fixture.run("restore", "a", "--to", "empty").status == 0)
    #expect(try fixture.read("d/a") + fixture.read("empty") == "twotwo")
    #expect(fixture.run("log", "a").lines.count == 2)
  }

  @Test("mv renames a document, into a folder under its own name")
  func move() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("one", as: "a")
    try fixture.save("other", as: "d/b")
    #expect(fixture.run("mv", "a", "d").output.hasPrefix("renamed  a -> d/a  "))
    #expect(try fixture.read("d/a") == "one")
    fixture.folder = fixture.root.appending("d")
    #expect(fixture.run("mv", "a", "..").output.hasPrefix("renamed  d/a -> a  "))
    fixture.folder = fixture.root
    #expect(fixture.run("mv", "a", "d/b").status == 4)
    #expect(fixture.run("mv", "nothing", "x").status == 3)
    #expect(fixture.run("mv", "a", "../x").status == 2)
    #expect(fixture.run("mv", "a").status == 2)
    #expect(fixture.run("status").output.isEmpty)
  }

  @Test("rm deletes documents and keeps their history")
  func remove() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("one", as: "a")
    try fixture.save("two", as: "b")
    let result = fixture.run("rm", "a", "b", "a", "-z")
    #expect(result.bytes == Array("a\0b\0".utf8))
    #expect(!fixture.exists("a") && !fixture.exists("b"))
    #expect(fixture.run("cat", "a@~1").output == "one")
    #expect(fixture.run("rm", "nothing").status == 3)
    #expect(fixture.run("rm").status == 2)
  }

  @Test("rm leaves everything alone where one file has unsaved changes")
  func removeUnsaved() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("one", as: "a")
    try fixture.save("two", as: "b")
    try fixture.write("mine", to: "b")
    #expect(fixture.run("rm", "a", "b").status == 4)
    #expect(fixture.exists("a") && fixture.exists("b"))
  }

  @Test("restore writes a folder to another place, as it is or was") func restoreFolder() throws {
    let fixture = try CommandFixture.initialized()
    try FileSystem.makeFolders(at: fixture.root.appending("d"))
    try fixture.save("one", as: "d/a")
    try fixture.save("two", as: "b")
    let out = fixture.root.parent.appending("out")
    func text(_ path: String) throws -> String {
      String(decoding: try FileSystem.read(out.appending(path), limit: 100), as: UTF8.self)
    }
    let result = fixture.run("restore", "d", "--to", "../out")
    #expect(result.status == 0 && result.errors.hasPrefix("wrote 1 document to "))
    #expect(try text("a") == "one")
    #expect(fixture.run("restore", ".", "--to", "../out").errors.contains("name a new or empty folder"))
    let objects = try fixture.run("restore", ".", "--to", "../out/all", "--json").objects()
    #expect(objects.map { $0["path"]?.string } == ["b", "d/a"])
    #expect(try text("all/b") == "two" && text("all/d/a") == "one")
    let early = fixture.run("restore", ".@{2001-01-01}", "--to", "../out/none")
    #expect(early.status == 3 && early.errors.contains("nothing was there at 2001-01-01 23:59 in \".\""))
    #expect(!fixture.exists("../out/none"))
    #expect(fixture.run("restore", "d", "--to", ".dver/x").status == 2)
    #expect(fixture.run("restore", "gone", "--to", "../out/x").status == 3)
    #expect(fixture.run("restore", "d").status == 3, "only a document becomes a new version")
  }

  @Test("sync says that a place was made a remote, once") func newRemote() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("one", as: "a")
    let dry = fixture.run("sync", "../new", "--dry-run")
    #expect(dry.errors == "../new: nothing is there: it would be made a remote\n")
    #expect(fixture.run("sync", "../new").errors == "../new: nothing was there: it is a remote now\n")
    #expect(fixture.run("sync", "../new").errors.isEmpty)
  }

  @Test("undo takes back the last operation, and tells what there was")
  func undo() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("one", as: "a")
    try fixture.save("two", as: "a")
    #expect(fixture.run("undo").errors == "undid the last save of a\n")
    #expect(try fixture.read("a") == "one")
    fixture.run("rm", "a")
    fixture.run("undo")
    #expect(try fixture.read("a") == "one")
    let operations = try fixture.run("undo", "--list", "--json").objects()
    #expect(operations.compactMap { $0["operation"]?.string }.filter { $0 != "undo" } == ["rm", "save", "save"])
    #expect(fixture.run("undo", "--list").lines.contains { $0.hasSuffix("(undone)") })
  }

  @Test("undo calls an import so, and names what a removal was about") func undoNames() throws {
    let fixture = try CommandFixture.initialized()
    try FileSystem.makeFolders(at: fixture.root.parent.appending("copies"))
    for name in ["1", "2"] {
      try AtomicFile.write(Array(name.utf8), to: fixture.root.parent.appending("copies/\(name)"))
    }
    fixture.run("import-history", "../copies", "a")
    #expect(fixture.run("undo", "--list").lines.contains { $0.hasSuffix("  import-history  a") })
    fixture.run("remove", "a@~1")
    #expect(fixture.run("undo", "--list").lines.contains { $0.hasSuffix("  remove          a") })
    #expect(fixture.run("undo").errors == "undid the last remove of a, 1 taken back\n")
    #expect(fixture.run("undo").errors == "undid the last import-history of a\n")
  }

  @Test("a time before the first version is told as such") func timeBefore() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("one", as: "a")
    let result = fixture.run("cat", "a@{2001-01-01}")
    #expect(result.status == 3)
    let text = "dver: cat: nothing was saved up to 2001-01-01 23:59 of \"a\": its first version is of "
    #expect(result.errors.hasPrefix(text))
  }

  @Test("undo refuses where there is nothing, and over unsaved changes")
  func undoRefused() throws {
    let fixture = try CommandFixture.initialized()
    #expect(fixture.run("undo").status == 4)
    try fixture.save("one", as: "a")
    try fixture.save("two", as: "a")
    try fixture.write("mine", to: "a")
    #expect(fixture.run("undo").status == 4)
    #expect(try fixture.read("a") == "mine")
  }
}
