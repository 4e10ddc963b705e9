import Hashing
import TestSupport
import Testing
import Versioning

@Suite("Version records against a predecessor") struct VersionRecordElisionTests {
  @Test("An elided record has the bytes of the format", arguments: GoldenElision.all)
  func isGolden(_ golden: GoldenElision) throws {
    let predecessor = GoldenElision.predecessor
    let elided = golden.record.elided(against: predecessor, contentInEntry: golden.contentInEntry)
    #expect(elided.map { Hexadecimal.encode($0) } == golden.hexadecimal)
    let decoded = try VersionRecord.decode(
      elided: bytes(golden.hexadecimal), predecessor: predecessor, contentInEntry: golden.contentInEntry)
    #expect(decoded == golden.record)
  }

  @Test("Any record comes back, whatever its predecessor", arguments: 0..<200 as Range<UInt64>)
  func comesBack(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let record = VersionRecord.random(using: &generator)
      let predecessor = Version(
        id: .sample(UInt8.random(in: 0...3, using: &generator)), record: .random(using: &generator))
      let object = [nil, record.content, ObjectID.sample(7)].randomElement(using: &generator) ?? nil
      let elided = try #require(record.elided(against: predecessor, contentInEntry: object))
      #expect(
        try VersionRecord.decode(elided: elided, predecessor: predecessor, contentInEntry: object) == record)
      damage(elided, predecessor, object, using: &generator)
    }
  }

  /// Flips a bit and cuts: the result is refused, or another record whose own encoding this is.
  private func damage(
    _ elided: [UInt8], _ predecessor: Version, _ object: ObjectID?, using generator: inout SeededGenerator
  ) {
    var flipped = elided
    flipped[Int.random(in: 0..<elided.count, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    for damaged in [flipped, Array(elided.dropLast()), elided + [0]] {
      guard
        let record = try? VersionRecord.decode(elided: damaged, predecessor: predecessor, contentInEntry: object)
      else { continue }
      let again = record.elided(against: predecessor, contentInEntry: object)
      #expect(again == damaged || (object != nil && record.content == object))
    }
  }

  @Test("The content may be written beside the object that has it")
  func takesWrittenContent() throws {
    let predecessor = GoldenElision.predecessor, golden = GoldenElision.all[0]
    let alone = try #require(golden.record.elided(against: predecessor, contentInEntry: nil))
    #expect(
      try VersionRecord.decode(elided: alone, predecessor: predecessor, contentInEntry: golden.contentInEntry)
        == golden.record)
  }

  @Test("A part that is written though it follows is refused")
  func refusesNeedlessParts() throws {
    let predecessor = GoldenElision.predecessor
    let plain = bytes(GoldenElision.all[0].hexadecimal)
    let withDocument = [2] + predecessor.record.document.bytes + plain.dropFirst()
    let withMessage = [0x80, 2] + plain.dropFirst() + [0]
    for needless in [withDocument, withMessage] {
      #expect(throws: DecodingFailure.invalidValue) {
        try VersionRecord.decode(elided: needless, predecessor: predecessor, contentInEntry: .sample(0xC2))
      }
    }
    #expect(throws: DecodingFailure.limitExceeded) {
      try VersionRecord.decode(elided: [0x80, 4], predecessor: predecessor, contentInEntry: nil)
    }
  }

  @Test("A difference beyond 64 bits is no reason to trap")
  func refusesOverflow() throws {
    let late = VersionRecord.sample(parents: [1], modified: (.max, 0))
    let early = VersionRecord.sample(modified: (.min, 0))
    #expect(late.elided(against: .sample(1, early), contentInEntry: nil) == nil)
    #expect(late.elided(against: .sample(1, late), contentInEntry: nil) == nil)
    #expect(VersionRecord.sample(parents: [1]).elided(against: .sample(1, early), contentInEntry: nil) == nil)
    let greatest: [UInt8] = [0xFE] + [UInt8](repeating: 0xFF, count: 8) + [1]
    let least = [UInt8](repeating: 0xFF, count: 9) + [1]
    for extreme in [greatest, least] {
      for parts in [extreme + [0, 0, 0], [0] + extreme + [0, 0], [0, 0, 0] + extreme] {
        for earlier in [late, early, .sample()] {
          let predecessor = Version.sample(1, earlier)
          let record = try? VersionRecord.decode(elided: [0] + parts, predecessor: predecessor, contentInEntry: nil)
          guard let record else { continue }
          #expect(record.elided(against: predecessor, contentInEntry: nil) == [0] + parts)
        }
      }
    }
  }
}

extension VersionRecord {
  /// A valid record from few values, so that fields are often equal.
  static func random(using generator: inout SeededGenerator) -> VersionRecord {
    let isAutomatic = Int.random(in: 0..<6, using: &generator) == 0
    let kind: VersionKind = [.file, .file, .package, .symbolicLink, .deleted].randomElement(using: &generator)!
    let parents: [[UInt8]] = isAutomatic ? [[2, 1]] : [[], [1], [2], [2, 1, 3]]
    let times: [Int64] = [1_764_460_800_000, 1_764_460_800_600, -1, LogicalTime.firstMillisecond]
    return .sample(
      document: UInt8.random(in: 0...1, using: &generator), parents: parents.randomElement(using: &generator)!,
      path: ["a", "b"].randomElement(using: &generator)!, kind: kind,
      content: kind == .deleted ? nil : UInt8.random(in: 0...2, using: &generator),
      size: kind == .deleted ? 0 : [0, 1, VersionRecord.maximumContentByteCount].randomElement(using: &generator)!,
      mode: [0o644, 0o755].randomElement(using: &generator)!,
      modified: (
        [0, -1, 1_764_460_800, 1 << 40, -1 << 40].randomElement(using: &generator)!,
        [0, 999_999_999, 600_000_000].randomElement(using: &generator)!
      ),
      milliseconds: times.randomElement(using: &generator)!,
      counter: [0, 0, 1, .max].randomElement(using: &generator)!,
      wallTime: times.randomElement(using: &generator)!,
      device: isAutomatic ? nil : UInt8.random(in: 1...2, using: &generator),
      origin: isAutomatic ? .merge : [.save, .watch].randomElement(using: &generator)!,
      mergeRules: isAutomatic ? UInt32.random(in: 1...2, using: &generator) : 0,
      message: isAutomatic ? "" : ["", "m"].randomElement(using: &generator)!)
  }
}
