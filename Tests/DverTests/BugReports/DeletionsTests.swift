import SystemIO
import TestSupport
import Testing

@Suite("Bug reports: deletes, renames, changes of type") struct DeletionsBugReports {
  @Test("BR-077: a device that was off does not bring deleted files back")
  func offDevice() throws {
    let devices = try SyncedDevices("A", "B", "C")
    for number in 1...5 { try devices.write("A", "\(number)", "\(number)") }
    try devices.dver("A", "save")
    try devices.sync(["A", "B", "C"])
    try devices.shell("A", "rm 1 2 3")
    try devices.dver("A", "save")
    try devices.sync(["A", "B"])
    try devices.dver("C", "save")
    try devices.sync(["C", "A", "B"])
    for device in ["A", "B", "C"] { #expect(try devices.names(device) == ["4", "5"]) }
  }

  @Test("BR-078: an empty folder is refused as a deletion of everything")
  func unpluggedDrive() throws {
    let devices = try SyncedDevices("A", "B")
    for number in 1...5 { try devices.write("A", "\(number)", "\(number)") }
    try devices.dver("A", "save")
    try devices.sync(["A", "B"])
    try devices.shell("A", "mkdir ../away; mv [1-5] ../away")
    try devices.dver("A", "save", status: 4)
    try devices.sync(["A", "B"])
    #expect(try devices.names("B").count == 5)
    try devices.shell("A", "mv ../away/* .")
    #expect(try devices.dver("A", "status").isEmpty)
    #expect(try devices.dver("A", "save").isEmpty)
    // With the store away too there is no repository.
    try devices.shell("A", "mv ../A ../gone; mkdir ../A")
    try devices.dver("A", "save", status: 3)
    #expect(try FileSystem.list(devices.folder(of: "A")).isEmpty)
    try devices.shell("A", "rmdir ../A; mv ../gone ../A")
    try devices.sync(["A", "B"])
    for device in ["A", "B"] { #expect(try devices.names(device).count == 5) }
  }

  @Test("BR-079: a rename together with an edit keeps the history, under both names")
  func renameAndEdit() throws {
    let devices = try SyncedDevices("A")
    let lines = (1...100).map { "line \($0)\n" }.joined()
    for number in 1...5 {
      try devices.write("A", "offer.doc", lines + "v\(number)\n")
      try devices.dver("A", "save")
    }
    try devices.shell("A", "mv offer.doc offer2.doc; echo more >> offer2.doc")
    try devices.dver("A", "save")
    #expect(try devices.versions("A", "offer2.doc").count == 6)
    #expect(try devices.versions("A", "offer.doc") == devices.versions("A", "offer2.doc"))
    #expect(try devices.dver("A", "cat", "offer2.doc@~5") == lines + "v1\n")
    #expect(try devices.dver("A", "cat", "offer2.doc") == lines + "v5\nmore\n")
    let first = try #require(
      try devices.objects("A", "log", "offer2.doc").last?["version"]?.string)
    #expect(try devices.dver("A", "cat", "offer.doc@\(first)") == lines + "v1\n")
  }

  @Test("BR-080: a folder renamed there and a file edited here come together")
  func renamedFolder() throws {
    let devices = try SyncedDevices("A", "B")
    try devices.write("A", "P/x", "x\n")
    try devices.write("A", "P/y", "the other one\n")
    try devices.dver("A", "save")
    try devices.sync(["A", "B"])
    for (old, new) in [("P", "Q"), ("Q", "Z")] {
      try devices.shell("B", "mv \(old) \(new)")
      try devices.dver("B", "save")
      try devices.sync(["B"])
    }
    try devices.write("A", "P/x", "new")
    try devices.write("A", "P/added", "n")
    try devices.dver("A", "save")
    try devices.sync(["A", "B"])
    for device in ["A", "B"] {
      #expect(devices.text(device, "Z/x") == "new")
      #expect(devices.text(device, "P/added") == "n")
      #expect(try devices.names(device, below: "Z") == ["x", "y"])
      #expect(try devices.names(device, below: "P") == ["added"])
      #expect(try devices.conflicts(device).isEmpty)
    }
  }

  @Test("BR-081: a chain of thirty renames sends the new content alone")
  func renameChain() throws {
    let devices = try SyncedDevices("A", "B")
    var generator = SeededGenerator(seed: 81)
    let size = 50_000
    func fill(_ name: String) throws {
      let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }
      try AtomicFile.write(bytes, to: devices.path("A", name), isDurable: false)
    }
    for number in 1...30 { try fill("n\(number)") }
    try devices.dver("A", "save")
    try devices.sync(["A", "B"])
    let before = try devices.byteCount(below: devices.remote)
    try devices.shell("A", "rm n30; for i in $(seq 29 -1 1); do mv n$i n$((i + 1)); done")
    try fill("n1")
    try devices.dver("A", "save")
    try devices.sync(["A", "B"])
    let sent = try devices.byteCount(below: devices.remote) - before
    #expect(sent < UInt64(3 * size), "\(sent) bytes")
    try devices.shell("A", "for i in $(seq 30); do cmp n$i ../B/n$i; done")
    #expect(try devices.conflicts("B").isEmpty)
  }

  @Test(
    "BR-082: two files that change names keep their contents, in a circle and in folders too",
    arguments: ["mv a t; mv b a; mv t b", "mv a t; mv b a; mv c b; mv t c", "mv p t; mv q p; mv t q"])
  func swappedNames(line: String) throws {
    let devices = try Self.withSwap(line)
    try devices.sync(["A", "B"])
    try Self.expectSame(devices)
  }

  @Test("BR-082: a sync that is killed while names change loses no content", arguments: 0..<12 as Range<UInt64>)
  func swapKilled(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let devices = try Self.withSwap("mv a t; mv b a; mv c b; mv t c; mv p t; mv q p; mv t q")
    try devices.sync(["A"])
    var runner = devices.runner
    runner.folder = devices.folder(of: "B")
    runner.timeoutMilliseconds = Int.random(in: 1...150, using: &generator)
    _ = try runner.run("sync", "R")
    let contents = Set(["a", "b", "c", "p/x", "q/x"])
    // The store held all of them before, and keeps them; no file has anything else.
    #expect(try devices.versions("B").count >= contents.count)
    for name in contents {
      if let text = devices.text("B", name) { #expect(contents.contains(text)) }
    }
    try devices.sync(["B"])
    try Self.expectSame(devices)
    try devices.expectSound("B")
  }

  /// A and B hold files whose text is their name; A then changes names.
  private static func withSwap(_ line: String) throws -> SyncedDevices {
    let devices = try SyncedDevices("A", "B")
    for name in ["a", "b", "c", "p/x", "q/x"] { try devices.write("A", name, name) }
    try devices.dver("A", "save")
    try devices.sync(["A", "B"])
    try devices.shell("A", line)
    try devices.dver("A", "save")
    return devices
  }

  private static func expectSame(_ devices: SyncedDevices) throws {
    for name in ["a", "b", "c", "p/x", "q/x"] {
      #expect(devices.text("B", name) == devices.text("A", name))
      #expect(devices.text("B", name) != nil)
    }
    #expect(try devices.names("B") == devices.names("A"))
    for device in ["A", "B"] {
      #expect(try devices.conflicts(device).isEmpty)
      #expect(try devices.dver(device, "status").isEmpty)
    }
  }

  @Test("BR-083: a file becomes a folder of the same name, and a folder a file")
  func fileBecomesFolder() throws {
    let devices = try SyncedDevices("A", "B")
    try devices.write("A", "hosts", "1")
    try devices.dver("A", "save")
    try devices.sync(["A", "B"])
    try devices.shell("A", "mv hosts h_; mkdir hosts; mv h_ hosts/main")
    try devices.dver("A", "save")
    try devices.sync(["A", "B"])
    #expect(devices.text("B", "hosts/main") == "1")
    try devices.shell("A", "mv hosts/main h_; rmdir hosts; mv h_ hosts")
    try devices.dver("A", "save")
    try devices.sync(["A", "B"])
    #expect(devices.text("B", "hosts") == "1")
    try devices.expectSettled("hosts", on: "A", "B")
  }

  @Test("BR-084: the deleted side can be chosen")
  func deletedSide() throws {
    let devices = try SyncedDevices.sharing("A", "B")
    try devices.write("A", "d", "edit")
    try devices.dver("A", "save")
    try devices.dver("B", "rm", "d")
    try devices.sync(["A", "B", "A"])
    let edit = try #require(try devices.current("A", "d"))
    let deletion = try #require(try devices.conflicts("A").first?["version"]?.string)
    try devices.dver("A", "resolve", "d", "--use", deletion)
    try devices.sync(["A", "B"])
    for device in ["A", "B"] {
      #expect(try devices.names(device).isEmpty)
      #expect(try devices.conflicts(device).isEmpty)
      #expect(try devices.dver(device, "cat", "d@\(edit)") == "edit")
    }
  }

  @Test("BR-085: a listing from before a deletion brings nothing back")
  func staleListing() throws {
    let devices = try SyncedDevices.sharing("A", "B")
    // The remote as it was: what a stale listing would show.
    try devices.shell("A", "cp -a ../R ../R.old")
    try devices.dver("A", "rm", "d")
    try devices.sync(["A"])
    try devices.shell("A", "mv ../R ../R.new; mv ../R.old ../R")
    for _ in 0..<3 {
      try devices.sync(["A"])
      #expect(try devices.names("A").isEmpty)
    }
    try devices.sync(["B"])
    #expect(try devices.names("B").isEmpty)
  }
}
