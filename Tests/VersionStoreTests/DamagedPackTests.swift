import SystemIO
import TestSupport
import Testing
import VersionStore
import Versioning

@Suite("A damaged active pack") struct DamagedPackTests {
  @Test("loses no more than what can't be read, and can be sealed", arguments: [0.3, 0.5, 0.8])
  func flippedByte(place: Double) throws {
    let here = try TestRepository()
    var saved: [Version] = []
    for number in 0..<12 {
      saved.append(try #require(try here.save("document \(number)\n", at: "\(number).txt")))
    }
    let folder = here.directory.path.appending(".dver/private")
    let device = try #require(try FileSystem.list(folder).first)
    let pack = folder.appending(device.name).appending("active/1")
    var bytes = try FileSystem.read(pack, limit: 1 << 20)
    bytes[Int(Double(bytes.count) * place)] ^= 0x40
    try FileDescriptor.open(pack, .writeOnly, options: []).write(bytes)
    try here.reopen()
    try here.repository.store.rebuild()
    let readable = saved.filter { (try? here.content(of: $0)) == "document \($0.record.path.number)\n" }
    #expect(readable.count == saved.count - 1)
    #expect(try !here.repository.verify(isQuick: true).isClean)

    let next = try #require(try here.save("another\n", at: "another.txt"))
    let sealed = try here.repository.store.withLock { () throws(RepositoryError) in try here.repository.store.seal() }
    #expect(sealed != nil)
    try here.repository.store.rebuild()
    for version in readable { #expect(try here.content(of: version) == "document \(version.record.path.number)\n") }
    #expect(try here.content(of: next) == "another\n")
    #expect(try here.repository.verify(isQuick: false).damages == [])
  }
}

extension DocumentPath {
  fileprivate var number: String { String(decoding: bytes.prefix { $0 != UInt8(ascii: ".") }, as: UTF8.self) }
}
