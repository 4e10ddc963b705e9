import SystemIO
import TestSupport
import Versioning

@testable import Exchange
@testable import VersionStore

/// One run of a scenario with repositories of simulated devices.
final class ScenarioRun {
  let scenario: Scenario
  let variation: ScenarioVariation
  private let directory: TemporaryDirectory
  private let time = ScenarioClock.CommonTime()
  private(set) var devices: [String: ScenarioDevice] = [:]
  private var backups: [String: FilePath] = [:]
  private var folderCount = 0
  /// The versions that labels stand for.
  var labels: [String: RecordID] = [:]
  /// The versions of each document, by its key.
  var documents: [String: [RecordID]] = [:]
  /// What a version became by being renamed, which has no label of its own.
  var renamed: [RecordID: RecordID] = [:]
  /// Every version that was saved, and where.
  var saved: [(id: RecordID, device: String)] = []
  /// Versions that were nowhere but in a store that was given up.
  private(set) var forgotten: Set<RecordID> = []
  private(set) var problems: [String] = []
  private var place = ""

  init(_ scenario: Scenario, _ variation: ScenarioVariation) throws {
    self.scenario = scenario
    self.variation = variation
    directory = try TemporaryDirectory()
  }

  /// Carries out all steps and answers what was not as expected.
  func run() -> [String] {
    do {
      for name in scenario.devices { try add(name).create() }
      for (number, step) in scenario.steps.enumerated() {
        place = "step \(number + 1) (\(step.description)): "
        time.advance(1000)
        try perform(step.kind)
      }
      place = "at the end: "
      try finish()
    } catch {
      report("\(error)")
    }
    return problems
  }

  func report(_ problem: String) { problems.append(place + problem) }

  // MARK: Devices

  private func add(_ name: String) -> ScenarioDevice {
    let device = ScenarioDevice(
      name, in: directory.appending("device-\(name)"), clock: ScenarioClock(time))
    devices[name] = device
    return device
  }

  func device(_ name: String) throws -> ScenarioDevice {
    guard let device = devices[name] else { throw ScenarioFailure("no device \(name)") }
    return device
  }

  /// The devices by name.
  var orderedDevices: [ScenarioDevice] { devices.values.sorted { $0.name < $1.name } }

  /// A path in the run's folder that nothing has.
  func freshPath(_ name: String) -> FilePath {
    folderCount += 1
    return directory.appending("\(name)-\(folderCount)")
  }

  // MARK: Steps

  private func perform(_ kind: ScenarioStep.Kind) throws {
    switch kind {
    case .act(let act, let name, let file, let version, let isRefused):
      try perform(act, on: try device(name), file: file, version: version, isRefused: isRefused)
    case .sync(let a, let b): try sync(a, b)
    case .push(let from, let to, let count): try push(from: from, to: to, cutAfter: count)
    case .syncInAnyOrder(let pairs, let rounds):
      for _ in 0..<rounds {
        for pair in variation.order.arrange(pairs) { try sync(pair[0], pair[1]) }
      }
    case .clock(let name, let setting): try device(name).clock.setting = setting
    case .clone(let from, let to):
      let original = try device(from)
      let source = freshPath("copy")
      try original.copy(to: source)
      let copy = add(to)
      copy.clock.setting = original.clock.setting
      try copy.replace(by: source, variation.copying)
    case .backup(let name, let backup):
      let folder = freshPath("backup")
      try device(name).copy(to: folder)
      backups[backup] = folder
    case .rollback(let name, let backup):
      guard let folder = backups[backup] else { throw ScenarioFailure("no backup \(backup)") }
      try giveUp(name)
      try device(name).replace(by: folder, variation.copying)
    case .wipe(let name):
      try giveUp(name)
      try device(name).replace(by: nil, variation.copying)
    case .expect(let expectation): try check(expectation)
    }
  }

  /// Notes which versions go for good with a device's store.
  private func giveUp(_ name: String) throws {
    for (id, _) in saved {
      let knowing = try orderedDevices.filter { try $0.repository.store.version(id) != nil }
      if knowing.map(\.name) == [name] { forgotten.insert(id) }
    }
  }

  // MARK: Exchange

  private var options: ExchangeOptions {
    ExchangeOptions(combinesContents: false, mergesAutomatically: ScenarioTable.mergesFields[scenario.id] != nil)
  }

  private func sync(_ a: String, _ b: String) throws {
    let first = try device(variation.swapsSides ? b : a)
    let second = try device(variation.swapsSides ? a : b)
    time.advance(1000)
    switch variation.meeting {
    case .keptFolder:
      try meet(first, second, through: directory.appending("remote-\(min(a, b))-\(max(a, b))"))
    case .freshFolder: try meet(first, second, through: freshPath("remote"))
    case .store:
      try exchange(first, with: DirectoryRemote(second.folder), second.folder)
      try exchange(second, with: DirectoryRemote(first.folder), first.folder)
    }
  }

  private func meet(_ first: ScenarioDevice, _ second: ScenarioDevice, through folder: FilePath) throws {
    for device in [first, second, first] { try exchange(device, with: DirectoryRemote(folder), folder) }
  }

  private func push(from: String, to: String, cutAfter count: Int?) throws {
    let sender = try device(from)
    let receiver = try device(to)
    if case .store = variation.meeting, count == nil {
      return try exchange(receiver, with: DirectoryRemote(sender.folder), sender.folder, isSending: false)
    }
    let folder =
      switch variation.meeting {
      case .keptFolder: directory.appending("push-\(from)-\(to)")
      case .freshFolder, .store: freshPath("push")
      }
    if let count {
      let entries = variation.publishesEachAct ? count : 0
      let remote = BreakingRemote(DirectoryRemote(folder), afterEntries: entries)
      try exchange(sender, with: remote, folder, isBreaking: true)
    } else {
      try exchange(sender, with: DirectoryRemote(folder), folder)
    }
    try exchange(receiver, with: DirectoryRemote(folder), folder, isSending: false)
  }

  private func exchange(
    _ device: ScenarioDevice, with remote: any Remote, _ folder: FilePath, isSending: Bool = true,
    isBreaking: Bool = false
  ) throws {
    let session = ExchangeSession(try device.repository, with: remote, key: folder.bytes, options: options)
    session.isSending = isSending
    let exchange = try session.run()
    if let failure = exchange.failure, !isBreaking {
      self.report("\(device.name) could not exchange: \(failure)")
    }
    let damages = exchange.warnings.filter(\.isDamage)
    if !damages.isEmpty { self.report("\(device.name) found damage: \(damages)") }
    if !options.mergesAutomatically, !exchange.merges.isEmpty { self.report("\(device.name) merged") }
  }

  // MARK: Labels

  /// The version that a label stands for on a device.
  func id(_ label: String, on repository: Repository) throws -> RecordID {
    guard var id = labels[label] else { throw ScenarioFailure("no version \(label)") }
    while let next = renamed[id], try repository.store.version(next) != nil { id = next }
    return id
  }

  func ids(_ labels: [String], on repository: Repository) throws -> [RecordID] {
    try labels.map { try id($0, on: repository) }
  }

  /// The path of a document on a device; its key where the device doesn't know it.
  func path(of file: String, on repository: Repository) throws -> DocumentPath {
    if let path = try ShownDocument.path(of: documents[file] ?? [], on: repository) { return path }
    guard let path = DocumentPath(Array(file.utf8)) else { throw ScenarioFailure("\(file) is no path") }
    return path
  }
}
