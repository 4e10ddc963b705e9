import Archives
import DocumentMerging
import Merging
import TestSupport
import Testing

@Suite("Any three-way merge of zip documents") struct DocumentPropertyTests {
  /// A text document whose paragraphs and other members are all different, and edits of it.
  private struct Sample {
    var paragraphs: [String]
    var members: [(name: String, content: String)]

    init(using generator: inout SeededGenerator) {
      paragraphs = (0..<8).map { _ in Self.word(&generator) }
      members = (0..<3).map { ("Pictures/\($0)", "\u{0}" + Self.word(&generator)) }
    }

    private static func word(_ generator: inout SeededGenerator) -> String {
      "w\(Int.random(in: 1..<1 << 40, using: &generator))"
    }

    func edited(using generator: inout SeededGenerator) -> Sample {
      var copy = self
      for _ in 0..<Int.random(in: 1...2, using: &generator) {
        let place = Int.random(in: copy.paragraphs.indices, using: &generator)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0...1: copy.paragraphs[place] = Self.word(&generator)
        case 2: copy.paragraphs.insert(Self.word(&generator), at: place)
        case 3 where copy.paragraphs.count > 2: copy.paragraphs.remove(at: place)
        case 4 where !copy.members.isEmpty:
          let number = Int.random(in: copy.members.indices, using: &generator)
          if Bool.random(using: &generator) {
            copy.members.remove(at: number)
          } else {
            copy.members[number].content = "\u{0}" + Self.word(&generator)
          }
        default: copy.members.append(("Pictures/" + Self.word(&generator), "\u{0}" + Self.word(&generator)))
        }
      }
      return copy
    }

    func archive() throws -> [UInt8] {
      try DocumentSample.odt.with(
        [("content.xml", DocumentSample.text(paragraphs))] + members.map { ($0.name, $0.content) }
      )
      .archive()
    }

    /// Everything in it, each once.
    var parts: Set<String> { Set(paragraphs + members.map { $0.name + "=" + $0.content }) }
  }

  private static func sample(_ seed: UInt64) -> (base: Sample, ours: Sample, theirs: Sample) {
    var generator = SeededGenerator(seed: seed)
    let base = Sample(using: &generator)
    return (base, base.edited(using: &generator), base.edited(using: &generator))
  }

  @Test("gives the other side where one is unchanged, or both are equal, and swapped sides the same members")
  func algebra() throws {
    for seed in 0..<120 as Range<UInt64> {
      let sample = Self.sample(seed)
      let (base, ours, theirs) = try (sample.base.archive(), sample.ours.archive(), sample.theirs.archive())
      #expect(mergedArchive(base, ours, base) == ours, "\(seed)")
      #expect(mergedArchive(base, base, ours) == ours, "\(seed)")
      #expect(mergedArchive(base, ours, ours) == ours, "\(seed)")
      let (there, back) = (mergedArchive(base, ours, theirs), mergedArchive(base, theirs, ours))
      #expect(try there.map(members) == back.map(members), "\(seed)")
    }
  }

  @Test("is readable and well formed, with all that is new and without what was deleted")
  func keeps() throws {
    var clean = 0
    for seed in 0..<250 as Range<UInt64> {
      let sample = Self.sample(seed)
      let (base, ours, theirs) = try (sample.base.archive(), sample.ours.archive(), sample.theirs.archive())
      guard let merged = mergedArchive(base, ours, theirs) else { continue }
      clean += 1
      let contents = try members(merged)
      let text = try #require(contents["content.xml"])
      let parts = text.split(separator: "<text:p text:style-name=\"Standard\">").dropFirst()
      let paragraphs = parts.map { String($0.prefix { $0 != "<" }) }
      #expect(text == DocumentSample.text(paragraphs), "\(seed)")
      let others = contents.filter { $0.key.hasPrefix("Pictures/") && $0.key != "Pictures/1.png" }
      let result = paragraphs + others.map { $0.key + "=" + $0.value }
      let (old, mine, other) = (sample.base.parts, sample.ours.parts, sample.theirs.parts)
      let expected = mine.intersection(other).union(mine.subtracting(old)).union(other.subtracting(old))
      #expect(Set(result) == expected && result.count == expected.count, "\(seed)")
      // What else an archive has is as it was.
      for (name, content) in DocumentSample.odt.members where name != "content.xml" {
        #expect(contents[name] == content, "\(seed): \(name)")
      }
    }
    #expect((60...245).contains(clean), "\(clean)")
  }
}
