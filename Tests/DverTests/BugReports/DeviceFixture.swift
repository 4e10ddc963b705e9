import SystemIO
import TestSupport
import Testing

/// Folders of documents on several devices, synced over a folder `R`, and shell lines in which `A`, `B` … run the program
/// on a device.
///
/// Cases are named after reports about other programs; each is told in a few commands.
final class DeviceFixture {
  let directory: TemporaryDirectory
  private let program: FilePath
  private let devices: [String]

  /// - Parameter documents: shell lines that make documents on the first device before the others get them.
  init(_ devices: String..., documents: String = "") throws {
    directory = try TemporaryDirectory()
    program = try CommandRunner().program
    self.devices = devices
    let first = devices[0]
    try sh(
      """
      mkdir \(first); cd \(first); \(first) init -q --device \(first) > /dev/null; \(first) remote add R ../R
      \(documents)
      \(first) save -q > /dev/null; \(first) sync -q
      """)
    for other in devices.dropFirst() { try add(other) }
  }

  /// A device that gets everything from the remote.
  func add(_ device: String) throws {
    try sh("dver clone -q R \(device) --device \(device)", devices: devices + [device])
  }

  /// Runs shell lines in the folder that holds the devices' folders; they have to work.
  ///
  /// `A …` runs the program in A's folder, `both` syncs A and B twice; a command fails the test where its status isn't 0.
  @discardableResult
  func sh(_ lines: String, devices given: [String]? = nil, location: SourceLocation = #_sourceLocation) throws -> String
  {
    let result = try run(lines, devices: given)
    try #require(
      result.status == 0, "status \(result.status): \(result.outputText)\(result.errorText)", sourceLocation: location)
    return result.outputText
  }

  func run(_ lines: String, devices given: [String]? = nil) throws -> ProcessResult {
    var prelude = """
      set -e
      D=$PWD
      dver() {
        n=$(($(cat "$D/clock" 2>/dev/null || echo 0) + 1)); echo $n > "$D/clock"
        DVER_NOW=$((1796000000000 + n * 1000)) \(program.description) "$@"
      }
      both() { A sync -q; B sync -q; A sync -q; B sync -q; }
      same() { [ "$1" = "$2" ] || { echo "not the same: $1 | $2" >&2; exit 99; }; }
      count() { grep -c . || true; }

      """
    for device in given ?? devices { prelude += "\(device)() { ( cd \"$D/\(device)\"; dver \"$@\" ); }\n" }
    let environment = ["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "TZ=UTC", "SWIFT_BACKTRACE=enable=no"]
    return try ChildProcess.run(
      program: FilePath("/bin/sh"), arguments: ["-c", prelude + lines].map { Array($0.utf8) },
      environment: environment.map { Array($0.utf8) }, folder: FileSystem.resolve(directory.path),
      timeoutMilliseconds: 240_000)
  }

  func bytes(_ path: String) throws -> [UInt8] { try FileSystem.read(directory.appending(path), limit: 1 << 24) }

  func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

  func write(_ bytes: [UInt8], to path: String) throws {
    try FileDescriptor.open(directory.appending(path), .writeOnly, options: [.create, .truncate]).write(bytes)
  }
}
