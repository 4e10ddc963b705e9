import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("The machine") struct MachineTests {
  @Test("tells who and where this process is")
  func facts() throws {
    #expect(Machine.processID == getpid())
    #expect(Machine.userID == getuid())
    #expect(Machine.effectiveUserIsRoot == (geteuid() == 0))
    #expect((1...255).contains(Machine.hostName.count) && !Machine.hostName.contains(0))
    #expect(Machine.platform.hasPrefix("linux-") && Machine.platform.utf8.count < 70)
    #expect(!Machine.machineID.isEmpty && Machine.machineID == Machine.machineID)
    let boot = try FileSystem.read(FilePath("/proc/sys/kernel/random/boot_id"), limit: 100)
    #expect(Machine.bootID + [10] == boot)
  }

  @Test(
    "knows live processes from others",
    arguments: [(0, false), (-1, false), (.min, false), (.max, false), (1, true)]
      as [(Int32, Bool)])
  func processes(process: Int32, isAlive: Bool) {
    #expect(Machine.isProcessAlive(process) == isAlive)
    #expect(Machine.isProcessAlive(getpid()))
  }

  @Test("has clocks that agree with the system's")
  func clocks() {
    let first = Clock.monotonicNanoseconds
    let second = Clock.monotonicNanoseconds
    #expect(second >= first && first > 0)
    #expect(Clock.wallMilliseconds / 60_000 - Int64(time(nil)) / 60 <= 1)
  }

  @Test("gives other random bytes each time")
  func random() {
    var generator = SystemRandom()
    #expect(Set((0..<100).map { _ in generator.next() }).count == 100)
    #expect(SystemRandom.bytes(count: 32) != SystemRandom.bytes(count: 32))
    #expect(SystemRandom.bytes(count: 1000).count == 1000 && SystemRandom.bytes(count: 0).isEmpty)
    #expect(SystemRandom.bytes(count: -1).isEmpty)
    let name = TemporaryName.random()
    #expect(name.starts(with: TemporaryName.prefix) && name.count == TemporaryName.prefix.count + 32)
  }

  @Test("passes arguments and environment as bytes")
  func environment() {
    #expect(Environment.value("PATH")?.isEmpty == false)
    #expect(Environment.value("DVER_NO_SUCH_VARIABLE") == nil)
    #expect(Environment.arguments.map { String(decoding: $0, as: UTF8.self) } == CommandLine.arguments)
  }

  @Test("knows that a pipe is no terminal")
  func terminals() throws {
    let file = try FileDescriptor.open(FilePath("/dev/null"), .readOnly)
    #expect(!StandardStream.isTerminal(file.rawValue))
    #expect(StandardStream.terminalWidth(file.rawValue) == nil)
    #expect(try StandardStream.readAll(file.rawValue, limit: 10) == [])
  }

  @Test("reads a stream to its end, up to a limit")
  func streams() throws {
    let folder = try TemporaryDirectory()
    let bytes = [UInt8](repeating: 4, count: 200_000)
    let path = try folder.write(bytes, to: "f")
    let file = try FileDescriptor.open(path, .readWrite)
    #expect(try StandardStream.readAll(file.rawValue, limit: 200_000) == bytes)
    try file.seek(to: 0)
    let code = errorCode { () throws(SystemError) in _ = try StandardStream.readAll(file.rawValue, limit: 199_999) }
    #expect(code == EFBIG)
    try file.truncate(to: 0)
    try file.seek(to: 0)
    try StandardStream.write(bytes, to: file.rawValue)
    #expect(try FileSystem.read(path, limit: 1 << 20) == bytes)
  }
}
