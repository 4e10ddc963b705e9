import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("The file system") struct FileSystemTests {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  @Test("makes the folders that are missing and says which")
  func makeFolders() throws {
    let deep = folder.appending("a/b/c")
    let all = [folder.appending("a"), folder.appending("a/b"), deep]
    #expect(try FileSystem.makeFolders(at: deep) == all)
    #expect(try FileSystem.makeFolders(at: deep) == [])
    // No name can be made there, and the system says that it is not there.
    #expect(throws: SystemError.self) { try FileSystem.makeFolders(at: FilePath("/proc/dver/deep")) }
    #expect(try FileSystem.makeFolders(at: folder.appending("a/b/d")) == [folder.appending("a/b/d")])
    try FileSystem.makeSymbolicLink(at: folder.appending("link"), target: Array("a".utf8))
    #expect(try FileSystem.makeFolders(at: folder.appending("link")) == [])
    try folder.write([], to: "file")
    #expect(errorCode { () throws(SystemError) in try FileSystem.makeFolders(at: folder.appending("file")) } == EEXIST)
    let below = errorCode { () throws(SystemError) in try FileSystem.makeFolders(at: folder.appending("file/x")) }
    #expect(below == ENOTDIR)
    try FileSystem.makeSymbolicLink(at: folder.appending("dangling"), target: Array("nowhere".utf8))
    let dangling = errorCode { () throws(SystemError) in try FileSystem.makeFolders(at: folder.appending("dangling")) }
    #expect(dangling == ENOENT)
  }

  @Test("removes a tree and nothing that its links lead to")
  func removeTree() throws {
    let outside = try TemporaryDirectory()
    try outside.write([1], to: "precious")
    try FileSystem.makeFolders(at: folder.appending("tree/inner"))
    try folder.write([2], to: "tree/inner/f")
    for place in ["tree/link", "tree/inner/link"] {
      try FileSystem.makeSymbolicLink(at: folder.appending(place), target: outside.path.bytes)
    }
    try FileSystem.makeSymbolicLink(at: folder.appending("tree/up"), target: Array("..".utf8))
    try folder.write([3], to: "beside")
    try FileSystem.removeTree(at: folder.appending("tree"))
    #expect(try folder.names() == [Array("beside".utf8)])
    #expect(try outside.names() == [Array("precious".utf8)])
  }

  @Test("removes a link or file given as a tree by itself")
  func removeTreeOfOne() throws {
    let outside = try TemporaryDirectory()
    try outside.write([1], to: "precious")
    try FileSystem.makeSymbolicLink(at: folder.appending("link"), target: outside.path.bytes)
    try folder.write([1], to: "file")
    try FileSystem.removeTree(at: folder.appending("link"))
    try FileSystem.removeTree(at: folder.appending("file"))
    #expect(try folder.names() == [])
    #expect(try outside.names() == [Array("precious".utf8)])
    #expect(errorCode { () throws(SystemError) in try FileSystem.removeTree(at: folder.appending("none")) } == ENOENT)
  }

  @Test("removes a tree deeper than a path can be long")
  func removeDeepTree() throws {
    let name = [UInt8](repeating: 0x64, count: 100)
    try FileSystem.makeFolder(at: folder.appending("deep"))
    var descriptor = try FileDescriptor.open(folder.appending("deep"), .readOnly, options: .directory)
    for _ in 0..<200 {
      try descriptor.makeFolder(name)
      try descriptor.makeSymbolicLink([0x6C], target: Array("..".utf8))
      descriptor = try descriptor.open(name, .readOnly, options: [.directory, .noFollow])
    }
    try FileSystem.removeTree(at: folder.appending("deep"))
    #expect(try folder.names() == [])
  }

  @Test("removes files and empty folders by their own calls only")
  func removal() throws {
    try folder.write([], to: "file")
    try FileSystem.makeFolder(at: folder.appending("folder"))
    #expect(errorCode { () throws(SystemError) in try FileSystem.remove(at: folder.appending("folder")) } == EISDIR)
    #expect(
      errorCode { () throws(SystemError) in try FileSystem.removeFolder(at: folder.appending("file")) } == ENOTDIR)
    #expect(errorCode { () throws(SystemError) in try FileSystem.removeFolder(at: folder.path) } == ENOTEMPTY)
    try FileSystem.remove(at: folder.appending("file"))
    try FileSystem.removeFolder(at: folder.appending("folder"))
    #expect(try folder.names() == [])
  }

  @Test("renames as the mode says")
  func renaming() throws {
    let (a, b) = (try folder.write([1], to: "a"), try folder.write([2], to: "b"))
    #expect(errorCode { () throws(SystemError) in try FileSystem.rename(from: a, to: b, how: .noReplace) } == EEXIST)
    try FileSystem.rename(from: a, to: b, how: .exchange)
    #expect(try FileSystem.read(a, limit: 1) == [2])
    try FileSystem.rename(from: a, to: b)
    #expect(try FileSystem.read(b, limit: 1) == [2])
    #expect(try folder.names() == [[0x62]])
  }

  @Test(
    "copies ranges up to the end of the source",
    arguments: [
      (0, 0, 300_000, 300_000), (0, 10, 5, 5), (299_990, 0, 100, 10), (400_000, 0, 100, 0), (0, 0, 0, 0),
      (5, 1_000_000, 250_000, 250_000),
    ] as [(UInt64, UInt64, UInt64, UInt64)])
  func copyRange(from: UInt64, to: UInt64, count: UInt64, copied: UInt64) throws {
    var generator = SeededGenerator(seed: 1)
    let bytes = (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let source = try FileDescriptor.open(try folder.write(bytes, to: "source"), .readOnly)
    let target = try FileDescriptor.open(folder.appending("target"), .readWrite, options: .create)
    let got = try FileSystem.copyRange(from: source, at: from, to: target, at: to, count: count)
    #expect(got == copied)
    let expected = copied == 0 ? [] : [UInt8](repeating: 0, count: Int(to)) + bytes[Int(from)..<Int(from + copied)]
    let result = try target.readAll(limit: 2_000_000)
    #expect(result == expected)
    let overflow = errorCode { () throws(SystemError) in
      try FileSystem.copyRange(from: source, at: .max, to: target, at: 0, count: 2)
    }
    #expect(overflow == EINVAL)
  }

  #if DEBUG
    @Test("copies by reading and writing where the kernel cannot", arguments: [EXDEV, ENOSYS, EOPNOTSUPP, EINVAL])
    func copyRangeFallback(code: Int32) throws {
      let bytes = [UInt8](repeating: 3, count: 400_000)
      let path = try folder.write(bytes, to: "source")
      let copy = folder.appending("target")
      let (result, report) = FaultInjection.run(.failing(function: "copy_file_range", errno: code)) {
        let source = try FileDescriptor.open(path, .readOnly)
        let target = try FileDescriptor.open(copy, .readWrite, options: .create)
        return try FileSystem.copyRange(from: source, at: 0, to: target, at: 0, count: 1_000_000)
      }
      #expect(try result.get() == 400_000)
      #expect(report.isInjected)
      #expect(try FileSystem.read(copy, limit: 1_000_000) == bytes)
    }
  #endif

  @Test("shares storage with another file, or says that it cannot and changes nothing")
  func clone() throws {
    let source = try FileDescriptor.open(try folder.write([1, 2, 3], to: "source"), .readOnly)
    let target = try FileDescriptor.open(folder.appending("target"), .readWrite, options: .create)
    let isCloned = try FileSystem.clone(source, to: target)
    #expect(try FileSystem.read(folder.appending("target"), limit: 10) == (isCloned ? [1, 2, 3] : []))
  }

  @Test("knows its volumes")
  func volumes() throws {
    #expect(try FileSystem.availableBytes(at: folder.path) > 0)
    #expect(try FileSystem.kind(ofVolumeAt: FilePath("/proc")) == .other)
    let kind = try FileSystem.kind(ofVolumeAt: folder.path)
    let birth = try FileSystem.birthTime(of: folder.path)
    if kind == .ext {
      #expect(kind.hasStableInodes && !kind.isNetwork)
      let made = try #require(birth)
      #expect(made.seconds > 1_600_000_000 && made.nanoseconds < 1_000_000_000)
    }
    #expect(VolumeKind.network.isNetwork && !VolumeKind.network.hasStableInodes)
    #expect(errorCode { () throws(SystemError) in _ = try FileSystem.birthTime(of: folder.appending("no")) } == ENOENT)
  }
}
