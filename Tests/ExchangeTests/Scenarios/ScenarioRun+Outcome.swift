import Catalog
import Versioning

@testable import VersionStore

extension ScenarioRun {
  /// What a device shows of every document of the scenario.
  private func shown(on device: ScenarioDevice) throws -> [String: ShownDocument] {
    var shown: [String: ShownDocument] = [:]
    for (file, versions) in documents { shown[file] = try ShownDocument(of: versions, on: try device.repository) }
    return shown
  }

  func check(_ expectation: ScenarioExpectation) throws {
    let all = try devices.mapValues { try shown(on: $0) }
    for (name, shown) in all.sorted(by: { $0.key < $1.key }) {
      for (file, expected) in expectation.documents(on: name) {
        switch (expected, shown[file]) {
        case (nil, nil): break
        case (nil, _?): report("\(name) knows \(file)")
        case (_?, nil): report("\(name) doesn't know \(file)")
        case (let expected?, let found?):
          for problem in expected.problems(in: found) { report("\(name), \(file): \(problem)") }
        }
      }
    }
    if let isConverged = expectation.isConverged {
      let agree = Set(all.values.map { Agreement($0) }).count <= 1
      if agree != isConverged { report(agree ? "the devices agree" : "the devices differ: \(all)") }
    }
    if expectation.isSameOnAllDevices == true {
      let currents = Set(all.values.map { $0.mapValues { "\($0.name): \($0.current ?? "deleted")" } })
      if currents.count > 1 { report("not the same current versions: \(currents)") }
    }
    for group in expectation.agreeing where Set(group.map { Agreement(all[$0] ?? [:]) }).count > 1 {
      report("\(group) differ")
    }
  }

  /// Everything that devices which agree have in common, down to the identities of versions.
  private struct Agreement: Hashable {
    let documents: [String: [String]]

    init(_ shown: [String: ShownDocument]) {
      documents = shown.mapValues { document in
        [document.name, document.currentID.hexadecimal, document.current ?? ""]
          + document.heads.map(\.hexadecimal).sorted() + document.conflicts.sorted()
          + document.openable.keys.map(\.hexadecimal).sorted() + ["removed"]
          + document.removed.map(\.hexadecimal).sorted()
      }
    }
  }

  func finish() throws {
    for device in orderedDevices {
      try checkDerivedState(of: device)
      try checkNothingIsLost(on: device)
    }
    try check(scenario.expectation)
    for device in orderedDevices { try checkWorkingFiles(of: device) }
  }

  /// What the catalog says must follow from the records alone.
  private func checkDerivedState(of device: ScenarioDevice) throws {
    let repository = try device.repository
    let before = try shown(on: device)
    var families: Set<Int64> = []
    for id in documents.values.joined() { families.formUnion(try repository.store.families(ofRecord: id)) }
    for family in families {
      let states = try repository.store.graph(ofFamily: family).documents()
      let known = try states.first.map { try repository.store.documentRows(around: $0.current.id) } ?? []
      let agree = states.elementsEqual(known.sorted { $0.document < $1.document }) {
        $0.document == $1.document && $0.heads == $1.heads
      }
      if !agree { report("\(device.name): the catalog shows other heads than the records have") }
    }
    guard variation.rebuildsCatalogs else { return }
    try repository.store.withLock { () throws(RepositoryError) in try repository.store.rebuild() }
    if try shown(on: device) != before { report("\(device.name) shows something else with a new catalog") }
  }

  /// Every content that was saved is behind a head, or was removed by somebody.
  private func checkNothingIsLost(on device: ScenarioDevice) throws {
    let store = try device.repository.store
    for (id, origin) in saved where !forgotten.contains(id) {
      guard try store.version(id) != nil else {
        if scenario.expectation.isConverged == true || origin == device.name {
          report("\(device.name) lost a version of \(origin): \(labels.filter { $0.value == id }.keys.sorted())")
        }
        continue
      }
      let graph = try store.graph(around: id)
      if graph.removed().contains(id) || graph.retracted().contains(id) { continue }
      let heads = graph.heads()
      // An automatic merge that another head stands for is made of what that head has (R9).
      let sources = graph.version(id)?.record.isAutomatic ?? false ? graph.sources(of: id) : [id]
      if !sources.allSatisfy({ source in heads.contains { $0.id == source || graph.isAncestor(source, of: $0.id) } }) {
        report("\(device.name): a version of \(origin) is behind no head")
      }
    }
  }

  /// Unmodified files follow the current version, and saving everything then finds nothing to save.
  private func checkWorkingFiles(of device: ScenarioDevice) throws {
    let repository = try device.repository
    let placement = try repository.updateAllWorkingFiles()
    if !placement.left.isEmpty || !placement.rescued.isEmpty || !placement.unplaced.isEmpty {
      report("\(device.name) left files alone: \(placement)")
    }
    for (file, shown) in try shown(on: device) {
      let found = try device.read(try path(of: file, on: repository))
      if found != shown.current { report("\(device.name) has \(found ?? "nothing") as \(file)") }
    }
    let saved = try repository.save([nil], options: SaveOptions(allowsMassDeletion: true)).saved
    if !saved.isEmpty { report("\(device.name) saved \(saved.count) versions of unchanged files") }
  }
}
