import Hashing
import SystemIO
import TestSupport
import Testing

@testable import ObjectStorage

@Suite("The compactor of packs") struct PackCompactorTests {
  @Test(
    "Every version is there again, in a smaller pack, whatever order they are read in",
    arguments: [
      (1, 1, 3000, 1...2), (2, 2, 3000, 1...2), (290, 1, 800, 1...1), (20, 3, 6000, 5...30), (6, 1, 100_000, 40...90),
    ] as [(Int, Int, Int, ClosedRange<Int>)])
  func roundTrip(versions: Int, texts: Int, byteCount: Int, edits: ClosedRange<Int>) throws {
    let all = (0..<texts).map {
      CompactSample.versions(versions, byteCount: byteCount, edits: edits, seed: UInt64($0 + versions))
    }
    let compact = try CompactSample(all)
    guard let pack = try compact.compact() else {
      #expect(versions < 3, "only a short history may be no smaller")
      return
    }
    let file = try compact.sample.openSealed(pack)
    #expect(file.header.version == 2 && file.header.replaces.map(PackName.sealed) == [compact.sealed.name])
    #expect(file.verify(deep: true, resolvingFar: PackSample.resolve).isEmpty)
    #expect(file.objectCount == versions * texts && file.recordCount == versions * texts)
    let store = try compact.store(of: file)
    var generator = SeededGenerator(seed: 1)
    for text in all.flatMap({ $0 }).shuffled(using: &generator) {
      let id = SHA256.hash(text)
      #expect(try store.object(id) == text)
      #expect(try store.contentByteCount(id) == UInt64(text.count))
      let offset = try #require(file.objectOffsets(prefix: id.prefix).first)
      #expect(try file.object(at: offset).id == id)
    }
    for (record, item) in zip(compact.records, pack.records) {
      #expect(record.id == item.id && file.recordOffsets(prefix: record.id.prefix).contains(item.offset))
    }
  }

  @Test("Short texts that are like one another, or not, come in few blocks")
  func neighbours() throws {
    var generator = SeededGenerator(seed: 8)
    let head = TextEdits.text(400, using: &generator)
    var texts = (0..<300).map { head + Array("text \($0)".utf8) + TextEdits.text($0 * 7 % 900, using: &generator) }
    texts += (0..<20).map { _ in (0..<900).map { _ in UInt8.random(in: 0...255, using: &generator) } }
    texts += [[], [1], TextEdits.text(60_000, using: &generator), TextEdits.text(65_000, using: &generator)]
    texts.shuffle(using: &generator)
    let compact = try CompactSample(texts.map { [$0] }, isDeflated: true)
    let ids = texts.map { SHA256.hash($0) }
    let pack = try #require(try compact.compact(histories: [], neighbours: [ids, [ids[3]]]))
    let file = try compact.sample.openSealed(pack)
    let blocks = try #require(file.blocks)
    let members = try (0..<blocks.count).filter { file.isObjectBlock(blocks.offset(at: $0)) }
      .map { try file.decodeObjectBlock(at: blocks.offset(at: $0)).memberCount }
    #expect(members.reduce(0, +) >= 290 && members.count <= 8)
    #expect(file.objectCount == texts.count)
    #expect(file.byteCount < compact.sealed.byteCount * 3 / 4)
    #expect(file.verify(deep: true, resolvingFar: PackSample.resolve).isEmpty)
    let store = try compact.store(of: file)
    for text in texts.shuffled(using: &generator) { #expect(try store.object(SHA256.hash(text)) == text) }
  }

  @Test("A chain of blocks leads to the oldest version")
  func longChains() throws {
    var generator = SeededGenerator(seed: 5)
    var texts = [TextEdits.text(3000, using: &generator)]
    for number in 1..<160 {
      let place = Int.random(in: 0...2900, using: &generator)
      texts.append(texts[number - 1][..<place] + Array("edit \(number)".utf8) + texts[number - 1][place...])
    }
    let compact = try CompactSample([texts])
    let pack = try #require(try compact.compact(membersInBlock: 4))
    let file = try compact.sample.openSealed(pack)
    let blocks = try #require(file.blocks)
    let depths = try (0..<blocks.count).filter { file.isObjectBlock(blocks.offset(at: $0)) }
      .map { try file.decodeObjectBlock(at: blocks.offset(at: $0)).depth }
    #expect(depths.count >= 39 && depths.filter { $0 == 0 }.count == 2)
    #expect(depths.max() == PackCompactor.maximumBlockDepth)
    let store = try compact.store(of: file)
    for text in texts { #expect(try store.object(SHA256.hash(text)) == text) }
  }

  @Test("Texts without anything in common are stored by themselves")
  func unlikeTexts() throws {
    let texts = (0..<6).map { SeededGenerator.bytes(5000, seed: UInt64($0)) }
    let like = CompactSample.versions(50, byteCount: 4000, seed: 1)
    let compact = try CompactSample([texts, like])
    let pack = try #require(try compact.compact())
    let file = try compact.sample.openSealed(pack)
    #expect(file.verify(deep: true, resolvingFar: PackSample.resolve).isEmpty)
    let store = try compact.store(of: file)
    for text in texts + like { #expect(try store.object(SHA256.hash(text)) == text) }
  }

  @Test("Empty texts, and a text that comes back, take part")
  func emptyTexts() throws {
    var texts = CompactSample.versions(60, byteCount: 3000, seed: 2)
    texts.insert([], at: 20)
    texts.insert([1], at: 40)
    let compact = try CompactSample([texts])
    // The same history twice, and ids that the pack doesn't hold.
    let ids = texts.reversed().map { SHA256.hash($0) }
    let pack = try #require(try compact.compact(histories: [ids, ids, [SHA256.hash([9])]]))
    let store = try compact.store(of: compact.sample.openSealed(pack))
    for text in texts { #expect(try store.object(SHA256.hash(text)) == text) }
  }

  @Test("Objects that are in no history are copied, and what stood on one in a history is stored anew")
  func otherObjects() throws {
    let texts = CompactSample.versions(80, byteCount: 3000, seed: 3)
    let list = PackSample.list
    let compact = try CompactSample(
      [texts],
      others: [PackSample.blob(PackSample.world), PackSample.deflatedHello, list, PackSample.blob(PackSample.farBase)])
    let ids = texts.reversed().map { SHA256.hash($0) }
    // What is left out stands on a member, on a whole text, or on what else is left out.
    let pack = try #require(
      try compact.compact(
        [compact.sealed, compact.sealed], histories: [[ids[20]] + ids[40...]]))
    let store = try compact.store(of: compact.sample.openSealed(pack))
    for text in texts { #expect(try store.object(SHA256.hash(text)) == text) }
    #expect(try store.content(SHA256.hash(PackSample.joined), limit: 100) == PackSample.joined)
  }

  @Test("A compacted pack is compacted again, with what came since")
  func again() throws {
    let texts = CompactSample.versions(40, byteCount: 3000, seed: 4)
    let compact = try CompactSample([texts])
    let first = try compact.sample.openSealed(#require(try compact.compact()))
    let ids = texts.reversed().map { SHA256.hash($0) }
    #expect(try compact.compact([first], histories: [ids]) == nil, "it can't get smaller")
    // Two packs with the same objects become one.
    let second = try #require(try compact.compact([compact.sealed, first], histories: [ids]))
    let file = try compact.sample.openSealed(second)
    #expect(file.header.replaces.count == 2 && file.byteCount <= first.byteCount + 32)
    let store = try compact.store(of: file)
    for text in texts { #expect(try store.object(SHA256.hash(text)) == text) }
    #expect(throws: ObjectStoreError.self) { _ = try compact.sample.seal([first]) }
  }

  @Test("An object that reads wrong is not written")
  func wrongSource() throws {
    let texts = CompactSample.versions(20, byteCount: 3000, seed: 6)
    let compact = try CompactSample([texts])
    let wrong = SHA256.hash(texts[7])
    let store = compact.store()
    #expect(throws: ObjectStoreError.self) {
      _ = try PackCompactor.compact(
        [compact.sealed], replaces: [], device: PackSample.device, to: compact.sample.packs,
        histories: [texts.reversed().map { SHA256.hash($0) }], records: compact.records,
        columns: { (range, _) throws(ObjectStoreError) in CompactSample.columns(Array(compact.records[range])) },
        from: PackCompactor.Source(
          byteCount: { (id) throws(ObjectStoreError) in try store.contentByteCount(id) },
          read: { (id, kind) throws(ObjectStoreError) in id == wrong ? texts[8] : try store.base(id, kind) }))
    }
    let left = try FileSystem.list(compact.sample.packs).map(\.name)
    #expect(left.count == 1 && !left[0].starts(with: TemporaryName.prefix))
  }
}
