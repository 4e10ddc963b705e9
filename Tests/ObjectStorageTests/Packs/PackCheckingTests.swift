import Deflate
import Hashing
import SystemIO
import TestSupport
import Testing

@testable import ObjectStorage

/// What threads find of a pack must be what a check in order finds.
@Suite("Packs checked by several threads") struct PackCheckingTests {
  private func places(_ pack: PackFile) -> [UInt64] {
    var places: [UInt64] = []
    try? pack.forEachObject { (entry) throws(ObjectStoreError) in places.append(entry.offset) }
    return places
  }

  private func compare(_ pack: PackFile, _ comment: Comment) {
    let places = places(pack)
    let expected = pack.objectDamages(at: places, PackSample.resolve)
    switch pack.checkAhead(places, threadCount: 2, leastByteCount: 0) {
    case .sound(let left):
      #expect(pack.objectDamages(at: left, PackSample.resolve) == expected, comment)
    case .unsound:
      #expect(!expected.isEmpty, comment)
    }
  }

  @Test("give the same report with a bit flipped anywhere")
  func flipped() throws {
    let sample = try PackSample()
    for bit in 0..<GoldenPacks.activePack.count * 8 {
      var bytes = GoldenPacks.activePack
      bytes[bit / 8] ^= 1 << (bit % 8)
      try AtomicFile.write(bytes, to: sample.activePath, isDurable: false)
      if let pack = try? sample.open() { compare(pack, "bit \(bit)") }
    }
  }

  @Test("leave what stands on another pack, with all that stands on that")
  func otherPacks() throws {
    let sample = try PackSample()
    try sample.write()
    let pack = try sample.open()
    guard case .sound(let left) = pack.checkAhead(places(pack), threadCount: 2, leastByteCount: 0) else {
      Issue.record("nothing is wrong with it")
      return
    }
    #expect(try left.map { try pack.object(at: $0).id } == [SHA256.hash(PackSample.far)])
  }

  /// A pack of versions of a text, each against the one before or, some, against a further one.
  ///
  /// - Parameter change: of an entry, by its number, before it gets its checksum.
  private func pack(
    _ sample: PackSample, _ versions: [[UInt8]], change: (Int, inout ObjectEntry) -> Void
  ) throws -> PackFile {
    var bytes = PackFormat.encode(PackHeader(isSealed: false, device: PackSample.device))
    var offsets: [Int] = []
    for (number, text) in versions.enumerated() {
      let base = number.isMultiple(of: 8) ? number - 8 : number - 1
      var object = PackSample.blob(text)
      if base >= 0 {
        let delta = text.withUnsafeBytes { new in
          versions[base].withUnsafeBytes { DeltaCodec.encode(new, base: $0, deflater: Deflater()) }
        }
        object.encoding = .delta
        object.base = .near(distance: UInt64(bytes.count - offsets[base]))
        object.depth = UInt8(number / 8 + number % 8)
        object.data = .bytes(delta)
      }
      change(number, &object)
      offsets.append(bytes.count)
      bytes += PackFormat.encodeEntry(.object(object))
    }
    bytes += PackFormat.encodeEntry(.commit(.none))
    try AtomicFile.write(bytes, to: sample.activePath, isDurable: false)
    return try sample.open()
  }

  @Test("give the same report of wrong ids, contents and depths", arguments: 0..<30 as Range<UInt64>)
  func wrongObjects(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let sample = try PackSample()
    let versions = CompactSample.versions(200, byteCount: 600, seed: seed)
    let wrong = Set((0..<Int(seed % 4)).map { _ in Int.random(in: 0..<200, using: &generator) })
    let kind = Int.random(in: 0..<3, using: &generator)
    let pack = try pack(sample, versions) { number, object in
      guard wrong.contains(number) else { return }
      switch kind {
      case 0: object.id = SHA256.hash([UInt8(number)])
      case 1:
        guard case .bytes(var data) = object.data, let last = data.popLast() else { return }
        object.data = .bytes(data + [last ^ 1])
      default: object.byteCount += object.encoding == .delta ? 1 : 0
      }
    }
    compare(pack, "\(wrong.sorted()) \(kind)")
    #expect(places(pack).count == 200)
  }
}
