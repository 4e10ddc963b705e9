import SystemIO
import TestSupport
import Testing

/// Devices that exchange through one folder: each a repository of its own, on which the built program runs.
final class SyncedDevices {
  let directory: TemporaryDirectory
  let root: FilePath
  var runner: CommandRunner

  init(_ devices: String...) throws {
    directory = try TemporaryDirectory()
    root = try FileSystem.resolve(directory.path)
    runner = try CommandRunner(folder: root)
    for device in devices { try add(device) }
  }

  /// Makes one more device.
  func add(_ device: String) throws {
    try FileSystem.makeFolder(at: folder(of: device))
    try dver(device, "init", "--device", device)
    try dver(device, "remote", "add", "R", remote.description)
  }

  /// Devices that all hold a document `d` with the text `base`.
  static func sharing(_ devices: String...) throws -> SyncedDevices {
    let shared = try SyncedDevices()
    for device in devices { try shared.add(device) }
    try shared.write(devices[0], "d", "base")
    try shared.dver(devices[0], "save")
    try shared.sync(devices)
    return shared
  }

  /// Two devices with a conflict on `d` that both know: A's text is `a`, B's `b`, and one of them is current.
  static func inConflict(_ others: String...) throws -> SyncedDevices {
    let shared = try SyncedDevices.sharing("A", "B")
    for device in others { try shared.add(device) }
    try shared.editApart()
    try shared.sync(["A", "B", "A"] + others)
    return shared
  }

  /// A and B save texts of their own, `a` and `b`, without an exchange.
  func editApart() throws {
    for (device, text) in [("A", "a"), ("B", "b")] {
      try write(device, "d", text)
      try dver(device, "save")
    }
  }

  var remote: FilePath { root.appending("R") }

  func folder(of device: String) -> FilePath { root.appending(device) }

  func path(_ device: String, _ name: String) -> FilePath { folder(of: device).appending(name) }

  // MARK: Commands

  /// Runs a command, whatever comes of it.
  @discardableResult
  func run(_ device: String, _ words: [String], input: String = "") throws -> ProcessResult {
    var runner = runner
    runner.folder = folder(of: device)
    return try runner.run(words.map { Array($0.utf8) }, input: Array(input.utf8))
  }

  /// Runs a command that must end with a status; its output.
  @discardableResult
  func dver(
    _ device: String, _ words: String..., status: Int32 = 0, location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let result = try run(device, words)
    #expect(
      result.status == status, "\(device) dver \(words.joined(separator: " ")): \(result.errorText)",
      sourceLocation: location)
    return result.outputText
  }

  /// Runs a command with `--json`; an object for each line.
  func objects(
    _ device: String, _ words: String..., location: SourceLocation = #_sourceLocation
  ) throws -> [JSONValue] {
    let result = try run(device, words + ["--json"])
    #expect(
      result.status == 0, "\(device) dver \(words.joined(separator: " ")): \(result.errorText)",
      sourceLocation: location)
    return try result.outputText.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
  }

  /// Runs a line of a shell in a device's folder.
  func shell(_ device: String, _ line: String, location: SourceLocation = #_sourceLocation) throws {
    let result = try ChildProcess.run(
      program: FilePath("/bin/sh"), arguments: [Array("-ec".utf8), Array(line.utf8)], folder: folder(of: device),
      timeoutMilliseconds: 60_000)
    #expect(result.status == 0, "\(line): \(String(decoding: result.errors, as: UTF8.self))", sourceLocation: location)
  }

  /// Exchanges, one device after the other; each must end well.
  func sync(_ devices: [String], location: SourceLocation = #_sourceLocation) throws {
    for device in devices { try dver(device, "sync", "R", location: location) }
  }

  // MARK: Files

  func write(_ device: String, _ name: String, _ text: String) throws {
    let path = path(device, name)
    try FileSystem.makeFolders(at: path.parent)
    let file = try FileDescriptor.open(path, .writeOnly, options: [.create, .truncate], permissions: 0o644)
    if !text.isEmpty { try file.write(Array(text.utf8)) }
  }

  /// A file's text, `nil` where there is none.
  func text(_ device: String, _ name: String) -> String? {
    (try? FileSystem.read(path(device, name), limit: 1 << 26)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The names in a device's folder, without the store, ascending.
  func names(_ device: String, below name: String = "") throws -> [String] {
    try FileSystem.list(path(device, name)).map { String(decoding: $0.name, as: UTF8.self) }
      .filter { $0 != ".dver" }.sorted()
  }

  /// How many files a folder holds, those in folders below included.
  func fileCount(below folder: FilePath) throws -> Int {
    var count = 0
    for entry in try FileSystem.list(folder) {
      let path = folder.appending(entry.name)
      count += try FileStatus.of(path).kind == .folder ? fileCount(below: path) : 1
    }
    return count
  }

  /// How many bytes the files in a folder have, those in folders below included.
  func byteCount(below folder: FilePath) throws -> UInt64 {
    var count: UInt64 = 0
    for entry in try FileSystem.list(folder) {
      let path = folder.appending(entry.name)
      let status = try FileStatus.of(path)
      count += try status.kind == .folder ? byteCount(below: path) : status.size
    }
    return count
  }

  // MARK: Versions

  /// The conflict versions that a device lists.
  func conflicts(_ device: String, location: SourceLocation = #_sourceLocation) throws -> [JSONValue] {
    try objects(device, "conflicts", location: location)
  }

  /// The id of a path's current version.
  func current(_ device: String, _ path: String, location: SourceLocation = #_sourceLocation) throws -> String? {
    try objects(device, "show", path, location: location).first?["version"]?.string
  }

  /// The ids of all versions that a device knows, of one path or of all.
  func versions(_ device: String, _ path: String...) throws -> Set<String> {
    var words = ["log", "--all"] + path
    words.append("--json")
    let result = try run(device, words)
    #expect(result.status == 0, "\(result.errorText)")
    return Set(
      try result.outputText.split(separator: "\n").compactMap {
        try JSONValue(parsing: Array($0.utf8))["version"]?.string
      })
  }

  /// Checks that devices list no conflict and have the same current version of a path.
  func expectSettled(_ path: String, on devices: String..., location: SourceLocation = #_sourceLocation) throws {
    var currents: Set<String?> = []
    for device in devices {
      #expect(try conflicts(device).isEmpty, "\(device)", sourceLocation: location)
      currents.insert(try current(device, path, location: location))
    }
    #expect(currents.count == 1, sourceLocation: location)
  }

  /// Checks that nothing is damaged.
  func expectSound(_ devices: String..., location: SourceLocation = #_sourceLocation) throws {
    for device in devices { try dver(device, "verify", location: location) }
  }
}

extension Array where Element == JSONValue {
  /// The ids of version objects.
  var ids: Set<String> { Set(compactMap { $0["version"]?.string }) }
}
