import Archives
import Testing

@Suite("ZipWriter") struct ZipWriterTests {
  @Test("copies members byte for byte, in any order")
  func copies() throws {
    let source = try ZipArchive(ZipSample.everything.bytes)
    var writer = ZipWriter()
    for member in source.members.reversed() { try writer.append(member, of: source) }
    let copy = try ZipArchive(try writer.finish(comment: source.comment))
    #expect(copy.members.map(\.name) == source.members.reversed().map(\.name))
    #expect(copy.unaccounted.isEmpty && copy.comment == source.comment)
    for (member, original) in zip(copy.members, source.members.reversed()) {
      #expect(copy.bytes[member.range] == source.bytes[original.range])
      #expect(try copy.content(of: member) == source.content(of: original))
      #expect((member.comment, member.externalAttributes) == (original.comment, original.externalAttributes))
    }
  }

  @Test("gives back the very archive when all members are copied in order")
  func identical() throws {
    let source = try ZipArchive(ZipSample.everything.bytes)
    var writer = ZipWriter()
    for member in source.members { try writer.append(member, of: source) }
    #expect(try writer.finish(comment: source.comment) == source.bytes)
  }

  @Test("writes new members with sizes in the header")
  func newMembers() throws {
    let contents: [[UInt8]] = [Array("application/epub+zip".utf8), [], Array(repeating: 7, count: 3000)]
    var writer = ZipWriter()
    try writer.append(ZipMember(name: Array("mimetype".utf8), method: .stored), content: contents[0])
    try writer.append(ZipMember(name: Array("empty".utf8)), content: contents[1])
    try writer.append(ZipMember(name: Array("\u{E9}".utf8)), content: contents[2])
    let archive = try ZipArchive(try writer.finish())
    #expect(Array(archive.bytes[38..<58]) == contents[0])
    #expect(try archive.members.map { try archive.content(of: $0) } == contents)
    #expect(archive.members.allSatisfy { !$0.flags.contains(.hasDescriptor) })
    #expect(archive.members[2].flags.contains(.isUTF8))
    #expect(archive.members[0].versionNeeded == 10)
  }

  @Test("gives a member of another archive a new content, without its descriptor and 64-bit sizes")
  func replaced() throws {
    let source = try ZipArchive(ZipSample.everything.bytes)
    var writer = ZipWriter()
    for member in source.members { try writer.append(member, content: Array("new".utf8)) }
    let archive = try ZipArchive(try writer.finish())
    for (member, original) in zip(archive.members, source.members) {
      #expect(try archive.content(of: member) == Array("new".utf8))
      #expect((member.name, member.method, member.modified) == (original.name, original.method, original.modified))
      #expect(
        !member.flags.contains(.hasDescriptor)
          && member.range.count == member.dataRange.count + 30
            + member.name.count + member.localExtra.count
      )
    }
    #expect(archive.members[3].extra.isEmpty && archive.members[3].localExtra.isEmpty)
    #expect(archive.members[6].localExtra == source.members[6].localExtra)
  }

  @Test("writes end records with 64-bit numbers for very many members")
  func veryMany() throws {
    var writer = ZipWriter()
    for index in 0..<65_600 { try writer.append(ZipMember(name: Array("\(index)".utf8), method: .stored), content: []) }
    #expect(try ZipArchive(try writer.finish()).members.count == 65_600)
  }
}
