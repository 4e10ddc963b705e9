import SystemIO
import TestSupport
import Testing
import VersionStore

@testable import DverCommands

@Suite("The store's commands, remotes and devices") struct StoreCommandTests {
  @Test("config shows and changes what is known, and nothing else")
  func config() throws {
    let fixture = try CommandFixture.initialized()
    #expect(fixture.run("config").output == "merge.granularity =\nmerge.tool =\npackages =\n")
    #expect(
      fixture.run("config", "--json").output
        == "{\"key\":\"merge.granularity\",\"value\":null}\n{\"key\":\"merge.tool\",\"value\":null}\n{\"key\":\"packages\",\"value\":null}\n"
    )
    #expect(fixture.run("config", "packages", "*.rtfd").status == 0)
    #expect(fixture.run("config", "packages").output == "*.rtfd\n")
    #expect(fixture.run("config", "--unset", "packages").status == 0)
    #expect(fixture.run("config").output == "merge.granularity =\nmerge.tool =\npackages =\n")
    #expect(fixture.run("config", "merge.granularity", "word").status == 0)
    #expect(fixture.run("config", "merge.granularity").output == "word\n")
    #expect(fixture.run("config", "merge.granularity", "letter").status == 2)
    #expect(fixture.run("config", "colour").status == 2)
    #expect(fixture.run("config", "--unset").status == 2)
  }

  @Test("devices are listed and renamed; this one can't be retired")
  func devices() throws {
    let fixture = try CommandFixture.initialized()
    #expect(fixture.run("device", "rename", "desk top").status == 0)
    let object = try #require(try fixture.run("device", "list", "--json").objects().first)
    #expect(object["name"]?.string == "desk top" && object["isThis"]?.boolean == true)
    #expect(fixture.run("device", "list").output.hasPrefix("*  desk top  "))
    #expect(fixture.run("device", "retire", "desk top").status == 4)
    #expect(fixture.run("device", "retire", "nobody").status == 3)
    #expect(fixture.run("device", "rename", "").status == 2)
    #expect(fixture.run("device").status == 2)
  }

  @Test("stats count documents, versions and bytes")
  func stats() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("12345", as: "a")
    try fixture.save("123456", as: "a")
    try fixture.save("1", as: "b")
    let object = try #require(try fixture.run("stats", "--json").objects().first)
    #expect(object["documents"]?.integer == 2 && object["versions"]?.integer == 3)
    #expect(object["contentSize"]?.integer == 12)
    #expect(object["largest"]?[0]?["path"]?.string == "a")
    #expect(fixture.run("stats").lines.first == "documents  2")
    #expect(try fixture.run("stats", "--json", "b").objects().first?["versions"]?.integer == 1)
    #expect(try fixture.run("stats", "--json", "b").objects().first?["storeSize"] == nil)
    #expect(object["packSize"]?.integer ?? 0 > 0)
    #expect(fixture.run("stats", "c").status == 3)
  }

  @Test("import-history makes versions of the files of a folder, by name or by time, and tells how many")
  func importHistory() throws {
    let fixture = try CommandFixture.initialized()
    let copies = fixture.root.parent.appending("copies")
    try FileSystem.makeFolders(at: copies.appending("below"))
    for (number, name) in ["b", "a", "c"].enumerated() {
      let file = try FileDescriptor.open(copies.appending(name), .readWrite, options: [.create])
      try file.write(Array(name.utf8))
      try file.setModificationTime(seconds: Int64(1_000_000 * number), nanoseconds: 0)
    }
    let folder = String(decoding: copies.bytes, as: UTF8.self)
    #expect(fixture.run("import-history", folder, "doc", "--by-time").lines == ["imported 3 versions of doc"])
    #expect(["doc", "doc@~1", "doc@~2"].map { fixture.run("cat", $0).output } == ["c", "a", "b"])
    let objects = try fixture.run("import-history", folder, "other", "--json").objects()
    #expect(objects.map { $0["state"]?.string } == ["history", "history", "current"])
    #expect(["other", "other@~1", "other@~2"].map { fixture.run("cat", $0).output } == ["c", "b", "a"])
    #expect(fixture.run("import-history", folder + "/below", "x").status == 3)
    #expect(fixture.run("import-history", folder + "/gone", "x").status == 3)
    #expect(fixture.run("import-history", folder).status == 2)
  }

  @Test("compact tells what it saved, and that there is nothing more to do") func compact() throws {
    let fixture = try CommandFixture.initialized()
    let words = [
      "store", "version", "document", "device", "conflict", "history", "record", "content", "merge", "remote",
    ]
    var generator = SeededGenerator(seed: 9)
    var lines = [String](repeating: "", count: 150)
    func rewrite(_ line: Int) {
      let few = (0..<12).map { _ in words[Int.random(in: 0..<words.count, using: &generator)] }
      lines[line] = few.joined(separator: " ")
    }
    for line in lines.indices { rewrite(line) }
    var texts: [String] = []
    for _ in 0..<40 {
      for _ in 0..<5 { rewrite(Int.random(in: lines.indices, using: &generator)) }
      texts.append(lines.joined(separator: "\n"))
      try fixture.save(texts[texts.count - 1], as: "a")
    }
    let object = try #require(try fixture.run("compact", "--json").objects().first)
    #expect(object["sizeBefore"]?.integer ?? 0 > 0 && object["sizeAfter"]?.integer ?? 0 > 0)
    #expect(object["packsReplaced"]?.integer == 1 && object["packs"]?.integer == 1)
    #expect(fixture.run("compact").errors.hasPrefix("nothing to compact"))
    #expect(fixture.run("cat", "a@~39").output == texts[0])
    #expect(fixture.run("cat", "a@~20").output == texts[19])
    #expect(fixture.run("verify").status == 0)
  }

  @Test("verify finds a flipped byte, with status 1")
  func verify() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("some text that is long enough to be hit\n", as: "a")
    let clean = fixture.run("verify")
    #expect(clean.status == 0 && clean.output.isEmpty && clean.errors.hasPrefix("no damage in 1 pack"))
    #expect(fixture.run("verify", "--quick").status == 0)
    let devices = try FileSystem.list(fixture.root.appending(".dver/private"))
    let pack = fixture.root.appending(".dver/private").appending(devices[0].name).appending("active/1")
    var bytes = try FileSystem.read(pack, limit: 1 << 20)
    let place = try #require(
      bytes.indices.first { bytes[$0...].starts(with: Array("long enough".utf8)) } ?? bytes.indices.dropLast(40).last)
    bytes[place] ^= 1
    try FileDescriptor.open(pack, .writeOnly).write(bytes)
    let result = fixture.run("verify", "--json")
    #expect([1, 5].contains(result.status), "\(result.output) \(result.errors)")
  }

  @Test("a lock held by another dver is waited for as long as it is said, then status 4")
  func locked() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.write("x", to: "a")
    let environment = StoreEnvironment(lockTimeoutMilliseconds: 0)
    let other = try Repository.open(containing: fixture.root, access: .writing, environment: environment)
    try other.store.withLock { () throws(RepositoryError) in
      let result = fixture.run("save", "--lock-timeout", "0")
      #expect(result.status == 4)
      #expect(result.errors.hasPrefix("dver: save: another dver works in this store: "))
      #expect(fixture.run("status").lines == ["new  a"])
    }
    #expect(fixture.run("save").status == 0)
  }

  @Test("repair says plainly what it can't do")
  func repair() throws {
    let fixture = try CommandFixture.initialized()
    let result = fixture.run("repair")
    #expect(result.status == 2)
    #expect(result.errors.hasPrefix("dver: repair: this version can't repair packs: "))
  }

  @Test("remotes are added, listed and removed")
  func remotes() throws {
    let fixture = try CommandFixture.initialized()
    #expect(fixture.run("sync").status == 3)
    #expect(fixture.run("remote", "add", "r", "../R").status == 0)
    #expect(fixture.run("remote", "add", "r", "../S").status == 4)
    #expect(fixture.run("remote", "list").output == "r  ../R\n")
    try FileSystem.makeFolders(at: fixture.root.appending("d"))
    fixture.folder = fixture.root.appending("d")
    #expect(fixture.run("remote", "add", "s", "../x").status == 0)
    #expect(fixture.run("remote", "list", "--json").lines.last?.contains("\"name\":\"s\",\"url\":\"/") == true)
    #expect(fixture.run("remote", "remove", "r").status == 0)
    #expect(fixture.run("remote", "remove", "r").status == 3)
    #expect(fixture.run("remote", "add", "t", "ssh://host/x").status == 6)
    #expect(fixture.run("remote", "add", "a/b", "x").status == 2)
    #expect(fixture.run("sync", "nothing").status == 3)
  }

  @Test("two devices exchange, merge and clone through a folder")
  func exchange() throws {
    let first = try CommandFixture.initialized(named: "A")
    try first.save("1\n2\n3\n4\n5\n", as: "n/a")
    try first.save("x\n", as: "b")
    try FileSystem.makeFolder(at: first.root.parent.appending("R"))
    first.run("remote", "add", "r", "../R")
    let dry = first.run("sync", "--dry-run")
    #expect(dry.status == 0 && dry.output.hasPrefix("r: "))
    #expect(first.run("sync").output.hasPrefix("r: sent "))
    #expect(first.run("sync").output == "r: up to date\n")

    let second = try CommandFixture(named: "B", in: first.directory, startingAt: 1_796_000_500)
    second.folder = first.root.parent
    #expect(second.run("clone", "R", "B", "--device", "desktop").output.hasPrefix("cloned 2 versions into /"))
    #expect(second.run("clone", "R", "B").status == 4)
    #expect(second.run("clone", "nowhere", "C").status == 6)
    second.folder = second.root
    #expect(try second.read("n/a") == "1\n2\n3\n4\n5\n")

    try second.save("1\n2\n3\n4\nfive\n", as: "n/a")
    try second.save("B\n", as: "b")
    second.run("sync")
    try first.save("one\n2\n3\n4\n5\n", as: "n/a")
    try first.save("A\n", as: "b")
    let result = first.run("sync")
    #expect(result.status == 0)
    #expect(result.output.contains("merged  n/a"))
    #expect(result.output.contains("updated   n/a") && result.output.contains("conflict  b"))
    #expect(try first.read("n/a") == "one\n2\n3\n4\nfive\n")

    let objects = try second.run("sync", "--json").objects()
    let summary = try #require(objects.last)
    #expect(summary["remote"]?.string == "origin" && summary["conflicts"]?.integer == 1)
    #expect(objects.contains { $0["file"]?.string == "updated" && $0["path"]?.string == "n/a" })
    #expect(try second.read("n/a") == "one\n2\n3\n4\nfive\n")
    #expect(second.run("device", "list").lines.count == 2)
    #expect(second.run("device", "retire", "laptop").status == 0)
  }

  @Test("sync --check sends again what a remote has lost, and verify says so")
  func lostPacks() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("kept\n", as: "a")
    let remote = fixture.root.parent.appending("R")
    try FileSystem.makeFolder(at: remote)
    fixture.run("remote", "add", "r", "../R")
    fixture.run("sync")
    try FileSystem.removeTree(at: remote.appending("packs"))
    #expect(fixture.run("verify", "r").errors.contains("dver sync --check sends"))
    #expect(fixture.run("sync", "--check").output.hasPrefix("r: sent "))
    #expect(!fixture.run("verify", "r").errors.contains("lacks"))
    #expect(fixture.run("sync", "--check").output == "r: up to date\n")
  }

  @Test("verify looks at a remote, and finds a flipped byte there")
  func verifyRemote() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("some text\n", as: "a")
    let remote = fixture.root.parent.appending("R")
    try FileSystem.makeFolder(at: remote)
    fixture.run("remote", "add", "r", "../R")
    fixture.run("sync")
    let clean = fixture.run("verify", "r")
    #expect(clean.status == 0 && clean.errors == "no damage on r\n")
    let folder = try #require(try FileSystem.list(remote.appending("packs")).first)
    let pack = try #require(try FileSystem.list(remote.appending("packs").appending(folder.name)).first)
    let path = remote.appending("packs").appending(folder.name).appending(pack.name)
    var bytes = try FileSystem.read(path, limit: 1 << 20)
    bytes[bytes.count / 2] ^= 1
    try FileSystem.setPermissions(0o644, at: path)
    try FileDescriptor.open(path, .writeOnly).write(bytes)
    let result = fixture.run("verify", "r")
    #expect(result.status == 1)
    #expect(result.lines.count == 1 && result.lines[0].hasPrefix("damaged on the remote: packs/"))
    #expect(try FileSystem.read(path, limit: 1 << 20) == bytes)
    #expect(fixture.run("verify", "nothing").status == 3)
  }

  @Test("sync leaves unsaved changes alone and says so")
  func unsavedChanges() throws {
    let first = try CommandFixture.initialized(named: "A")
    try first.save("one\n", as: "a")
    try FileSystem.makeFolder(at: first.root.parent.appending("R"))
    first.run("sync", "../R")
    let second = try CommandFixture(named: "B", in: first.directory, startingAt: 1_796_000_500)
    second.run("init")
    #expect(second.run("sync", "../R").output.contains("created  a"))
    try second.save("two\n", as: "a")
    second.run("sync", "../R")
    try first.write("mine\n", to: "a")
    let result = first.run("sync", "../R")
    #expect(result.status == 0)
    #expect(result.output.contains("left  a  (unsaved changes)"))
    #expect(try first.read("a") == "mine\n")
  }

  @Test("a remote that can't be reached is named, the others are synchronised")
  func unreachable() throws {
    let fixture = try CommandFixture.initialized()
    try fixture.save("x", as: "a")
    fixture.run("remote", "add", "gone", "../gone/far/away")
    try FileSystem.makeFolder(at: fixture.root.parent.appending("R"))
    fixture.run("remote", "add", "r", "../R")
    let result = fixture.run("sync")
    #expect(result.status == 6)
    #expect(result.errors.hasPrefix("dver: sync: can't reach "))
    #expect(result.output.hasPrefix("r: sent "))
  }
}
