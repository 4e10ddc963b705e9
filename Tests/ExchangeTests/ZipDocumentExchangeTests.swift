import Exchange
import SystemIO
import TestSupport
import Testing
import VersionStore
import Versioning

@Suite("An exchange of zip documents") struct ZipDocumentExchangeTests {
  private let world: SimulatedWorld

  init() throws { world = try SimulatedWorld() }

  private static func document(_ lines: Int, modified: UInt32) -> [UInt8] {
    TestArchive.document(TestArchive.text(100, seed: 1) + TestArchive.text(lines, seed: 2), modified: modified).bytes
  }

  private func save(_ bytes: [UInt8], at path: String, on device: SimulatedDevice) throws {
    let place = device.folder.appending(path)
    try FileDescriptor.open(place, .writeOnly, options: [.create, .truncate]).write(bytes)
    try device.saveAll()
  }

  private func history(_ device: SimulatedDevice, _ path: String) throws -> [[UInt8]] {
    try device.repository.history(of: DocumentPath(path), HistoryQuery(includesEverything: true)).map { entry in
      try device.repository.content(of: entry.version, at: entry.version.record.path)
    }
  }

  @Test("brings every version as it was, also where each stands on what the other device stored")
  func bothWays() throws {
    let (a, b) = (try world.device("a"), try world.device("b"))
    var contents: [[UInt8]] = []
    for round in 0..<6 {
      let (here, there) = round.isMultiple(of: 2) ? (a, b) : (b, a)
      for step in 0..<2 {
        contents.append(Self.document(round * 2 + step, modified: UInt32(round * 8 + step)))
        try save(contents[contents.count - 1], at: "a.odt", on: here)
      }
      try here.sync(world.remote())
      try there.sync(world.remote())
      #expect(try FileSystem.read(there.folder.appending("a.odt"), limit: 1 << 20) == contents.last)
    }
    for device in [a, b] {
      #expect(try history(device, "a.odt") == contents.reversed())
      #expect(try device.repository.verify(isQuick: false).damages == [])
      #expect(try device.saveAll().isEmpty)
      try device.loseCatalog()
      #expect(try history(device, "a.odt") == contents.reversed())
    }
    // A third one that gets all of it at once.
    let c = try world.device("c")
    try c.sync(world.remote())
    #expect(try history(c, "a.odt") == contents.reversed())
    #expect(try c.repository.verify(isQuick: true).damages == [])
  }

  @Test("with another repository's store takes over its active pack, and members that came from elsewhere")
  func withStore() throws {
    let (a, b, c) = (try world.device("a"), try world.device("b"), try world.device("c"))
    let contents = (0..<4).map { Self.document($0, modified: UInt32($0)) }
    try save(contents[0], at: "a.odt", on: a)
    try a.sync(world.remote())
    try b.sync(world.remote())
    for bytes in contents.dropFirst() { try save(bytes, at: "a.odt", on: b) }
    // The picture of b's versions is in a's pack alone.
    try c.sync(b.folder)
    #expect(try history(c, "a.odt") == contents.reversed())
    #expect(try c.repository.verify(isQuick: false).damages == [])
    try a.sync(c.folder)
    #expect(try history(a, "a.odt") == contents.reversed())
    #expect(try a.repository.verify(isQuick: false).damages == [])
  }

  @Test("merges edits of two devices to the same document on both")
  func merge() throws {
    let (a, b) = (try world.device("a"), try world.device("b"))
    func document(_ first: String, _ last: String, _ modified: UInt32) -> [UInt8] {
      let middle = (0..<80).map { "<p>\($0) \($0 * $0 * 7919)</p>" }.joined()
      let xml = "<?xml version=\"1.0\"?>\n<d><p>\(first)</p>\(middle)<p>\(last)</p></d>"
      var archive = TestArchive.document(Array(xml.utf8), modified: modified)
      archive.members[5].content = Array("<?xml version=\"1.0\"?>\n<m>\(middle)</m>".utf8)
      return archive.bytes
    }
    try save(document("first", "last", 1), at: "a.odt", on: a)
    try a.sync(world.remote())
    try b.sync(world.remote())
    try save(document("changed on a", "last", 2), at: "a.odt", on: a)
    try save(document("first", "changed on b", 3), at: "a.odt", on: b)
    for device in [a, b, a, b] { try device.sync(world.remote()) }
    let merged = try FileSystem.read(a.folder.appending("a.odt"), limit: 1 << 20)
    #expect(try FileSystem.read(b.folder.appending("a.odt"), limit: 1 << 20) == merged)
    #expect(try a.conflicts().isEmpty && b.conflicts().isEmpty)
    #expect(try a.versionIDs() == b.versionIDs())
    for device in [a, b] {
      #expect(try device.repository.verify(isQuick: false).damages == [])
      #expect(try history(device, "a.odt").count == 4)
    }
  }
}
