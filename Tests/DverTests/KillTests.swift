import SystemIO
import TestSupport
import Testing

/// Programs that are ended by SIGKILL at random moments, between edits that go on.
@Suite("kill -9", .serialized) struct KillTests {
  @Test("loses no acknowledged save, and the next command works", arguments: [1] as [UInt64])
  func saves(seed: UInt64) throws {
    var run = try KillRun(seed: seed)
    for round in 0..<200 {
      let device = run.anyDevice()
      try run.edit(device)
      try run.save(device, isKilled: true)
      try run.expectLastEdits(device)
      try run.devices.dver(device, "status")
      if round % 40 == 39 { try run.devices.expectSound(device) }
    }
    run.report("saves")
    for device in run.names { try run.save(device) }
    try run.expectEverythingAcknowledged()
  }

  @Test(
    "tears no file and loses nothing where a sync is killed, and the next one completes", arguments: [2] as [UInt64])
  func syncs(seed: UInt64) throws {
    var run = try KillRun(seed: seed)
    for round in 0..<50 {
      let device = run.anyDevice()
      try run.edit(device)
      if run.chance(2, of: 3) { try run.save(device) }
      if run.chance(1, of: 4) { try run.edit(device) }
      try run.killSync(device)
      try run.expectWholeFiles(device)
      try run.devices.dver(device, "status")
      if round % 10 == 9 { try run.devices.expectSound(device) }
    }
    run.report("syncs")
    for device in run.names + run.names {
      try run.save(device)
      try run.devices.sync([device])
      try run.expectWholeFiles(device)
    }
    try run.devices.sync(run.names)
    try run.expectEverythingAcknowledged()
    #expect(try run.devices.versions("A") == run.devices.versions("B"))
    for device in run.names {
      let left = try FileSystem.list(run.devices.folder(of: device)).filter { $0.name.starts(with: ".dver-tmp-".utf8) }
      #expect(left.isEmpty)
    }
  }

  @Test("A save that was cut off in the pack is put aside, and the next one works")
  func tornTail() throws {
    let devices = try SyncedDevices.sharing("A")
    try devices.shell("A", "head -c 50 /dev/urandom >> $(ls -d .dver/private/*/active/*)")
    try devices.write("A", "d", "next")
    try devices.dver("A", "save")
    #expect(try devices.dver("A", "cat", "d@~1") == "base")
    try devices.shell("A", "test $(cat .dver/private/*/torn/* | wc -c) = 50")
    try devices.expectSound("A")
  }

  @Test("leaves nothing behind, and what no version holds is put aside and named")
  func leftovers() throws {
    let devices = try SyncedDevices.sharing("A")
    try devices.write("A", "f/g", "other")
    try devices.dver("A", "save")
    try devices.write("A", ".dver-tmp-unfinished", "bas")
    try devices.shell("A", "chmod 200 .dver-tmp-unfinished")
    try devices.write("A", "f/.dver-tmp-known", "base")
    try devices.write("A", "f/.dver-tmp-edit", "day-work")
    let result = try devices.run("A", ["save"])
    #expect(result.status == 0 && result.outputText.isEmpty)
    #expect(result.errorText.contains(".dver-tmp-edit"))
    #expect(try devices.names("A") == ["d", "f"])
    #expect(try devices.names("A", below: "f") == ["g"])
    try devices.shell("A", "test \"$(cat .dver/private/*/displaced/.dver-tmp-edit)\" = day-work")
  }
}

/// Two devices whose person edits on while their programs are killed.
private struct KillRun {
  let devices: SyncedDevices
  let names = ["A", "B"]
  private let files = ["d", "e", "f/g"]
  private var generator: SeededGenerator
  /// Every text that was ever written into a file.
  private var texts: Set<String> = []
  /// What each device's files held after the last edit.
  private var lastEdits: [String: String] = [:]
  /// What was printed with exit status 0: the version, its path and its text.
  private var acknowledged: [(version: String, path: String, text: String)] = []
  /// The longest delay to draw, in milliseconds: it follows how many runs are hit, so that about half are.
  private var longestDelay: [String: Int] = ["save": 60, "sync": 200]
  private var killedCount = 0
  private var runCount = 0

  init(seed: UInt64) throws {
    generator = SeededGenerator(seed: seed)
    devices = try SyncedDevices("A", "B")
  }

  mutating func anyDevice() -> String { names[Int.random(in: 0...1, using: &generator)] }

  mutating func chance(_ hits: Int, of count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) < hits }

  /// Writes a text that never was into one to three files.
  mutating func edit(_ device: String) throws {
    for file in files.shuffled(using: &generator).prefix(Int.random(in: 1...3, using: &generator)) {
      // Every line differs, so that nothing is merged.
      let token = String(generator.next(), radix: 36)
      let count = [1, 40, 4_000][Int.random(in: 0...2, using: &generator)]
      let text = (0..<count).map { "\(token) \($0)\n" }.joined()
      try devices.write(device, file, text)
      texts.insert(text)
      lastEdits["\(device)/\(file)"] = text
    }
  }

  /// Saves, and notes what was acknowledged.
  mutating func save(_ device: String, isKilled: Bool = false) throws {
    let result = try isKilled ? kill(device, ["save", "--json"]) : devices.run(device, ["save", "--json"])
    if result.signal == 9 { return }
    #expect(result.status == 0, "\(result.errorText)")
    guard result.status == 0 else { return }
    for line in result.outputText.split(separator: "\n") {
      let object = try JSONValue(parsing: Array(line.utf8))
      guard let version = object["version"]?.string, let path = object["path"]?.string else { continue }
      acknowledged.append((version, path, devices.text(device, path) ?? ""))
    }
  }

  mutating func killSync(_ device: String) throws {
    let result = try kill(device, ["sync", "R"])
    #expect(result.signal == 9 || result.status == 0, "\(result.errorText)")
  }

  private mutating func kill(_ device: String, _ words: [String]) throws -> ProcessResult {
    var runner = devices.runner
    runner.folder = devices.folder(of: device)
    let longest = longestDelay[words[0]] ?? 100
    runner.timeoutMilliseconds = Int.random(in: 1...longest, using: &generator)
    let result = try runner.run(words.map { Array($0.utf8) })
    let isKilled = result.signal == 9
    longestDelay[words[0]] = max(5, longest + (isKilled ? longest / 20 + 1 : -(longest / 20 + 1)))
    runCount += 1
    if isKilled { killedCount += 1 }
    return result
  }

  // MARK: Checks

  /// A save changes no file.
  func expectLastEdits(_ device: String) throws {
    for file in files {
      #expect(devices.text(device, file) == lastEdits["\(device)/\(file)"], "\(device)/\(file)")
    }
  }

  /// A file is some version's content, whole, or the last edit.
  func expectWholeFiles(_ device: String) throws {
    for file in files {
      guard let text = devices.text(device, file) else { continue }
      #expect(texts.contains(text), "\(device)/\(file) is torn: \(text.utf8.count) bytes")
    }
  }

  /// Every acknowledged version is where it was saved, or everywhere, with its bytes, and nothing is damaged.
  func expectEverythingAcknowledged() throws {
    #expect(!acknowledged.isEmpty)
    try devices.expectSound("A", "B")
    let known = try Dictionary(uniqueKeysWithValues: names.map { ($0, try devices.versions($0)) })
    for (version, path, text) in acknowledged {
      let device = try #require(names.first { known[$0]?.contains(version) ?? false }, "version \(version) is lost")
      #expect(try devices.dver(device, "cat", "--at", version, path) == text)
    }
  }

  func report(_ what: String) {
    print("kill -9 hit \(killedCount) of \(runCount) \(what), \(acknowledged.count) versions were acknowledged")
    #expect(killedCount * 10 > runCount)
  }
}
