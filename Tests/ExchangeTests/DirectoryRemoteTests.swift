import Exchange
import SystemIO
import TestSupport
import Testing
import VersionStore
import Versioning

@Suite("A folder as a remote") struct DirectoryRemoteTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private var remote: DirectoryRemote { DirectoryRemote(directory.path) }

  @Test("keeps what every remote promises", arguments: RemoteContract.allCases)
  func contract(_ promise: RemoteContract) throws {
    try promise.check(remote)
    try promise.check(DirectoryRemote(directory.appending("missing")))
  }

  @Test("is empty where systems only put their own files")
  func systemFiles() throws {
    try FileSystem.makeFolder(at: directory.appending("lost+found"))
    try directory.write([], to: ".DS_Store")
    try directory.write([1], to: ".dver-tmp-0123")
    #expect(try remote.condition() == .empty)
    try directory.write([1], to: "letter.txt")
    #expect(try remote.condition() == .unmarked)
  }

  @Test("is unreachable where the folder above it is missing")
  func unmounted() throws {
    #expect(throws: RemoteError.self) { try DirectoryRemote(directory.appending("stick/dver")).condition() }
    #expect(try DirectoryRemote(directory.appending("stick")).condition() == .empty)
  }

  @Test(
    "is refused with a marker that is not understood",
    arguments: ["", "dver-remote", "dver-remote 2\n", "dver-remote 1", "hello\n"])
  func marker(_ text: String) throws {
    try directory.write(Array(text.utf8), to: "dver-remote")
    #expect(throws: RemoteError.self) { try remote.condition() }
  }

  @Test("names the format of a newer one")
  func newer() throws {
    try directory.write(Array("dver-remote 27\n".utf8), to: "dver-remote")
    #expect(throws: RemoteError.unsupportedFormat("27")) { try remote.condition() }
  }

  @Test("is no file")
  func file() throws {
    let path = try directory.write([1], to: "file")
    #expect(throws: RemoteError.self) { try DirectoryRemote(path).condition() }
  }

  @Test("can be a repository's folder, or its store")
  func repository() throws {
    let device = try SimulatedDevice("laptop", in: directory.path, clock: SimulatedClock())
    for place in [directory.path, device.storeFolder] {
      let remote = DirectoryRemote(place)
      #expect(try remote.condition() == .ready)
      #expect(remote.tree == device.storeFolder)
      #expect(try remote.privateFolders().map(\.device) == [device.device])
      #expect(remote.isTree(ofStore: device.storeFolder))
    }
  }

  @Test("follows no link out of the tree")
  func link() throws {
    try remote.setUp()
    let secret = try directory.write([7], to: "secret")
    let device = DeviceID(high: 1, low: 2)
    let name = RemoteName.logEntry(of: device, number: 1)
    try FileSystem.makeFolders(at: directory.appending("log/\(device.hexadecimal)"))
    try FileSystem.makeSymbolicLink(at: directory.appending(name.text), target: secret.bytes)
    #expect(throws: RemoteError.notFound(name)) { try remote.get(name, 0..<10) }
    #expect(try remote.head(name) == nil)
  }

  @Test("holds a file whole or not at all, whichever call fails while it is put")
  func faults() throws {
    try remote.setUp()
    let bytes = [UInt8](repeating: 5, count: 10_000)
    var number = 0
    var isInjected = true
    while isInjected {
      let name = RemoteName.logEntry(of: DeviceID(high: 7, low: UInt64(number)), number: 1)
      let (result, report) = FaultInjection.run(.tearing(afterCalls: number)) { () throws(RemoteError) in
        let remote = DirectoryRemote(directory.path)
        try remote.put(name, bytes)
      }
      isInjected = report.isInjected
      try report.simulatePowerLoss()
      let there = try remote.head(name)
      #expect(there == nil || there == 10_000)
      if case .success = result { #expect(there == 10_000, "acknowledged at call \(number)") }
      number += 1
    }
    #expect(number > 8)
  }
}
