import Hashing
import TestSupport
import Testing

@testable import ObjectStorage

@Suite("Bases of chunks") struct ChunkBasesTests {
  private static func id(_ letter: Character) -> ObjectID { SHA256.hash(Array(String(letter).utf8)) }

  private static func list(_ letters: String) throws -> ChunkList {
    try #require(ChunkList(chunks: letters.map { ChunkList.Chunk(id: id($0), byteCount: 1) }))
  }

  @Test(
    "What stood where a content changed, from its beginning and from its end",
    arguments: [
      ("abc", "abc", ["", "", ""]),
      ("aXc", "abc", ["", "b", ""]),
      ("Xbc", "abc", ["a", "", ""]),
      ("abX", "abc", ["", "", "c"]),
      ("aXYd", "abcd", ["", "b", "c", ""]),
      ("aXYd", "abd", ["", "b", "b", ""]),
      ("aXe", "abcde", ["", "bd", ""]),
      ("aXYZf", "abcdef", ["", "bc", "cd", "de", ""]),
      ("aXb", "ab", ["", "", ""]),
      ("X", "a", ["a"]),
      ("aXaYa", "abaca", ["", "b", "", "c", ""]),
      ("cXa", "abc", ["", "", ""]),
    ])
  func table(_ list: String, _ earlier: String, _ expected: [String]) throws {
    let bases = ChunkBases(of: try Self.list(list), in: try Self.list(earlier))
    for (number, letters) in expected.enumerated() { #expect(bases[number] == letters.map(Self.id), "\(number)") }
  }

  @Test("Long runs have none") func longRuns() throws {
    let bases = ChunkBases(of: try Self.list("a123456789b"), in: try Self.list("axb"))
    #expect((0..<11).allSatisfy { bases[$0].isEmpty })
    let shorter = ChunkBases(of: try Self.list("a12345678b"), in: try Self.list("axb"))
    #expect((1...8).allSatisfy { shorter[$0] == [Self.id("x")] })
    let former = ChunkBases(of: try Self.list("a1b"), in: try Self.list("acdefghijkb"))
    #expect(former[1].isEmpty)
  }

  @Test("A chunk that is there many times costs no more than others") func repeated() throws {
    let many = String(repeating: "a", count: 200_000)
    let bases = ChunkBases(of: try Self.list(many + "X" + many), in: try Self.list(many + "b" + many))
    #expect((0..<400_001).allSatisfy { bases[$0].isEmpty || $0 == 200_000 })
  }
}
