import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("An open folder") struct FolderTests {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func open() throws(SystemError) -> FileDescriptor {
    try FileDescriptor.open(folder.path, .readOnly, options: .directory)
  }

  @Test("keeps every name byte for byte", arguments: Name.hostile)
  func names(_ name: Name) throws {
    let descriptor = try open()
    do {
      let file = try descriptor.open(name.bytes, .writeOnly, options: [.create, .exclusive, .noFollow])
      try file.write([1])
    }
    let entries = try descriptor.entries()
    #expect(entries.map(\.name) == [name.bytes])
    let status = try descriptor.status(of: name.bytes)
    #expect(status.kind == .file && status.size == 1)
    #expect(try FileSystem.read(folder.path.appending(name.bytes), limit: 1) == [1])
    try descriptor.rename(name.bytes, to: Array("other".utf8))
    try descriptor.remove(Array("other".utf8))
    try descriptor.makeFolder(name.bytes)
    try descriptor.removeFolder(name.bytes)
    try descriptor.makeSymbolicLink(name.bytes, target: name.bytes)
    let target = try descriptor.readLink(name.bytes)
    #expect(target == name.bytes)
    try descriptor.remove(name.bytes)
    let left = try descriptor.entries()
    #expect(left.isEmpty)
  }

  @Test(
    "refuses names that lead elsewhere",
    arguments: [
      Name(""), Name("."), Name(".."), Name("a/b"), Name("/"), Name("/etc"), Name("a/"), Name([0x61, 0]), Name([0]),
    ])
  func refusedNames(_ name: Name) throws {
    try folder.write([1], to: "a")
    let good = Array("a".utf8)
    let bad = name.bytes
    // Each opens the folder anew, with an untyped error: the compiler (6.3) crashes on other forms.
    let calls: [() throws -> Void] = [
      { _ = try open().open(bad, .readOnly) },
      { _ = try open().status(of: bad) },
      { _ = try open().readLink(bad) },
      { try open().makeFolder(bad) },
      { try open().remove(bad) },
      { try open().removeFolder(bad) },
      { try open().makeSymbolicLink(bad, target: good) },
      { try open().rename(bad, to: good) },
      { try open().rename(good, to: bad) },
      { try open().makeHardLink(bad, to: good) },
      { try open().setPermissions(0o777, of: bad) },
      { try open().setModificationTime(of: bad, seconds: 0, nanoseconds: 0) },
    ]
    let codes = calls.map { call -> Int32? in
      do {
        try call()
        return nil
      } catch {
        return (error as? SystemError)?.code
      }
    }
    #expect(codes == Array(repeating: EINVAL, count: codes.count))
  }

  @Test("says so where a name is longer than 255 bytes")
  func longName() throws {
    let name = [UInt8](repeating: 0x6E, count: 256)
    #expect(errorCode { () throws(SystemError) in try open().makeFolder(name) } == ENAMETOOLONG)
  }

  @Test("renames as the mode says")
  func renaming() throws {
    let descriptor = try open()
    let (a, b, c) = (Array("a".utf8), Array("b".utf8), Array("c".utf8))
    try folder.write([1], to: "a")
    try folder.write([2], to: "b")
    #expect(errorCode { () throws(SystemError) in try open().rename(a, to: b, how: .noReplace) } == EEXIST)
    #expect(errorCode { () throws(SystemError) in try open().rename(a, to: c, how: .exchange) } == ENOENT)
    try descriptor.rename(a, to: b, how: .exchange)
    #expect(try FileSystem.read(folder.appending("a"), limit: 1) == [2])
    #expect(try FileSystem.read(folder.appending("b"), limit: 1) == [1])
    try descriptor.rename(a, to: c, how: .noReplace)
    #expect(try FileSystem.read(folder.appending("c"), limit: 1) == [2])
    try descriptor.rename(c, to: b)
    #expect(try folder.names() == [b])
    #expect(try FileSystem.read(folder.appending("b"), limit: 1) == [2])
  }

  @Test("moves a name to another folder, even where its path has changed")
  func movedFolder() throws {
    try FileSystem.makeFolder(at: folder.appending("from"))
    try FileSystem.makeFolder(at: folder.appending("to"))
    let from = try FileDescriptor.open(folder.appending("from"), .readOnly, options: .directory)
    let to = try FileDescriptor.open(folder.appending("to"), .readOnly, options: [.directory, .path])
    try FileSystem.rename(from: folder.appending("to"), to: folder.appending("elsewhere"))
    try folder.write([5], to: "from/f")
    try from.rename(Array("f".utf8), to: Array("g".utf8), in: to)
    #expect(try FileSystem.read(folder.appending("elsewhere/g"), limit: 1) == [5])
    let entries = try to.entries()
    #expect(entries.map(\.name) == [Array("g".utf8)])
  }

  @Test("lists many names, as often as asked")
  func listing() throws {
    let descriptor = try open()
    for number in 0..<500 { try descriptor.makeSymbolicLink(Array("name \(number)".utf8), target: [0x78]) }
    let first = try descriptor.entries()
    let second = try descriptor.entries()
    #expect(Set(first.map(\.name)).count == 500)
    #expect(Set(first) == Set(second))
    #expect(first.allSatisfy { $0.kind == .symbolicLink || $0.kind == nil })
  }

  @Test("gives the longest link target that Linux keeps")
  func longTarget() throws {
    let link = folder.appending("link")
    let target = [UInt8](repeating: 0x74, count: 4095)
    let code = errorCode { () throws(SystemError) in try FileSystem.makeSymbolicLink(at: link, target: target) }
    guard code != ENAMETOOLONG else {
      print("skipped: the file system of \(folder.path) keeps shorter links only")
      return
    }
    #expect(code == nil)
    #expect(try FileSystem.readLink(link) == target)
    #expect(try open().readLink(Array("link".utf8)) == target)
    #expect(errorCode { () throws(SystemError) in try open().makeSymbolicLink([0x6D], target: [0x61, 0]) } == EINVAL)
  }
}
