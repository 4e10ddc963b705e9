import Archives
import TestSupport
import Testing

@Suite("ZipArchive") struct ZipArchiveTests {
  private typealias Entry = ZipSample.Entry

  private func content(_ entries: [ZipSample.Entry]) throws -> [[UInt8]] {
    let archive = try ZipArchive(ZipSample(entries: entries).bytes)
    return try archive.members.map { try archive.content(of: $0) }
  }

  @Test("reads every form of header and descriptor")
  func everyForm() throws {
    let sample = ZipSample.everything
    let archive = try ZipArchive(sample.bytes)
    #expect(archive.members.map(\.name) == sample.entries.map { Array($0.name.utf8) })
    for (member, entry) in zip(archive.members, sample.entries) {
      #expect(try archive.content(of: member) == entry.content, "\(entry.name)")
      #expect(member.comment == Array(entry.comment.utf8))
    }
    #expect(archive.unaccounted.isEmpty)
    #expect(archive.comment == Array("the whole".utf8))
  }

  @Test("reads end records with 64-bit numbers, and an archive without members")
  func ends() throws {
    var sample = ZipSample.everything
    sample.is64 = true
    #expect(try ZipArchive(sample.bytes).members.count == sample.entries.count)
    #expect(try ZipArchive(ZipSample(entries: []).bytes).members.isEmpty)
  }

  @Test("tells which bytes belong to nothing")
  func unaccounted() throws {
    let one = Entry(name: "a", content: [1, 2, 3], gap: Array("#!prefix".utf8))
    let two = Entry(name: "b", content: [4], gap: [0, 0])
    let sample = ZipSample(entries: [one, two], trailing: [9])
    let archive = try ZipArchive(sample.bytes)
    #expect(archive.unaccounted.map(\.count) == [8, 2, 1])
    #expect(archive.unaccounted.first?.lowerBound == 0)
    #expect(archive.unaccounted.last?.upperBound == sample.bytes.count)
  }

  @Test("refuses two members of one name")
  func duplicateNames() {
    let sample = ZipSample(entries: [Entry(name: "a", content: [1]), Entry(name: "a", content: [2])])
    #expect(throws: ZipError.duplicateName([0x61])) { try ZipArchive(sample.bytes) }
  }

  @Test("refuses members that share bytes")
  func overlap() throws {
    // The directory's second entry is made to point at the first member's header, with its name and sizes.
    let sample = ZipSample(entries: [Entry(name: "a", content: [1, 2, 3]), Entry(name: "b", content: [1, 2, 3])])
    var bytes = sample.bytes
    let archive = try ZipArchive(bytes)
    let entry = archive.members[1].directoryRange.lowerBound
    let header = archive.members[1].range.lowerBound
    for index in 0..<4 { bytes[entry + 42 + index] = 0 }
    #expect(throws: ZipError.malformed(offset: 0)) { try ZipArchive(bytes) }
    // Two names in one header can't be, so the second member lies inside of the first one's data instead.
    let inner = Array(bytes[header..<archive.members[1].range.upperBound])
    let nested = ZipSample(entries: [
      Entry(name: "a", content: inner, method: 0), Entry(name: "b", content: [1, 2, 3]),
    ])
    bytes = nested.bytes
    let outer = try ZipArchive(bytes)
    let second = outer.members[1].directoryRange.lowerBound
    for index in 0..<4 {
      bytes[second + 42 + index] = UInt8(truncatingIfNeeded: outer.members[0].dataRange.lowerBound >> (8 * index))
    }
    #expect(throws: ZipError.overlappingMembers(offset: outer.members[0].dataRange.lowerBound)) {
      try ZipArchive(bytes)
    }
  }

  @Test("refuses contents that inflate too far, before it inflates them")
  func bombs() throws {
    let zeros = [UInt8](repeating: 0, count: 1_000_000)
    #expect(throws: ZipError.inflatesTooFar) { try content([Entry(name: "bomb", content: zeros)]) }
    #expect(throws: ZipError.inflatesTooFar) {
      try content([Entry(name: "liar", content: [1, 2, 3], claimedSize: 0xFFFF_FFFE)])
    }
    #expect(throws: ZipError.damagedContent) {
      try content([Entry(name: "liar", content: Array(zeros.prefix(1000)), claimedSize: 900)])
    }
  }

  @Test("refuses damaged, encrypted and unknown contents by name")
  func unreadableContents() throws {
    #expect(throws: ZipError.damagedContent) {
      try content([Entry(name: "a", content: [1, 2, 3], claimedChecksum: 7)])
    }
    for flag in [1, 1 << 6, 1 << 13] as [UInt16] {
      #expect(throws: ZipError.encrypted) { try content([Entry(name: "a", content: [1], flags: flag)]) }
    }
    #expect(throws: ZipError.unsupportedMethod(93)) { try content([Entry(name: "a", content: [1], method: 93)]) }
  }

  @Test("refuses what is no archive", arguments: [[], [0x50], Array("PK\u{3}\u{4} and then nothing of the kind".utf8)])
  func notAnArchive(bytes: [UInt8]) {
    #expect(throws: ZipError.notAnArchive) { try ZipArchive(bytes) }
  }

  @Test("never traps, whatever byte is changed", arguments: [0x01, 0x80, 0xFF] as [UInt8])
  func flippedBytes(change: UInt8) throws {
    var sample = ZipSample.everything
    for is64 in [false, true] {
      sample.is64 = is64
      let bytes = sample.bytes
      for index in bytes.indices {
        var damaged = bytes
        damaged[index] ^= change
        guard let archive = try? ZipArchive(damaged) else { continue }
        // Checksums leave no change of a content unseen.
        for (member, entry) in zip(archive.members, sample.entries) {
          guard let content = try? archive.content(of: member) else { continue }
          #expect(content == entry.content, "byte \(index)")
        }
      }
    }
  }

  @Test("never traps on a cut archive, and calls none whole")
  func cutArchives() {
    let bytes = ZipSample.everything.bytes
    for count in 0..<bytes.count where count != bytes.count {
      #expect(throws: ZipError.self) { try ZipArchive(Array(bytes.prefix(count))) }
    }
  }

  @Test("never traps on fields with hostile numbers", arguments: 0..<200 as Range<UInt64>)
  func hostileNumbers(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var sample = ZipSample.everything
    sample.is64 = Bool.random(using: &generator)
    var bytes = sample.bytes
    for _ in 0..<Int.random(in: 1...8, using: &generator) {
      let place = Int.random(in: 0..<(bytes.count - 8), using: &generator)
      let pattern: [UInt8] = [0, 0x7F, 0x80, 0xFF, 1]
      let value = pattern.randomElement(using: &generator) ?? 0
      for index in 0..<Int.random(in: 1...8, using: &generator) { bytes[place + index] = value }
    }
    guard let archive = try? ZipArchive(bytes) else { return }
    for member in archive.members { _ = try? archive.content(of: member) }
  }
}
