import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("An open file") struct FileDescriptorTests {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  @Test("gives back what was written, at the position and at offsets")
  func content() throws {
    let file = try FileDescriptor.open(folder.appending("f"), .readWrite, options: .create)
    try file.write(Array("hello world".utf8))
    try file.write(Array("HELLO".utf8), at: 0)
    try file.write([])
    try file.seek(to: 0)
    let all = try file.readAll(limit: 100)
    #expect(all == Array("HELLO world".utf8))
    let part = UnsafeMutableRawBufferPointer.allocate(byteCount: 5, alignment: 1)
    defer { part.deallocate() }
    let count = try file.read(into: part, at: 6)
    #expect(count == 5 && Array(part) == Array("world".utf8))
    let behind = try file.read(into: part, at: 1000)
    #expect(behind == 0)
  }

  @Test(
    "is read whole up to the limit and refused beyond",
    arguments: [
      (0, 0, nil), (1, 0, EFBIG), (100, 100, nil), (100, 99, EFBIG), (100, .max, nil), (70_000, 70_000, nil),
      (200_000, 70_000, EFBIG), (0, -1, nil), (511, 511, nil), (512, 512, nil), (513, 512, EFBIG),
    ] as [(Int, Int, Int32?)])
  func limits(size: Int, limit: Int, code: Int32?) throws {
    let path = try folder.write([UInt8](repeating: 7, count: size), to: "f")
    let expected = errorCode { () throws(SystemError) in
      let bytes = try FileSystem.read(path, limit: limit)
      #expect(bytes.count == size)
    }
    #expect(expected == code)
  }

  @Test("is read whole where the system reports no size")
  func virtualFile() throws {
    let bytes = try FileSystem.read(FilePath("/proc/self/maps"), limit: 1 << 24)
    #expect(bytes.count > 512)
    #expect(bytes.last == UInt8(ascii: "\n"))
  }

  @Test("refuses offsets beyond what the system can express")
  func offsets() throws {
    let file = try FileDescriptor.open(folder.appending("f"), .readWrite, options: .create)
    let far = UInt64(Int64.max) + 1
    #expect(errorCode { () throws(SystemError) in try file.write([1], at: far) } == EINVAL)
    #expect(errorCode { () throws(SystemError) in try file.truncate(to: .max) } == EINVAL)
    #expect(errorCode { () throws(SystemError) in try file.seek(to: .max) } == EINVAL)
    #expect(errorCode { () throws(SystemError) in _ = try file.nextDataOffset(from: .max) } == EINVAL)
  }

  @Test("is made, made anew or refused as the options say")
  func options() throws {
    let path = folder.appending("f")
    #expect(errorCode { () throws(SystemError) in _ = try FileDescriptor.open(path, .writeOnly) } == ENOENT)
    do {
      let file = try FileDescriptor.open(path, .writeOnly, options: [.create, .exclusive], permissions: 0o600)
      try file.write([1, 2, 3])
    }
    #expect(try FileStatus.of(path).permissions == 0o600)
    let again = errorCode { () throws(SystemError) in
      _ = try FileDescriptor.open(path, .writeOnly, options: [.create, .exclusive])
    }
    #expect(again == EEXIST)
    do {
      let file = try FileDescriptor.open(path, .writeOnly, options: .append)
      try file.write([4])
    }
    #expect(try FileSystem.read(path, limit: 10) == [1, 2, 3, 4])
    _ = try FileDescriptor.open(path, .writeOnly, options: .truncate)
    #expect(try FileSystem.read(path, limit: 10) == [])
    let asFolder = errorCode { () throws(SystemError) in
      _ = try FileDescriptor.open(path, .readOnly, options: .directory)
    }
    #expect(asFolder == ENOTDIR)
  }

  @Test("is not reached through a symbolic link unless links are followed")
  func links() throws {
    let target = try folder.write([9], to: "target")
    let link = folder.appending("link")
    try FileSystem.makeSymbolicLink(at: link, target: target.bytes)
    #expect(try FileSystem.read(link, limit: 10) == [9])
    let refused = errorCode { () throws(SystemError) in
      _ = try FileDescriptor.open(link, .readOnly, options: .noFollow)
    }
    #expect(refused == ELOOP)
    try FileSystem.makeSymbolicLink(at: folder.appending("folders"), target: folder.path.bytes)
    let folderLink = errorCode { () throws(SystemError) in
      _ = try FileDescriptor.open(folder.appending("folders"), .readOnly, options: [.noFollow, .directory])
    }
    #expect(folderLink == ENOTDIR)
    let made = errorCode { () throws(SystemError) in
      try FileSystem.makeSymbolicLink(at: folder.appending("dangling"), target: Array("nowhere".utf8))
      _ = try FileDescriptor.open(folder.appending("dangling"), .writeOnly, options: [.create, .exclusive])
    }
    #expect(made == EEXIST)
  }

  @Test("does not wait for a FIFO's other side when told so")
  func fifo() throws {
    let path = folder.appending("fifo")
    try #require(path.bytes.withUnsafeBufferPointer { _ in mkfifo(path.description, 0o600) } == 0)
    let file = try FileDescriptor.open(path, .readOnly, options: .nonBlocking)
    let kind = try file.status().kind
    #expect(kind == .fifo)
    #expect(try FileSystem.read(path, limit: 10) == [])
    let withoutReader = try TemporaryDirectory()
    try #require(mkfifo(withoutReader.appending("fifo").description, 0o600) == 0)
    let writing = errorCode { () throws(SystemError) in
      _ = try FileDescriptor.open(withoutReader.appending("fifo"), .writeOnly, options: .nonBlocking)
    }
    #expect(writing == ENXIO)
  }

  @Test("shows its holes")
  func sparse() throws {
    let file = try FileDescriptor.open(folder.appending("f"), .readWrite, options: .create)
    try file.truncate(to: 8 << 20)
    try file.write([1], at: 4 << 20)
    try file.synchronize()
    let status = try file.status()
    #expect(status.size == 8 << 20)
    guard status.blocks * 512 < status.size else {
      print("skipped: the file system of \(folder.path) keeps no holes")
      return
    }
    let data = try file.nextDataOffset(from: 0)
    #expect(data == 4 << 20)
    let hole = try file.nextHoleOffset(from: 4 << 20)
    #expect(hole.map { $0 > 4 << 20 && $0 < 8 << 20 } == true)
    let none = try file.nextDataOffset(from: hole ?? 0)
    #expect(none == nil)
    let behind = try file.nextHoleOffset(from: 8 << 20)
    #expect(behind == nil)
  }

  @Test("is locked by one descriptor at a time, or shared by several")
  func locks() throws {
    let first = try FileDescriptor.open(folder.appending("f"), .readWrite, options: .create)
    let second = try FileDescriptor.open(folder.appending("f"), .readWrite)
    var got = [try first.tryLock(exclusive: true), try second.tryLock(exclusive: true)]
    #expect(got == [true, false])
    got = [try second.tryLock(exclusive: false)]
    #expect(got == [false])
    got = [try first.tryLock(exclusive: false), try second.tryLock(exclusive: false)]
    #expect(got == [true, true])
    try first.unlock()
    got = [try second.tryLock(exclusive: true)]
    #expect(got == [true])
  }

  @Test("closes with the end of its life")
  func closing() throws {
    let path = try folder.write([1], to: "f")
    for _ in 0..<20_100 { _ = try FileDescriptor.open(path, .readOnly) }
  }

  @Test("is given to no child process")
  func childProcesses() throws {
    let file = try FileDescriptor.open(folder.appending("f"), .readWrite, options: .create)
    #expect(fcntl(file.rawValue, F_GETFD) & FD_CLOEXEC != 0)
  }
}
