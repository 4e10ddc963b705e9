import Hashing
import Testing
import Versioning

@Suite("The version graph") struct VersionGraphTests {
  /// Versions under the ids 1, 2 …, each with the parents of its row, in one document.
  private func graph(_ rows: [UInt8: [UInt8]]) throws -> VersionGraph {
    var graph = VersionGraph()
    for (id, parents) in rows.sorted(by: { $0.key < $1.key }) {
      try graph.insert(.sample(id, .sample(parents: parents, content: id, counter: UInt32(id))))
    }
    return graph
  }

  private func ids(_ bytes: [UInt8]) -> [RecordID] { bytes.map { .sample($0) } }

  @Test("A record whose ancestors aren't here is refused and changes nothing")
  func refusesMissing() throws {
    var graph = try graph([1: []])
    #expect(throws: VersionGraphError.missing(.sample(7))) {
      try graph.insert(.sample(2, .sample(parents: [1, 7])))
    }
    let time = LogicalTime(milliseconds: 0, counter: 0)
    let removal = RemovalRecord(
      kept: .sample(1), removesAncestors: false, listed: [.sample(8)], device: .sample(1), logicalTime: time,
      wallTime: 0)
    #expect(throws: VersionGraphError.missing(.sample(8))) { try graph.insert(removal, id: .sample(20)) }
    let retraction = RetractionRecord(names: [.sample(20)], device: .sample(1), logicalTime: time, wallTime: 0)
    #expect(throws: VersionGraphError.missing(.sample(20))) { try graph.insert(retraction, id: .sample(21)) }
    #expect(!graph.contains(.sample(2)) && !graph.contains(.sample(20)) && !graph.contains(.sample(21)))
    #expect(graph.heads().map(\.id) == ids([1]))
  }

  @Test("A removal of versions of other families counts once they come")
  func ignoresMissing() throws {
    var graph = try graph([1: []])
    let time = LogicalTime(milliseconds: 0, counter: 0)
    let removal = RemovalRecord(
      kept: .sample(1), removesAncestors: false, listed: [.sample(2)], device: .sample(1), logicalTime: time,
      wallTime: 0)
    try graph.insert(removal, id: .sample(20), ignoringMissing: true)
    #expect(graph.removed().isEmpty)
    try graph.insert(.sample(2, .sample(document: 9)))
    #expect(graph.removed() == [.sample(2)])
    let retraction = RetractionRecord(
      names: [.sample(20), .sample(30)], device: .sample(1), logicalTime: time, wallTime: 0)
    try graph.insert(retraction, id: .sample(21), ignoringMissing: true)
    #expect(graph.removed().isEmpty)
    #expect(graph.removals.map(\.id) == ids([20]) && graph.retractions.map(\.id) == ids([21]))
  }

  @Test("Adding a record again changes nothing")
  func repeats() throws {
    var graph = try graph([1: [], 2: [1]])
    try graph.insert(.sample(1))
    #expect(graph.versions.map(\.id) == ids([1, 2]))
    #expect(graph.version(.sample(1))?.record.content == .sample(1))
  }

  @Test("Ancestors and children are found through merges")
  func knowsAncestry() throws {
    let graph = try graph([1: [], 2: [1], 3: [1], 4: [2, 3], 5: [], 6: [4]])
    #expect(graph.ancestors(of: .sample(6)).map(\.id) == ids([1, 2, 3, 4]))
    #expect(graph.ancestors(of: .sample(5)).isEmpty && graph.ancestors(of: .sample(99)).isEmpty)
    #expect(graph.children(of: .sample(1)) == ids([2, 3]))
    #expect(graph.isAncestor(.sample(1), of: .sample(6)) && graph.isAncestor(.sample(3), of: .sample(4)))
    #expect(!graph.isAncestor(.sample(4), of: .sample(3)) && !graph.isAncestor(.sample(5), of: .sample(6)))
    #expect(!graph.isAncestor(.sample(4), of: .sample(4)) && !graph.isAncestor(.sample(99), of: .sample(4)))
  }

  @Test("Merge bases are the nearest common versions, ascending")
  func findsBases() throws {
    let graph = try graph([1: [], 2: [1], 3: [1], 4: [2, 3], 5: [2, 3], 6: [4], 7: [5], 8: [], 9: [6]])
    #expect(graph.mergeBases(.sample(6), .sample(7)) == ids([2, 3]))
    #expect(graph.mergeBases(.sample(7), .sample(6)) == ids([2, 3]))
    #expect(graph.mergeBases(.sample(2), .sample(3)) == ids([1]))
    #expect(graph.mergeBases(.sample(2), .sample(9)) == ids([2]))
    #expect(graph.mergeBases(.sample(9), .sample(9)) == ids([9]))
    #expect(graph.mergeBases(.sample(8), .sample(9)).isEmpty)
    #expect(graph.mergeBases(.sample(99), .sample(9)).isEmpty)
  }

  @Test("The sources of a merge of merges are what people made")
  func findsSources() throws {
    var graph = try graph([1: [], 2: [1], 3: [1], 4: [1]])
    try graph.insert(.sample(5, .sample(parents: [3, 2], device: nil, origin: .merge, mergeRules: 1)))
    try graph.insert(.sample(6, .sample(parents: [5, 4], device: nil, origin: .merge, mergeRules: 1)))
    #expect(graph.sources(of: .sample(6)) == Set(ids([2, 3, 4])))
    #expect(graph.sources(of: .sample(2)) == Set(ids([2])))
    #expect(graph.sources(of: .sample(99)).isEmpty)
  }

  @Test("Claims come by path, equal documents as one", arguments: [true, false])
  func claims(areEqual: Bool) throws {
    var graph = VersionGraph()
    try graph.insert(.sample(1, .sample(document: 1, content: 1)))
    try graph.insert(.sample(2, .sample(document: 2, content: areEqual ? 1 : 2, counter: 1)))
    try graph.insert(.sample(3, .sample(document: 3, path: "A.txt")))
    let claims = graph.claims()
    #expect(claims.map(\.path) == [.sample("A.txt"), .sample("a.txt")])
    #expect(claims.last?.current.id == .sample(2))
    #expect(claims.last?.claimants.map(\.id) == ids([2, 1]))
    #expect(claims.last?.conflicts.map(\.id) == (areEqual ? [] : ids([1])))
    #expect(graph.documents().map(\.document) == [.sample(1), .sample(2), .sample(3)])
  }

  @Test("Ten thousand versions in a row and thousands of documents cost no square")
  func isLinear() throws {
    var graph = VersionGraph()
    func id(_ number: Int) -> RecordID { RecordID(SHA256.hash([UInt8(number & 255), UInt8(number >> 8)])) }
    for number in 0..<10_000 {
      var record = VersionRecord.sample()
      record.parents = number == 0 ? [] : [id(number - 1)]
      try graph.insert(Version(id: id(number), record: record))
    }
    for number in 10_000..<15_000 {
      var record = VersionRecord.sample()
      record.document = DocumentID(high: 7, low: UInt64(number / 2))
      record.parents = number.isMultiple(of: 2) ? [] : [id(number - 1)]
      try graph.insert(Version(id: id(number), record: record))
    }
    #expect(graph.heads().count == 2501)
    #expect(graph.documents().count == 2501)
    #expect(graph.mergeBases(id(9_999), id(0)) == [id(0)])
    #expect(graph.isAncestor(id(0), of: id(9_999)))
    #expect(graph.automaticMerges(MergeRules(number: 1) { _, _, _ in nil }).isEmpty)
  }
}
