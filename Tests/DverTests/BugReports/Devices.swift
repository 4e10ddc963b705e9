import Glibc
import SystemIO
import TestSupport
import Testing

/// Devices of one person, a repository each, that exchange through a folder: the remote `R`.
final class Devices {
  /// One device: its folder of documents, and a shell in which `dver` is the built program.
  struct Device {
    let name: String
    let folder: FilePath
    fileprivate let shell: [[UInt8]]
    fileprivate var environment: [[UInt8]]

    /// The device with more variables in its environment.
    func with(_ variables: [String]) -> Device {
      var device = self
      device.environment += variables.map { Array($0.utf8) }
      return device
    }

    /// Runs a line of the shell in the device's folder.
    func shell(_ line: String) throws -> ProcessResult {
      let result = try ChildProcess.run(
        program: FilePath(bytes: shell[0]) ?? FilePath("/bin/sh"),
        arguments: shell.dropFirst() + [Array("-c".utf8), Array(line.utf8)], environment: environment, folder: folder,
        timeoutMilliseconds: 120_000)
      try #require(!result.isTimedOut, "\(name)$ \(line)")
      return result
    }

    /// Runs a line that must succeed, each of its commands; answers what it wrote, both streams.
    @discardableResult
    func run(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
      let result = try shell("set -e\n" + line)
      try #require(
        result.status == 0, "\(name)$ \(line): \(result.status), \(result.outputText)\(result.errorText)",
        sourceLocation: sourceLocation)
      return result.outputText + result.errorText
    }

    /// The names in the folder, `.dver` left out, in the order of their bytes.
    func names() throws -> [[UInt8]] {
      try FileSystem.list(folder).map(\.name).filter { $0 != Array(".dver".utf8) }
        .sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// The bytes of a file in the folder; `nil` where there is none.
    func content(_ name: [UInt8]) -> [UInt8]? { try? FileSystem.read(folder.appending(name), limit: 1 << 28) }

    /// The text of a file in the folder; `nil` where there is none.
    func text(_ name: String) -> String? { content(Array(name.utf8)).map { String(decoding: $0, as: UTF8.self) } }

    /// The objects that a line of the shell, which must succeed, writes as JSON Lines.
    func json(_ line: String) throws -> [JSONValue] {
      try shell(line).output.split(separator: UInt8(ascii: "\n")).map { try JSONValue(parsing: $0) }
    }
  }

  let root: FilePath
  private let directory: TemporaryDirectory?
  private(set) var all: [Device] = []

  var a: Device { all[0] }
  var b: Device { all[1] }

  /// Makes the repositories and the empty remote.
  ///
  /// - Parameters:
  ///   - parent: another place than the usual one for temporary folders.
  ///   - user: who runs each shell.
  init(_ names: [String] = ["A", "B"], in parent: FilePath? = nil, as user: PlainUser? = nil) throws {
    if let parent {
      directory = nil
      root = parent.appending("dver-test-\(UInt64.random(in: 0...UInt64.max))")
      try FileSystem.makeFolder(at: root, permissions: 0o700)
    } else {
      let directory = try TemporaryDirectory()
      root = try FileSystem.resolve(directory.path)
      self.directory = directory
    }
    try FileSystem.makeFolder(at: root.appending("R"))
    var program = try CommandRunner().program
    if user != nil {
      // The checkout may lie where the other user may not go.
      let copy = root.appending("dver")
      let link = try ChildProcess.run(
        program: FilePath("cp"), arguments: [Array("-l".utf8), program.bytes, copy.bytes])
      if link.status != 0 {
        _ = try ChildProcess.run(program: FilePath("cp"), arguments: [program.bytes, copy.bytes])
      }
      program = copy
    }
    for name in names {
      try FileSystem.makeFolder(at: root.appending(name))
      let variables = [
        "PATH=\(program.parent):/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LANG=C.UTF-8", "TZ=UTC",
        "SWIFT_BACKTRACE=enable=no", "DVER_DEVICE_NAME=\(name)", "R=\(root.appending("R"))",
      ]
      all.append(
        Device(
          name: name, folder: root.appending(name), shell: (user?.prefix ?? []) + [Array("/bin/sh".utf8)],
          environment: variables.map { Array($0.utf8) }))
    }
    if let user { try user.take(root) }
    for device in all { try device.run("dver init; dver remote add R \"$R\"") }
  }

  deinit {
    if directory == nil { try? FileSystem.removeTree(at: root) }
  }

  /// Exchanges twice on every device in turn, after which all know the same.
  func syncAll(sourceLocation: SourceLocation = #_sourceLocation) throws {
    for _ in 0..<2 { for device in all { try device.run("dver sync R", sourceLocation: sourceLocation) } }
  }
}

/// Somebody whom file permissions bind: a program that runs as root sees through them.
struct PlainUser {
  /// Put before a program to run it as that user; nothing where the tests don't run as root.
  let prefix: [[UInt8]]

  /// `nil`, with a line that says so, where there is no way to run the built program as another user.
  init?(for test: String) throws {
    guard geteuid() == 0 else {
      prefix = []
      return
    }
    let words = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    prefix = words.map { Array($0.utf8) }
    let program = try CommandRunner().program.bytes
    let trial = try? ChildProcess.run(
      program: FilePath(words[0]), arguments: prefix.dropFirst() + [program, Array("--version".utf8)], environment: [])
    guard trial?.status == 0 else {
      print("skipped: \(test): the built program can't be run as another user than root here")
      return nil
    }
  }

  /// Gives a folder and all in it to the user.
  func take(_ folder: FilePath) throws {
    guard !prefix.isEmpty else { return }
    let result = try ChildProcess.run(
      program: FilePath("/bin/chown"), arguments: ["-R", "65534:65534", "\(folder)"].map { Array($0.utf8) },
      environment: [])
    try #require(result.status == 0, "\(result.errorText)")
  }
}
