import Deflate
import Hashing
import SystemIO
import TestSupport
import Testing

@testable import ObjectStorage

@Suite("The writer of contents") struct ContentWriterTests {
  /// A store that is written and read, with what it holds by id.
  private final class Bench {
    let sample: PackSample
    let writer: ActivePackWriter
    var places: [ObjectID: [ObjectLocation]] = [:]

    init() throws {
      sample = try PackSample()
      writer = try ActivePackWriter.create(folder: sample.active, device: PackSample.device, number: 1)
    }

    var contents: ContentWriter {
      let contains: ContentWriter.Contains = { [self] (id) throws(ObjectStoreError) in places[id] != nil }
      return ContentWriter(writer, contains: contains, containsPart: contains)
    }

    var store: ObjectStore {
      ObjectStore(packsFolder: sample.packs, locate: { [self] (id) throws(ObjectStoreError) in places[id] ?? [] })
    }

    func index() throws {
      let pack = try sample.open()
      places = [:]
      try pack.forEachObject { (entry) throws(ObjectStoreError) in
        guard let id = entry.object?.id else { return }
        places[id, default: []].append(ObjectLocation(pack: pack.name, offset: entry.offset))
      }
    }

    /// Saves one content in a group of its own.
    @discardableResult
    func save(_ content: [UInt8], against base: ObjectID? = nil) throws -> ContentWriter.Written {
      let candidates = try base.map { try store.deltaCandidates(for: $0, device: PackSample.device) }
      writer.begin()
      let contents = contents
      let written = try contents.write(content, candidates: candidates ?? [])
      _ = try contents.append(written, record: .full([1]))
      try writer.commit(.save)
      try index()
      return written
    }
  }

  private static func text(lines: Int, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    let words = ["version", "of", "a", "document", "is", "kept", "for", "ever", "and", "so", "on"]
    return (0..<lines).flatMap { _ in
      Array(((0..<8).map { _ in words.randomElement(using: &generator) ?? "" }.joined(separator: " ") + "\n").utf8)
    }
  }

  /// The chunks of a content, as they are found when it is read.
  private static func chunks(of content: [UInt8]) throws -> ChunkList {
    var scanner = ChunkScanner()
    content.withUnsafeBytes { scanner.add($0) }
    scanner.finish()
    return try #require(ChunkList(chunks: scanner.takeChunks()))
  }

  /// Saves a file by the chunks of a content.
  private static func save(
    _ bench: Bench, _ content: [UInt8], inFile file: [UInt8], after earlier: ObjectID? = nil, threads: Int
  ) throws -> ContentWriter.Written? {
    let path = bench.sample.packs.appending("content-\(threads)")
    try FileDescriptor.open(path, .writeOnly, options: [.create, .truncate]).write(file)
    let contents = bench.contents
    bench.writer.begin()
    let (store, device) = (bench.store, PackSample.device)
    let written = try contents.write(
      try chunks(of: content), id: SHA256.hash(content),
      of: SharedFile(try FileDescriptor.open(path, .readOnly)),
      candidates: try earlier.map { try store.deltaCandidates(for: $0, device: device) } ?? [],
      chunkCandidates: { (id) throws(ObjectStoreError) in try store.deltaCandidates(for: id, device: device) },
      threadCount: threads)
    if let written { _ = try contents.append(written, record: .full([1])) }
    try bench.writer.commit(.save)
    try bench.index()
    return written
  }

  @Test("A file that was cut before comes back, and makes the same pack with any number of threads")
  func cutBefore() throws {
    let text = Self.text(lines: 40_000, seed: 8)
    let content = text + SeededGenerator.bytes(3_000_000, seed: 9) + text
    var packs: [[UInt8]] = []
    for threads in 0...3 {
      let bench = try Bench()
      let written = try #require(try Self.save(bench, content, inFile: content, threads: threads))
      #expect(written.id == SHA256.hash(content) && written.byteCount == UInt64(content.count))
      #expect(try bench.store.content(written.id, limit: .max) == content)
      packs.append(try FileSystem.read(bench.writer.path, limit: 1 << 26))
      // A second time nothing is read.
      let before = bench.writer.byteCount
      let again = try #require(try Self.save(bench, content, inFile: [], threads: threads))
      #expect(again.object == nil && bench.writer.byteCount - before < 100)
    }
    #expect(Set(packs).count == 1)
  }

  @Test("A large file with a small change costs little, however often, and its chunks don't get deep")
  func changedLarge() throws {
    let bench = try Bench()
    var content = SeededGenerator.bytes(5_000_000, seed: 12)
    var generator = SeededGenerator(seed: 13)
    var last = try #require(try Self.save(bench, content, inFile: content, threads: 0)).id
    var growth: [UInt64] = []
    for round in 0..<40 {
      // Each time next to the last one, so that the same chunk changes again and again.
      content.insert(contentsOf: SeededGenerator.bytes(100, seed: UInt64(round)), at: 2_500_000)
      content[Int.random(in: 0..<content.count, using: &generator)] ^= 1
      let before = bench.writer.byteCount
      last = try #require(try Self.save(bench, content, inFile: content, after: last, threads: round % 3)).id
      growth.append(bench.writer.byteCount - before)
      #expect(try bench.store.content(last, limit: .max) == content)
    }
    growth.sort()
    #expect(growth[20] < 2_000, "most chunks are deltas")
    let depths = try Self.chunks(of: content).chunks.flatMap { try bench.store.info(of: $0.id).map(\.entry.depth) }
    #expect((1...16).contains(try #require(depths.max())))
  }

  @Test("A file that has other bytes than it was cut for is refused", arguments: 0...2)
  func changedSince(threads: Int) throws {
    let content = SeededGenerator.bytes(5_000_000, seed: 10)
    var changed = content
    changed[4_000_000] ^= 1
    #expect(try Self.save(Bench(), content, inFile: changed, threads: threads) == nil)
    #expect(try Self.save(Bench(), content, inFile: Array(content.dropLast()), threads: threads) == nil)
  }

  @Test(
    "Contents of every length come back, and hash to their ids",
    arguments: [0, 1, 100, 4 << 20, 4 << 20 + 1, 9_000_001])
  func roundTrip(_ byteCount: Int) throws {
    let bench = try Bench()
    let content = SeededGenerator.bytes(byteCount, seed: 3)
    let written = try bench.save(content)
    #expect(written.id == SHA256.hash(content) && written.byteCount == UInt64(byteCount))
    #expect(written.object?.kind == (byteCount > ContentWriter.blobByteCountLimit ? .chunkList : .blob))
    #expect(try bench.store.content(written.id, limit: .max) == content)
    #expect(try bench.store.contentByteCount(written.id) == UInt64(byteCount))
  }

  @Test("The pieces in which a content comes make no difference")
  func pieces() throws {
    let content = SeededGenerator.bytes(6_000_000, seed: 4)
    var packs: [[UInt8]] = []
    for piece in [7919, 1 << 20, 1 << 24] {
      let bench = try Bench()
      bench.writer.begin()
      let contents = bench.contents
      var given = 0
      let written = try contents.write { (buffer) throws(SystemError) in
        let count = min(buffer.count, piece, content.count - given)
        buffer.copyBytes(from: content[given..<given + count])
        given += count
        return count
      }
      _ = try contents.append(written)
      try bench.writer.commit(.save)
      packs.append(try FileSystem.read(bench.sample.activePath, limit: 1 << 24))
    }
    #expect(packs[0] == packs[1] && packs[1] == packs[2])
  }

  @Test("What is stored already is not written again")
  func deduplicates() throws {
    let bench = try Bench()
    let small = Self.text(lines: 100, seed: 1)
    let large = SeededGenerator.bytes(8_000_000, seed: 5)
    try bench.save(small)
    try bench.save(large)
    let before = bench.writer.byteCount
    #expect(try bench.save(small).object == nil)
    #expect(try bench.save(large).object == nil)
    #expect(bench.writer.byteCount - before < 50)
    // An insertion in front changes a few chunks and the list.
    let edited = try bench.save([1, 2, 3] + large, against: SHA256.hash(large))
    #expect(bench.writer.byteCount - before < 600_000)
    #expect(edited.object?.encoding == .delta)
    #expect(try bench.store.content(edited.id, limit: .max) == [1, 2, 3] + large)
  }

  @Test("The same content twice in one group is written once")
  func deduplicatesInGroup() throws {
    let bench = try Bench()
    bench.writer.begin()
    let contents = bench.contents
    let first = try contents.write(PackSample.hello)
    #expect(try contents.append(first) != nil)
    let second = try contents.write(PackSample.hello)
    #expect(second.object == nil && second.id == first.id)
    #expect(try contents.append(second) == nil)
    let record = try contents.append(second, record: .full([1]))
    #expect(record?.pack == bench.writer.name)
    try bench.writer.commit(.save)
  }

  @Test("Text is stored against the version before, and every version comes back within the depth")
  func history() throws {
    let bench = try Bench()
    var content = Self.text(lines: 300, seed: 6)
    var versions: [ObjectID] = []
    var generator = SeededGenerator(seed: 7)
    for number in 0..<300 {
      let base = DeltaPolicy.base(ofVersion: number).map { versions[$0] }
      versions.append(try bench.save(content, against: base).id)
      let place = Int.random(in: 0..<content.count, using: &generator)
      content.insert(contentsOf: Array("edit \(number) ".utf8), at: place)
    }
    let store = bench.store
    let depths = try versions.map { try store.info(of: $0)[0].entry.depth }
    #expect(depths.max() == 66)
    #expect(bench.writer.byteCount < 60_000)
    let pack = try bench.sample.open()
    let damages = pack.verify(deep: true) { (id, _) throws(ObjectStoreError) in throw .notFound(id) }
    #expect(damages.isEmpty)
    #expect(try bench.store.object(versions[299]).count > 300)
  }

  @Test("An object may be stored against one of an older pack, and of no other device")
  func farBases() throws {
    let bench = try Bench()
    let text = Self.text(lines: 100, seed: 8)
    try bench.save(text)
    let next = try ActivePackWriter.create(folder: bench.sample.active, device: PackSample.device, number: 2)
    let nothing: ContentWriter.Contains = { (_) throws(ObjectStoreError) in false }
    let contents = ContentWriter(next, contains: nothing, containsPart: nothing)
    let candidate = try #require(
      try bench.store.deltaCandidates(for: SHA256.hash(text), device: PackSample.device).first)
    next.begin()
    let written = try contents.write(text + [1], candidates: [candidate])
    #expect(written.object?.base == .far(SHA256.hash(text)))
    let place = try #require(try contents.append(written))
    try next.commit(.save)
    bench.places[written.id] = [place]
    #expect(try bench.store.object(written.id) == text + [1])
    #expect(try bench.store.deltaCandidates(for: SHA256.hash(text), device: [UInt8](repeating: 1, count: 16)).isEmpty)
  }

  @Test("A failing source is told apart from a failing store")
  func failingSource() throws {
    let bench = try Bench()
    bench.writer.begin()
    let failure = SystemError(function: "read", path: nil, code: 5)
    #expect(throws: ObjectStoreError.source(failure)) {
      _ = try bench.contents.write { (_) throws(SystemError) in throw failure }
    }
    #expect(!bench.writer.isBroken)
  }

  @Test("Where a pack is full the next one is taken")
  func rollsOver() throws {
    let bench = try Bench()
    var writers = [bench.writer]
    let contents = ContentWriter(
      contains: { (_) throws(ObjectStoreError) in false },
      containsPart: { (_) throws(ObjectStoreError) in false },
      makeRoom: { (byteCount) throws(ObjectStoreError) in
        if let last = writers.last, last.nextOffset + byteCount < 4_000_000 { return last }
        try writers.last?.commit(.none)
        let next = try ActivePackWriter.create(
          folder: bench.sample.active, device: PackSample.device, number: UInt64(writers.count + 1))
        next.begin()
        writers.append(next)
        return next
      })
    bench.writer.begin()
    let content = SeededGenerator.bytes(9_000_000, seed: 9)
    let written = try contents.write(content)
    _ = try contents.append(written)
    try writers.last?.commit(.save)
    #expect(writers.count == 3)
    for writer in writers {
      try PackFile.open(writer.path, name: writer.name).forEachObject { (entry) throws(ObjectStoreError) in
        guard let id = entry.object?.id else { return }
        bench.places[id, default: []].append(ObjectLocation(pack: writer.name, offset: entry.offset))
      }
    }
    #expect(try bench.store.content(written.id, limit: .max) == content)
  }
}

@Suite("The policy of deltas") struct DeltaPolicyTests {
  @Test(
    "Every 64th version goes to the 64th before it, others to their predecessor",
    arguments: [(0, nil), (1, 0), (2, 1), (63, 62), (64, 0), (65, 64), (127, 126), (128, 64), (129, 128)]
      as [(Int, Int?)])
  func bases(_ row: (number: Int, base: Int?)) {
    #expect(DeltaPolicy.base(ofVersion: row.number) == row.base)
  }

  private func encode(_ content: [UInt8], _ candidates: [DeltaCandidate]) -> DeltaPolicy.Encoded {
    content.withUnsafeBytes { DeltaPolicy.encode($0, candidates: candidates, deflater: Deflater()) }
  }

  private func candidate(
    _ bytes: [UInt8], depth: UInt8 = 0, isReadable: Bool = true
  ) -> DeltaCandidate {
    let id = SHA256.hash(bytes)
    return DeltaCandidate(
      id: id, kind: .blob, location: ObjectLocation(pack: PackSample.name, offset: 36), depth: depth
    ) { () throws(ObjectStoreError) in
      guard isReadable else { throw .notFound(id) }
      return bytes
    }
  }

  private let text = Array(String(repeating: "the quick brown fox jumps over the lazy dog; ", count: 40).utf8)

  @Test("A base that is too deep, or cannot be read, is passed over")
  func passesOver() {
    let random = SeededGenerator.bytes(5000, seed: 1)
    #expect(encode(random + [1], [candidate(random, depth: 200)]).encoding == .raw)
    #expect(encode(random + [1], [candidate(random, depth: 199)]).depth == 200)
    #expect(encode(random + [1], [candidate(random, isReadable: false)]).encoding == .raw)
    let second = encode(random + [1], [candidate(random, depth: 200), candidate(random, depth: 3)])
    #expect(second.candidate == 1 && second.depth == 4 && second.encoding == .delta)
  }

  @Test("The whole text is taken where a delta is no smaller")
  func wholeText() {
    let unrelated = SeededGenerator.bytes(3000, seed: 2)
    #expect(encode(text, [candidate(unrelated)]).encoding == .deflate)
    #expect(encode([], [candidate(text)]).encoding == .raw)
    #expect(encode([1], [candidate(text)]).encoding == .raw)
  }

  @Test("A better candidate is taken where the first gives a long delta")
  func betterCandidate() {
    let random = SeededGenerator.bytes(5000, seed: 3)
    let half = Array(random[..<2500]) + SeededGenerator.bytes(2500, seed: 4)
    let encoded = encode(random + [1], [candidate(half), candidate(random)])
    #expect(encoded.candidate == 1 && encoded.data.count < 100)
  }

  @Test("What cannot be compressed is stored raw")
  func incompressible() {
    let random = SeededGenerator.bytes(50_000, seed: 5)
    let encoded = encode(random, [])
    #expect(encoded.encoding == .raw && encoded.data == random)
    #expect(encode(text, []).encoding == .deflate)
  }
}
