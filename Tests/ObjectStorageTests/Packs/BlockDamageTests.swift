import Hashing
import SystemIO
import TestSupport
import Testing

@testable import ObjectStorage

@Suite("Damaged blocks") struct BlockDamageTests {
  private static func small() throws -> (CompactSample, SealedPack, [UInt8]) {
    // Two blocks behind one text, and one behind another.
    let compact = try CompactSample([
      CompactSample.versions(7, byteCount: 300, edits: 1...1, seed: 1),
      CompactSample.versions(3, byteCount: 200, edits: 1...1, seed: 2),
    ])
    // What matters here is the form, not the size: with the sealed pack twice it is smaller in any case.
    let pack = try #require(try compact.compact([compact.sealed, compact.sealed], membersInBlock: 3))
    let bytes = try FileSystem.read(pack.id.path(inPacks: compact.sample.packs), limit: 1 << 20)
    return (compact, pack, bytes)
  }

  /// Writes the bytes as a pack and reads all there is; whatever is given must be right.
  private static func read(
    _ bytes: [UInt8], _ compact: CompactSample, _ comment: Comment
  ) throws -> [PackDamage]? {
    let path = compact.sample.folder.appending("damaged")
    try AtomicFile.write(bytes, to: path, isDurable: false)
    let name = PackName.sealed(PackID(SHA256.hash([1])))
    guard let pack = try? PackFile.open(path, name: name) else { return nil }
    let cache = BlockCache()
    try? pack.forEachObject { (entry) throws(ObjectStoreError) in
      guard let object = entry.object,
        let decoded = try? pack.objectBytes(at: entry.offset, known: nil, cache, resolvingFar: PackSample.resolve)
      else { return }
      #expect(SHA256.hash(decoded) == object.id, comment)
    }
    try? pack.forEachRecord { (entry) throws(ObjectStoreError) in
      if case .member(let block, _) = entry.record { _ = try? pack.recordBlock(at: block) }
    }
    for offset in [0, 36, 100, pack.byteCount / 2, pack.byteCount - 60] { _ = try? pack.entry(at: offset) }
    _ = pack.objectOffsets(prefix: 7)
    _ = pack.recordOffsets(prefix: 7)
    return pack.verify(deep: false, resolvingFar: PackSample.resolve)
  }

  @Test("Any byte changed in a compacted pack is found, and gives an error or right bytes")
  func changedBytes() throws {
    let (compact, _, bytes) = try Self.small()
    for place in 0..<bytes.count {
      var damaged = bytes
      damaged[place] ^= UInt8(1 << (place % 8))
      guard let damages = try Self.read(damaged, compact, "byte \(place)") else { continue }
      #expect(damages.count > 1, "byte \(place): the part is damaged, and the hash")
    }
  }

  @Test("A compacted pack cut anywhere is refused")
  func cut() throws {
    let (compact, _, bytes) = try Self.small()
    for count in 0..<bytes.count {
      #expect(try Self.read(Array(bytes[..<count]), compact, "\(count) bytes") == nil)
    }
  }

  /// The pack with a block's body changed, and its checksum right again.
  private static func changed(
    _ bytes: [UInt8], block: UInt64, _ change: (inout [UInt8]) -> Void
  ) throws -> [UInt8] {
    let start = Int(block)
    let body = try bytes.withUnsafeBytes {
      try PackFormat.decodeFrame(in: $0, at: block, types: 6...7).body
    }
    var content = Array(bytes[body])
    let count = content.count
    change(&content)
    let entry = PackFormat.encodeBlock(bytes[start], content)
    #expect(content.count == count, "the places behind stay")
    return bytes[..<start] + entry + bytes[(body.upperBound + 4)...]
  }

  @Test("Any byte changed in a block whose checksum was made to fit gives an error or right bytes")
  func hostileBlocks() throws {
    let (compact, pack, bytes) = try Self.small()
    let file = try compact.sample.openSealed(pack)
    let blocks = try #require(file.blocks)
    for number in 0..<blocks.count {
      let offset = blocks.offset(at: number)
      let body = try file.bytes.withRawBytesCopy { try PackFormat.decodeFrame(in: $0, at: offset, types: 6...7).body }
      for place in 0..<body.count {
        for value in [0, 0x7F, 0xFF] as [UInt8] where bytes[body.lowerBound + place] != value {
          let damaged = try Self.changed(bytes, block: offset) { $0[place] = value }
          _ = try Self.read(damaged, compact, "block \(number), byte \(place)")
        }
      }
    }
  }

  @Test("A list of blocks that names other places or numbers of members is found")
  func hostileList() throws {
    let (compact, pack, bytes) = try Self.small()
    let file = try compact.sample.openSealed(pack)
    let count = try #require(file.blocks).count
    let start = bytes.count - PackFooter.byteCount - count * PackFooter.blockItemByteCount
    for place in 0..<count * PackFooter.blockItemByteCount {
      for value in [0, 1, 0xFF] as [UInt8] where bytes[start + place] != value {
        var damaged = bytes
        damaged[start + place] = value
        let damages = try #require(try Self.read(damaged, compact, "byte \(place) of the list"))
        #expect(damages.count > 1)
      }
    }
  }

  @Test("A block that claims to be its own base, or a deep chain, ends")
  func rings() throws {
    let (compact, pack, bytes) = try Self.small()
    let file = try compact.sample.openSealed(pack)
    let blocks = try #require(file.blocks)
    let second = try file.decodeObjectBlock(at: blocks.offset(at: 1))
    #expect(second.depth == 1 && second.base == blocks.offset(at: 0))
    for depth in [0, 2, 255] as [UInt8] {
      let damaged = try Self.changed(bytes, block: second.offset) { body in
        // Behind the number of members and the distance.
        let place = body.firstIndex { $0 < 0x80 } ?? 0
        let next = body[(place + 1)...].firstIndex { $0 < 0x80 } ?? 0
        if depth < 0x80 { body[next + 1] = depth }
      }
      let path = compact.sample.folder.appending("ring")
      try AtomicFile.write(damaged, to: path, isDurable: false)
      let open = try PackFile.open(path, name: .sealed(pack.id))
      if depth == 255 { continue }
      #expect(throws: ObjectStoreError.self) {
        _ = try open.objectBytes(at: second.offset, resolvingFar: PackSample.resolve)
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func withRawBytesCopy<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { try body(self) }
}
