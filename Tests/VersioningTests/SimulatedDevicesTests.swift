import Hashing
import TestSupport
import Testing
import Versioning

@Suite("Simulated devices") struct SimulatedDevicesTests {
  @Test("Devices that have exchanged everything agree, and make no new record", arguments: 0..<120 as Range<UInt64>)
  func settles(seed: UInt64) throws {
    var simulation = SimulatedDevices(seed: seed)
    try simulation.run(steps: 12 + Int(seed % 30))
    #expect(try simulation.settle() < 12)
    let states = simulation.devices.map(\.state)
    for state in states { #expect(state == states[0]) }
    let counts = simulation.devices.map(\.records.count)
    #expect(try simulation.settle() == 0)
    #expect(simulation.devices.map(\.records.count) == counts)
    let documents = states[0].documents
    #expect(documents.allSatisfy { !$0.heads.isEmpty && $0.shown.first == $0.current })
    for save in simulation.saves { #expect(simulation.devices[0].graph.contains(save.version.id)) }
  }

  @Test(
    "Every content that was saved is behind a head, or was given up by a removal", arguments: 0..<120 as Range<UInt64>)
  func losesNothing(seed: UInt64) throws {
    var simulation = SimulatedDevices(seed: seed)
    try simulation.run(steps: 40)
    _ = try simulation.settle()
    let graph = simulation.devices[0].graph, removed = graph.removed()
    var kept: Set<ObjectID?> = [nil]
    for head in graph.heads() {
      kept.formUnion(([head] + graph.ancestors(of: head.id)).map(\.record.content))
    }
    for save in simulation.saves where !removed.contains(save.version.id) {
      #expect(kept.contains(save.version.record.content))
    }
  }

  @Test("The same records in any order, some twice, show the same", arguments: 0..<60 as Range<UInt64>)
  func ignoresOrder(seed: UInt64) throws {
    var simulation = SimulatedDevices(seed: seed)
    try simulation.run(steps: 30)
    var generator = SeededGenerator(seed: seed &+ 1)
    for device in simulation.devices {
      var other = VersionGraph()
      var waiting = (device.records + device.records.prefix(5)).shuffled(using: &generator)
      while !waiting.isEmpty {
        var later = waiting
        later.removeAll { (try? other.insert($0.record, id: $0.id)) != nil }
        try #require(later.count < waiting.count)
        waiting = later
      }
      #expect(other.documents() == device.graph.documents())
      #expect(other.claims() == device.graph.claims())
      #expect(other.removed() == device.graph.removed())
      #expect(other.retracted() == device.graph.retracted())
    }
  }

  @Test("The heads after a save are those of the graph where they are given at all", arguments: 0..<60 as Range<UInt64>)
  func updatesHeads(seed: UInt64) throws {
    var simulation = SimulatedDevices(seed: seed, repertoire: .savesAndMerges)
    try simulation.run(steps: 60)
    var answered = 0
    for (before, version) in simulation.saves {
      var after = before
      try after.insert(version)
      let earlier = before.documents().first { $0.heads.contains { version.record.parents.contains($0.id) } }
      guard let heads = HeadUpdate.heads(after: version, among: earlier?.heads ?? []) else { continue }
      answered += 1
      #expect(after.documents().first { $0.heads.contains(version) }?.heads == heads)
    }
    #expect(answered * 3 > simulation.saves.count)
  }
}

@Suite("The update of heads") struct HeadUpdateTests {
  private let merge = Version.sample(5, .sample(parents: [2, 1], device: nil, origin: .merge, mergeRules: 1))

  @Test("A save on a head takes its place, and the greatest comes first")
  func replaces() {
    let heads: [Version] = [.sample(2, .sample(counter: 2)), .sample(1, .sample(counter: 1))]
    let saved = Version.sample(3, .sample(parents: [1], counter: 3))
    #expect(HeadUpdate.heads(after: saved, among: heads)?.map(\.id) == [.sample(3), .sample(2)])
    #expect(HeadUpdate.heads(after: .sample(1), among: []) == [.sample(1)])
  }

  @Test("A save on an automatic merge takes its place")
  func replacesMerge() {
    let saved = Version.sample(6, .sample(parents: [5]))
    #expect(HeadUpdate.heads(after: saved, among: [merge]) == [saved])
  }

  @Test("There is no answer where the graph has to be asked")
  func leavesToGraph() {
    #expect(HeadUpdate.heads(after: .sample(6, .sample(parents: [9])), among: [.sample(1)]) == nil)
    #expect(HeadUpdate.heads(after: merge, among: [.sample(2), .sample(1)]) == nil)
    #expect(HeadUpdate.heads(after: .sample(6, .sample(parents: [1])), among: [merge, .sample(1)]) == nil)
    #expect(HeadUpdate.heads(after: .sample(1), among: [.sample(1)]) == nil)
  }
}
