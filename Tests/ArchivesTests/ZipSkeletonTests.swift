import Archives
import Deflate
import TestSupport
import Testing

@Suite("ZipSkeleton") struct ZipSkeletonTests {
  private typealias Member = TestArchive.Member

  /// Takes an archive apart and puts it together again.
  private func again(_ bytes: [UInt8], inlining limit: Int = 64, comparing: Bool = false) throws -> [UInt8] {
    let archive = try ZipArchive(bytes)
    let skeleton = ZipSkeleton(of: archive, inlining: limit)
    var assembler = ZipAssembler(
      skeleton.bytes, byteCount: bytes.count, comparingWith: comparing ? bytes : nil)
    for (member, place) in zip(archive.membersInOrder, skeleton.members) {
      try assembler.append(
        place, data: archive.stored(member), numbers: (member.checksum, member.inflatedByteCount))
    }
    return try assembler.finish(directoryGap: skeleton.directoryGap)
  }

  static let archives: [(String, [UInt8])] = {
    var gaps = TestArchive.document(TestArchive.text(20, seed: 1))
    gaps.members[0].gap = Array("#!/bin/sh\n".utf8)
    gaps.members[2].gap = [0, 0, 0]
    gaps.beforeDirectory = Array("APK Sig Block 42".utf8)
    gaps.trailing = [1, 2, 3]
    gaps.comment = Array("a comment".utf8)
    var order = TestArchive.document(TestArchive.text(20, seed: 1))
    order.directoryOrder = [5, 4, 3, 2, 1, 0]
    var unsigned = TestArchive.document(TestArchive.text(20, seed: 1))
    for place in unsigned.members.indices { unsigned.members[place].isDescriptorSigned = false }
    var wide = ZipSample.everything
    wide.is64 = true
    return [
      ("document", TestArchive.document(TestArchive.text(20, seed: 1)).bytes), ("gaps", gaps.bytes),
      ("order", order.bytes), ("unsigned", unsigned.bytes), ("every form", ZipSample.everything.bytes),
      ("64 bits", wide.bytes),
    ]
  }()

  @Test("gives with the data the very archive", arguments: 0..<archives.count)
  func roundTrip(number: Int) throws {
    let (name, bytes) = Self.archives[number]
    for limit in [0, 30, 64, 100_000] {
      #expect(try again(bytes, inlining: limit) == bytes, "\(name)")
      #expect(try again(bytes, inlining: limit, comparing: true).isEmpty, "\(name)")
    }
  }

  @Test("is the same for two saves of a document that differ in content and time")
  func isStable() throws {
    let first = ZipSkeleton(
      of: try ZipArchive(TestArchive.document(TestArchive.text(20, seed: 1)).bytes), inlining: 64)
    let second = ZipSkeleton(
      of: try ZipArchive(TestArchive.document(TestArchive.text(300, seed: 2), modified: 0x5A21_7000).bytes),
      inlining: 64)
    #expect(first.bytes == second.bytes)
    #expect(first.directoryGap == 0)
    #expect(
      first.members.map(\.filled) == [
        .header, .header, .signedDescriptor, .signedDescriptor, .header, .signedDescriptor,
      ])
  }

  @Test("knows the names of the members")
  func names() throws {
    for (name, bytes) in Self.archives {
      let archive = try ZipArchive(bytes)
      let skeleton = ZipSkeleton(of: archive, inlining: 64)
      let names = try ZipSkeleton.names(in: skeleton.bytes, of: skeleton.members)
      #expect(names == archive.membersInOrder.map(\.name), "\(name)")
    }
  }

  @Test("that is damaged is refused, or gives something else, and never more bytes than were asked for")
  func damage() throws {
    for (name, bytes) in Self.archives {
      let archive = try ZipArchive(bytes)
      let skeleton = ZipSkeleton(of: archive, inlining: 64)
      for place in skeleton.bytes.indices {
        for bit in [0, 3, 7] {
          var damaged = skeleton.bytes
          damaged[place] ^= 1 << UInt8(bit)
          let result = assembled(damaged, skeleton, archive)
          #expect(result != bytes || isFilled(place, bytes, skeleton, archive), "\(name) \(place)")
        }
      }
      for count in 0..<skeleton.bytes.count {
        #expect(assembled(Array(skeleton.bytes.prefix(count)), skeleton, archive) == nil, "\(name) \(count)")
      }
    }
  }

  private func assembled(_ bytes: [UInt8], _ skeleton: ZipSkeleton, _ archive: ZipArchive) -> [UInt8]? {
    var assembler = ZipAssembler(bytes, byteCount: archive.bytes.count)
    do {
      for (member, place) in zip(archive.membersInOrder, skeleton.members) {
        try assembler.append(
          place, data: archive.stored(member), numbers: (member.checksum, member.inflatedByteCount))
      }
      return try assembler.finish(directoryGap: skeleton.directoryGap)
    } catch { return nil }
  }

  /// Whether a byte of the skeleton is one that is filled in anyway.
  private func isFilled(_ place: Int, _ bytes: [UInt8], _ skeleton: ZipSkeleton, _ archive: ZipArchive) -> Bool {
    skeleton.bytes[place] == 0
  }
}
