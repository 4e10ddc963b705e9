import Glibc
import SystemIO
import TestSupport
import Testing

/// A time and whether every file system keeps it.
struct TimeCase: CustomTestStringConvertible {
  let testDescription: String
  let seconds: Int64
  let nanoseconds: UInt32
}

@Suite("A file's status") struct FileStatusTests {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  @Test("tells the kind without following a link")
  func kinds() throws {
    let file = try folder.write([1, 2, 3], to: "file")
    let link = folder.appending("link")
    try FileSystem.makeSymbolicLink(at: link, target: Array("file".utf8))
    try #require(mkfifo(folder.appending("fifo").description, 0o600) == 0)
    #expect(try FileStatus.of(file).kind == .file)
    #expect(try FileStatus.of(file).size == 3)
    #expect(try FileStatus.of(link).kind == .symbolicLink)
    #expect(try FileStatus.of(link).size == 4)
    #expect(try FileStatus.of(link, followingLinks: true).kind == .file)
    #expect(try FileStatus.of(folder.path).kind == .folder)
    #expect(try FileStatus.of(folder.appending("fifo")).kind == .fifo)
    #expect(try FileStatus.of(FilePath("/dev/null")).kind == .device)
    let kinds = try FileSystem.list(folder.path).reduce(into: [[UInt8]: FileKind?]()) { $0[$1.name] = $1.kind }
    for (name, kind) in kinds where kind != nil {
      #expect(try FileStatus.of(folder.appending(name)).kind == kind)
    }
    #expect(kinds.count == 3)
  }

  static let times = [
    TimeCase(testDescription: "now or so", seconds: 1_700_000_000, nanoseconds: 123_456_789),
    TimeCase(testDescription: "1970", seconds: 0, nanoseconds: 0),
    TimeCase(testDescription: "just before 1970", seconds: -1, nanoseconds: 999_999_999),
    TimeCase(testDescription: "1901", seconds: -2_147_483_647, nanoseconds: 1),
    TimeCase(testDescription: "2038", seconds: 2_147_483_648, nanoseconds: 5),
    TimeCase(testDescription: "2106", seconds: 4_294_967_296, nanoseconds: 0),
    TimeCase(testDescription: "year 1", seconds: -62_135_596_800, nanoseconds: 0),
    TimeCase(testDescription: "year 10000", seconds: 253_402_300_800, nanoseconds: 42),
  ]

  @Test("keeps any modification time that the file system can, and the nearest otherwise", arguments: times)
  func modificationTimes(_ time: TimeCase) throws {
    let path = try folder.write([], to: "f")
    let link = folder.appending("link")
    try FileSystem.makeSymbolicLink(at: link, target: Array("f".utf8))
    try FileSystem.setModificationTime(seconds: time.seconds, nanoseconds: time.nanoseconds, at: path)
    expect(try FileStatus.of(path), time)
    try FileSystem.setModificationTime(seconds: time.seconds, nanoseconds: time.nanoseconds, at: link)
    expect(try FileStatus.of(link), time)
    let file = try FileDescriptor.open(path, .writeOnly)
    try file.setModificationTime(seconds: time.seconds, nanoseconds: time.nanoseconds)
    expect(try file.status(), time)
    let descriptor = try FileDescriptor.open(folder.path, .readOnly, options: .directory)
    let name = Array("f".utf8)
    try descriptor.setModificationTime(of: name, seconds: time.seconds, nanoseconds: time.nanoseconds)
    expect(try descriptor.status(of: name), time)
  }

  private func expect(_ status: FileStatus, _ time: TimeCase) {
    if status.modificationSeconds == time.seconds {
      #expect(status.modificationNanoseconds == time.nanoseconds)
      return
    }
    // What every Linux file system must keep lies between 1901 and 2106 at least, on ext4 until 2446.
    print("\(folder.path) keeps \(time.testDescription) as \(status.modificationSeconds) s")
    #expect(
      !(-2_147_483_648...4_294_967_295).contains(time.seconds) && (time.seconds < 0) == (status.modificationSeconds < 0)
    )
  }

  @Test(
    "takes no nanoseconds of a second and more, which the system reads as commands",
    arguments: [
      1_000_000_000, 0x3FFF_FFFF, 0x3FFF_FFFE, .max,
    ] as [UInt32])
  func nanoseconds(value: UInt32) throws {
    let path = try folder.write([], to: "f")
    let code = errorCode { () throws(SystemError) in
      try FileSystem.setModificationTime(seconds: 0, nanoseconds: value, at: path)
    }
    #expect(code == EINVAL)
  }

  @Test(
    "has the permissions that were set, whatever umask says", arguments: [0, 0o644, 0o777, 0o4755, 0o1600] as [UInt16])
  func permissions(value: UInt16) throws {
    let path = try folder.write([], to: "f")
    try FileSystem.setPermissions(value, at: path)
    #expect(try FileStatus.of(path).permissions == value)
    let descriptor = try FileDescriptor.open(folder.path, .readOnly, options: .directory)
    try descriptor.setPermissions(0o600, of: Array("f".utf8))
    #expect(try FileStatus.of(path).permissions == 0o600)
    let file = try FileDescriptor.open(path, .writeOnly)
    try file.setPermissions(value)
    #expect(try FileStatus.of(path).permissions == value)
  }

  @Test("does not let permissions through a link")
  func linkPermissions() throws {
    let path = try folder.write([], to: "f")
    try FileSystem.setPermissions(0o640, at: path)
    try FileSystem.makeSymbolicLink(at: folder.appending("link"), target: Array("f".utf8))
    let code = errorCode { () throws(SystemError) in try FileSystem.setPermissions(0o777, at: folder.appending("link"))
    }
    #expect(code == EOPNOTSUPP)
    #expect(try FileStatus.of(path).permissions == 0o640)
  }
}
