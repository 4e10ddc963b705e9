import Exchange
import Hashing
import SystemIO
import TestSupport
import Testing
import VersionStore
import Versioning

/// What an earlier program wrote stays readable for ever (Tests/Fixtures/stores/README.md).
@Suite("A store of an earlier format") struct EarlierFormatTests {
  private static let stores: FilePath = FilePath(#filePath).parent.parent.appending("Fixtures/stores")

  /// A version that the store holds.
  private struct Expectation {
    var version: RecordID
    var content: ObjectID
    var isPackage: Bool
    var path: [UInt8]
  }

  private func expectations(_ format: String) throws -> [Expectation] {
    let text = try FileSystem.read(Self.stores.appending(format).appending("versions"), limit: 1 << 20)
    return try text.split(separator: UInt8(ascii: "\n")).map { line in
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 3).map(Array.init)
      try #require(fields.count == 4)
      return Expectation(
        version: RecordID(try #require(ObjectID(hexadecimal: fields[0]))),
        content: try #require(ObjectID(hexadecimal: fields[1])), isPackage: fields[2] == Array("package".utf8),
        path: fields[3])
    }
  }

  private func copy(_ source: FilePath, to target: FilePath) throws {
    let result = try ChildProcess.run(
      program: FilePath("cp"), arguments: [Array("-rT".utf8), source.bytes, target.bytes])
    try #require(result.status == 0)
  }

  private func expectEverything(
    _ expectations: [Expectation], in repository: Repository, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let history = try repository.history(HistoryQuery(includesEverything: true))
    for expected in expectations {
      let entry = try #require(
        history.first { $0.version.id == expected.version }, "\(expected.version)", sourceLocation: sourceLocation)
      let path = entry.version.record.path
      #expect(path.bytes == expected.path, sourceLocation: sourceLocation)
      #expect(entry.version.record.content == expected.content, sourceLocation: sourceLocation)
      guard !expected.isPackage else { continue }
      #expect(
        try SHA256.hash(repository.content(of: entry.version, at: path)) == expected.content,
        sourceLocation: sourceLocation)
    }
    let report = try repository.verify(isQuick: false)
    #expect(report.isClean, "\(report.damages)", sourceLocation: sourceLocation)
  }

  @Test("is read, verified and written on", arguments: ["format-1", "format-2"])
  func opens(_ format: String) throws {
    let (folder, clock) = (try TemporaryDirectory(), SimulatedClock())
    try copy(Self.stores.appending(format).appending("store"), to: folder.appending(".dver"))
    let expectations = try expectations(format)
    let environment = SimulatedDevice.environment("new", clock)
    let reader = try Repository.open(containing: folder.path, access: .reading, environment: environment)
    try expectEverything(expectations, in: reader)

    let writer = try Repository.open(containing: folder.path, access: .writing, environment: environment)
    try expectEverything(expectations, in: writer)
    try folder.write(Array("ganz neu\n".utf8), to: "Brief Ü.txt")
    #expect(try writer.save([DocumentPath("Brief Ü.txt")], options: SaveOptions()).saved.count == 1)
    try expectEverything(expectations, in: writer)
  }

  @Test("is a remote that can be cloned and written to", arguments: [("format-1", 10), ("format-2", 15)])
  func clones(_ format: String, versionCount: Int) throws {
    let (folder, clock) = (try TemporaryDirectory(), SimulatedClock())
    let remote = folder.appending("remote")
    try copy(Self.stores.appending(format).appending("remote"), to: remote)
    let (repository, report) = try Clone.run(
      from: .folder(remote), relativeTo: folder.path, into: folder.appending("copy"), isMetadataOnly: false,
      environment: SimulatedDevice.environment("new", clock))
    let known = Set(try repository.history(HistoryQuery(includesEverything: true)).map(\.version.id))
    let expectations = try expectations(format).filter { known.contains($0.version) }
    #expect(expectations.count == report.newVersions.count && expectations.count == versionCount)
    try expectEverything(expectations, in: repository)
  }
}
