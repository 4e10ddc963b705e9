import Archives
import Deflate
import Hashing
import TestSupport
import Testing

@testable import ObjectStorage

@Suite("Zip documents in a store") struct ArchiveStorageTests {
  private typealias Member = TestArchive.Member
  private static let text = TestArchive.text(100, seed: 1)

  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let archive: TestArchive
    /// How many members are stored inflated.
    let inflated: Int

    init(_ name: String, inflated: Int, _ archive: TestArchive) {
      testDescription = name
      self.archive = archive
      self.inflated = inflated
    }

    init(_ name: String, inflated: Int, _ change: (inout TestArchive) -> Void) {
      var archive = TestArchive.document(ArchiveStorageTests.text)
      change(&archive)
      self.init(name, inflated: inflated, archive)
    }
  }

  /// A stream that zlib would not have made: the text in stored blocks of odd lengths.
  private static func oddStream(_ text: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = []
    var position = 0
    while position < text.count {
      let count = min(777, text.count - position)
      let isLast = position + count == text.count
      stream += [
        isLast ? 1 : 0, UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8 & 0xFF),
      ]
      stream += text[position..<position + count]
      position += count
    }
    return stream
  }

  static let samples: [Sample] = [
    Sample("LibreOffice's", inflated: 3) { _ in },
    Sample(
      "Word's", inflated: 2,
      TestArchive([
        Member("a.xml", text, .deflated(.word, [DeflateFlush(.sync, at: text.count)])),
        Member(
          "b.xml", text + text,
          .deflated(
            .word,
            [DeflateFlush(.partial, at: 500), DeflateFlush(.full, at: 4000), DeflateFlush(.sync, at: 2 * text.count)])),
      ])),
    Sample(
      "Excel's", inflated: 1,
      TestArchive([Member("a.xml", text, .deflated(.excel, [DeflateFlush(.sync, at: text.count)]))])),
    Sample(
      "every level", inflated: 9,
      TestArchive((1...9).map { Member("\($0)", text, .deflated(DeflateSettings(level: $0), [])) })),
    Sample("a stream that can't be made again", inflated: 2) { $0.members[2].data = .raw(oddStream(text), method: 8) },
    Sample("a stream that is none", inflated: 2) {
      $0.members[2].data = .raw(TestArchive.noise(900, seed: 1), method: 8)
    },
    Sample("another method", inflated: 2) { $0.members[2].data = .raw(TestArchive.noise(900, seed: 1), method: 14) },
    Sample("an encrypted member", inflated: 2) {
      $0.members[2].data = .raw(TestArchive.noise(900, seed: 1), method: 8)
      $0.members[2].flags = 1
    },
    Sample("a checksum that is wrong", inflated: 2) {
      $0.members[2].data = .raw(TestArchive.document(text).members[2].storedData, method: 8)
      $0.members[2].content[3] ^= 1
    },
    Sample("bytes between and behind", inflated: 3) {
      $0.members[3].gap = Array("between".utf8)
      $0.beforeDirectory = Array("before".utf8)
      $0.trailing = Array("behind".utf8)
      $0.comment = Array("comment".utf8)
    },
    Sample("a directory in another order", inflated: 3) { $0.directoryOrder = [3, 1, 2, 0, 5, 4] },
    Sample("descriptors without signature", inflated: 3) {
      for place in $0.members.indices { $0.members[place].isDescriptorSigned = false }
    },
    Sample("times of their own", inflated: 3) {
      for place in $0.members.indices {
        $0.members[place].modified = place.isMultiple(of: 2) ? .max - UInt32(place) : 0
      }
    },
  ]

  @Test("come back byte for byte", arguments: samples)
  func roundTrip(_ sample: Sample) throws {
    let bench = try ArchiveBench()
    let bytes = sample.archive.bytes
    #expect(try bench.save(bytes))
    #expect(try bench.archive(bytes).items.filter(\.isDeflated).count == sample.inflated)
    #expect(try bench.content(bytes) == bytes)
    #expect(try bench.store.contentByteCount(SHA256.hash(bytes)) == UInt64(bytes.count))
    #expect(try bench.store.containsContent(SHA256.hash(bytes)))
    var given: [UInt8] = []
    try bench.store.writeContent(SHA256.hash(bytes)) { given += $0 }
    #expect(given == bytes)
    #expect(try bench.open().verify(deep: true, resolvingFar: PackSample.resolve).isEmpty)
    #expect(try !bench.objects().contains { $0.id == SHA256.hash(bytes) && $0.kind != .archive })
  }

  @Test("come back for random ones, saved one after another", arguments: 0..<60 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let bench = try ArchiveBench()
    var earlier: [UInt8]?
    var archive = TestArchive.document(TestArchive.text(40, seed: seed))
    var all: [[UInt8]] = []
    for step in 0..<4 {
      let place = Int.random(in: 1..<archive.members.count, using: &generator)
      switch Int.random(in: 0..<7, using: &generator) {
      case 0:
        archive.members[place].content = TestArchive.text(Int.random(in: 0..<90, using: &generator), seed: seed + 9)
      case 1:
        archive.members[place].data = .deflated(
          DeflateRecipeFinder.knownSettings.randomElement(using: &generator) ?? .word, [])
      case 2: archive.members[place].data = .stored
      case 3: archive.members[place].gap = TestArchive.noise(place, seed: seed)
      case 4: archive.members[place].hasDescriptor.toggle()
      case 5:
        archive.members.append(
          Member("new \(step)", TestArchive.noise(Int.random(in: 0..<300, using: &generator), seed: seed)))
      default: archive.members.remove(at: place)
      }
      let bytes = archive.bytes
      _ = try bench.save(bytes, after: earlier)
      earlier = bytes
      all.append(bytes)
    }
    for bytes in all where bench.places[SHA256.hash(bytes)] != nil { #expect(try bench.content(bytes) == bytes) }
    #expect(bench.places[SHA256.hash(all[0])] != nil)
  }

  @Test("cost at a later save little more than what changed")
  func smallSteps() throws {
    let bench = try ArchiveBench()
    var text = Self.text
    var earlier: [UInt8]?
    var sizes: [UInt64] = []
    for step in 0..<6 {
      text.insert(contentsOf: Array("<p>one more paragraph, \(step)</p>\n".utf8), at: 1000 + 300 * step)
      let bytes = TestArchive.document(text, modified: 0x5A21_6000 + UInt32(step)).bytes
      #expect(try bench.save(bytes, after: earlier))
      earlier = bytes
      sizes.append(bench.writer.byteCount)
    }
    for (before, after) in zip(sizes, sizes.dropFirst()) { #expect(after - before < 500) }
    // Three members and the archive itself, and nothing of the skeleton.
    #expect(try bench.objects().count == 5 + 1 + 5 * 3)
  }

  @Test("share what they have in common, whether it is compressed in them or not")
  func sharing() throws {
    let bench = try ArchiveBench()
    let picture = TestArchive.noise(50_000, seed: 1)
    let first = TestArchive([Member("Pictures/1.png", picture, .stored), Member("content.xml", Self.text)]).bytes
    let second = TestArchive([
      Member("document.xml", TestArchive.text(50, seed: 3)), Member("media/image1.png", picture),
    ]).bytes
    #expect(try bench.save(first))
    let size = bench.writer.byteCount
    #expect(try bench.save(second))
    #expect(bench.writer.byteCount - size < 10_000)
    #expect(try bench.content(first) == first && bench.content(second) == second)
  }

  @Test(
    "are stored as any content where they are none, or something about them is doubtful",
    arguments: [
      ("begins like one", Array("PK\u{3}\u{4}".utf8) + TestArchive.noise(5000, seed: 1)),
      ("cut short", Array(TestArchive.document(text).bytes.dropLast(30))),
      ("data before", [UInt8](repeating: 0, count: 8) + TestArchive.document(text).bytes),
      ("one name twice", TestArchive([Member("a", text), Member("a", text)]).bytes),
      ("no member", TestArchive([]).bytes),
      ("too small to pay", TestArchive([Member("a", "b")]).bytes),
      (
        "many small members",
        TestArchive((0..<500).map { Member("\($0)", TestArchive.noise(70, seed: 1), .stored) }).bytes
      ),
    ] as [(String, [UInt8])])
  func declined(_ name: String, _ bytes: [UInt8]) throws {
    let bench = try ArchiveBench()
    #expect(try !bench.save(bytes), "\(name)")
    try bench.savePlainly(bytes)
    #expect(try bench.content(bytes) == bytes)
  }

  @Test("that inflate to far more than they are are not inflated")
  func bombs() throws {
    let bench = try ArchiveBench()
    let bomb = TestArchive([
      Member("zeros", [UInt8](repeating: 0, count: 3 << 20)), Member("content.xml", Self.text),
    ]).bytes
    #expect(try bench.save(bomb))
    #expect(try bench.archive(bomb).items.map(\.isDeflated) == [false, true])
    #expect(try bench.content(bomb) == bomb)
    #expect(try bench.objects().allSatisfy { $0.byteCount < 100_000 })
  }

  @Test("are no part of other archives, nor a chunk: those are stored once more")
  func nested() throws {
    let bench = try ArchiveBench()
    let inner = TestArchive.document(Self.text).bytes
    #expect(try bench.save(inner))
    let outer = TestArchive([Member("inner.odt", inner, .stored), Member("content.xml", Self.text)]).bytes
    #expect(try bench.save(outer))
    #expect(try bench.content(outer) == outer && bench.content(inner) == inner)
    let id = SHA256.hash(inner)
    #expect(try bench.objects().filter { $0.id == id }.map(\.kind) == [.archive, .blob])
  }

  @Test("with long members keep these in chunks")
  func longMember() throws {
    let bench = try ArchiveBench()
    let long = TestArchive.noise(5 << 20, seed: 2)
    let bytes = TestArchive([Member("video", long, .stored), Member("content.xml", Self.text)]).bytes
    #expect(try bench.save(bytes))
    #expect(try bench.content(bytes) == bytes)
    #expect(try bench.objects().contains { $0.id == SHA256.hash(long) && $0.kind == .chunkList })
    #expect(try bench.store.containsContent(SHA256.hash(bytes)))
  }

  @Test("stay readable when their pack is sealed, and go on against it")
  func sealing() throws {
    let bench = try ArchiveBench()
    let first = TestArchive.document(Self.text).bytes
    let second = TestArchive.document(Self.text + Array("more".utf8)).bytes
    #expect(try bench.save(first) && bench.save(second, after: first))
    let sealed = try #require(try bench.sample.seal([try bench.open()]))
    #expect(try bench.sample.openSealed(sealed).verify(deep: true, resolvingFar: PackSample.resolve).isEmpty)
    for item in sealed.objects {
      bench.places[item.id] = [ObjectLocation(pack: .sealed(sealed.id), offset: item.offset)]
    }
    #expect(try bench.content(first) == first && bench.content(second) == second)
    let third = TestArchive.document(Self.text + Array("more and more".utf8)).bytes
    let base = try #require(bench.store.archiveBase(SHA256.hash(second), device: PackSample.device))
    let next = try ActivePackWriter.create(folder: bench.sample.active, device: PackSample.device, number: 2)
    next.begin()
    let contents = ContentWriter(
      next, contains: { (id) throws(ObjectStoreError) in bench.places[id] != nil },
      containsPart: { (id) throws(ObjectStoreError) in bench.places[id] != nil })
    let written = try #require(try contents.writeArchive(third, id: SHA256.hash(third), bases: [base]))
    _ = try contents.append(written)
    try next.commit(.save)
    let pack = try PackFile.open(next.path, name: next.name)
    let store = bench.store
    #expect(next.byteCount < 700)
    #expect(try written.object?.base == nil && pack.object(at: 36).base != nil)
    #expect(pack.verify(deep: true) { (id, kind) throws(ObjectStoreError) in try store.base(id, kind) }.isEmpty)
  }
}

extension TestArchive.Member {
  /// What stands in the archive.
  fileprivate var storedData: [UInt8] {
    content.withUnsafeBytes { ReproducibleDeflater().deflate($0) }
  }
}
